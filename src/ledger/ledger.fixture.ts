// Customers, payments and orders for the tests of the ledger, on a database of their own.
import { testDatabase } from '../../test/support/database.ts'
import { newId } from '../kit/random.ts'
import { readBalance } from './ledger.ts'

export const db = await testDatabase()

export async function newCustomer(): Promise<string> {
  const id = newId('cus')
  await db.query(
    `insert into customers (id, email, name, created_at, updated_at)
     values ($1, $1 || '@example.net', 'A', now(), now())`,
    [id],
  )
  return id
}

/** A payment and its credit. */
export async function credit(customer: string, amount: bigint): Promise<string> {
  const payment = newId('pay')
  await db.query(`select payments_credit($1, $2, 'USD', $3, $4::jsonb)`, [
    payment,
    customer,
    amount,
    JSON.stringify({ account: 'gateway', description: 'top-up' }),
  ])
  return payment
}

/** Returns whether it was posted now. */
export async function reverse(
  payment: string,
  amount: bigint,
  { kind = 'refund', id = newId('rev') } = {},
): Promise<boolean> {
  const [row] = await db.query(`select payments_reverse($1, $2, $3, $4, $5) as posted`, [
    id,
    payment,
    kind,
    amount,
    { description: 'reversed' },
  ])
  return row?.posted === true
}

/** "available held owed", in cents. */
export async function shownBalance(customer: string): Promise<string> {
  const { available, held, owed } = await readBalance(db.database, customer, 'USD')
  return `${available} ${held} ${owed}`
}

/**
 * Moves money of an order, which is made where there is none, as orders_place and orders_settle do.
 * Returns whether there was enough.
 */
export async function move(
  type: 'hold' | 'capture' | 'release',
  ...[customer, amount, order]: [string, bigint, string]
): Promise<boolean> {
  await db.query(
    `insert into orders (id, customer_id, type, domain, registry, state, currency, amount, digest,
                         command, attempts, fingerprints, first_sent_at, run_at, lease_until,
                         lease_token)
     values ($1, $2, 'register', $1, 'thin', 'pending', 'USD', $3, '', '{}', 1, '{}', now(), now(),
             now(), '')
     on conflict do nothing`,
    [order, customer, amount],
  )
  const rows = await db.query(
    `select ledger_post_transfers(
       array[row($1, $2, 'USD', $3, $1, 'x.com', $4)::ledger_move]) as posted`,
    [type, customer, amount, order],
  )
  return Array.isArray(rows[0]?.posted) && rows[0].posted.length === 1
}

/** Currencies whose debits are not their credits, in all or pending. */
export async function unbalanced(): Promise<unknown[]> {
  return db.query(
    `select currency from ledger_trial_balance group by currency
     having sum(debits) <> sum(credits)
         or sum(pending) filter (where code = 'customer')
            <> sum(pending) filter (where code = 'sales')`,
  )
}
