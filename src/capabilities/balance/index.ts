// The balance room: what a customer has, and what moved it.
import { getBalance } from './balance.ts'
import { listTransactions } from './transactions.ts'

export const operations = [getBalance, listTransactions]
