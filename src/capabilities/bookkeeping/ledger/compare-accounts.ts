// Compares accounts with their evidence: a customer's columns with its transfers, and an
// account of our own with payments, reversals, orders, adjustments and debts.

import type { Sql } from '../../../db/database.ts'
import { formatAmount } from '../../../kit/money.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { customerAccounts, evidenceSums } from './ledger-reports.sql.ts'

type Difference = {
  account: string
  customer_id: CustomerId | null
  currency: string
  field: 'available' | 'held' | 'reserved' | 'balance'
  transfers: string
  recorded: string
}
export type Comparison = { customers: number; differing: number; differences: Difference[] }

/** Balances of accounts of our own, debits above zero, by `code currency`. */
type OwnBalances = ReadonlyMap<string, bigint>

const at_once = 1_000
const most_shown = 100

/** Call it in the transaction that summed the balances, since both must see the same transfers. */
export async function compareAccounts(sql: Sql, own: OwnBalances): Promise<Comparison> {
  const result: Comparison = { customers: 0, differing: 0, differences: [] }
  const note = (difference: Omit<Difference, 'transfers' | 'recorded'>, sums: [bigint, bigint]) => {
    const [transfers, recorded] = sums
    if (transfers === recorded) return
    result.differing += 1
    if (result.differences.length >= most_shown) return
    const amounts = { transfers: formatAmount(transfers), recorded: formatAmount(recorded) }
    result.differences.push({ ...difference, ...amounts })
  }
  const evidence = new Map(
    (await sql.run(evidenceSums)).map((row) => [`${row.code} ${row.currency}`, row.amount]),
  )
  for (const [key, balance] of own) {
    const [account = '', currency = ''] = key.split(' ')
    const recorded = BigInt(evidence.get(key) ?? '0')
    note({ account, customer_id: null, currency, field: 'balance' }, [balance, recorded])
  }
  for (let after = { after_customer: '', after_currency: '' }; ; ) {
    const page = await sql.run(customerAccounts, { ...after, limit: BigInt(at_once) })
    for (const { customer_id, currency, available, held, reserved, ...sums } of page) {
      const place = { account: 'customer', customer_id, currency }
      note({ ...place, field: 'available' }, [BigInt(sums.sum_available), available])
      note({ ...place, field: 'held' }, [BigInt(sums.sum_held), held])
      note({ ...place, field: 'reserved' }, [BigInt(sums.sum_reserved), BigInt(reserved)])
    }
    result.customers += page.length
    const last = page.at(-1)
    if (!last || page.length < at_once) return result
    after = { after_customer: last.customer_id, after_currency: last.currency }
  }
}
