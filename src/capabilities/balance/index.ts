// The balance module: available and held money of a customer, and its transactions.
import { getBalance } from './balance.ts'
import { setReserve } from './set-reserve.ts'
import { getStatement } from './statement.ts'
import { listTransactions } from './transactions.ts'

export const operations = [getBalance, listTransactions, getStatement, setReserve]
