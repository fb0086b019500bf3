// Compares the answers with the ledger, at the end of a benchmark with purchases.
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchDatabase } from './database.ts'
import { say } from './report.ts'

/**
 * Waits until no order is open. Throws unless at least `paid` orders were paid, none was refused,
 * every domain has the years that were paid for, and debits equal credits.
 */
export async function checkLedger(db: BenchDatabase, paid: number): Promise<void> {
  const progress = `select count(*)::int as orders,
    (count(*) filter (where closed_at is null))::int as open from orders`
  let quiet = { orders: -1, since: performance.now() }
  for (let tries = 0; tries < 200 && performance.now() - quiet.since < 1000; tries += 1) {
    const [now] = await db.query(progress)
    const orders = Number(now?.orders)
    // The last requests may not have placed an order yet.
    if (now?.open !== 0 || orders !== quiet.orders) quiet = { orders, since: performance.now() }
    await sleep(50)
  }
  const [found = {}] = await db.query(
    `select (select count(*)::int from domains) as domains,
       (select count(*)::int from orders where state = 'succeeded') as paid,
       (select coalesce(sum((command->>'period_years')::int), 0)::int from orders
         where state = 'succeeded') as years,
       (select coalesce(sum(extract(year from age(expiry, registered_at))), 0)::int
          from domains) as held_years,
       (select count(*)::int from orders where state <> 'succeeded') as others,
       (select count(*)::int from (
          select from ledger_trial_balance group by currency
          having sum(debits) <> sum(credits)) b) as unbalanced`,
  )
  say()
  say(
    `  answered ${paid}; in the ledger ${found.paid} paid orders of ${found.years} years, ` +
      `${found.domains} domains of ${found.held_years} years, ${found.others} other orders, ` +
      `${found.unbalanced} currencies out of balance`,
  )
  const others = await db.query(
    `select state, error_code, error_detail, alarm, count(*)::int, max(attempts) as attempts,
       max(now() - created_at)::text as oldest
     from orders where state <> 'succeeded' group by 1, 2, 3, 4`,
  )
  for (const one of others) say(`    ${JSON.stringify(one)}`)
  const right = found.years === found.held_years && found.others === 0 && found.unbalanced === 0
  if (!right || Number(found.paid) < paid) throw new Error('The ledger does not agree')
}

/**
 * Throws unless at least this many payments of this amount are credited, every one has its invoice,
 * the invoice numbers have no gap, and debits equal credits.
 */
export async function checkCredits(
  db: BenchDatabase,
  { least, amount_cents }: { least: number; amount_cents: number },
): Promise<void> {
  const [found = {}] = await db.query(
    `select (select count(*)::int from payments) as payments,
       (select count(*)::int from payments where amount <> ${amount_cents}) as others,
       (select count(*)::int from invoices where payment_id is not null) as invoices,
       (select max(split_part(invoice_number, '-', 2)::int) from invoices) as last_number,
       (select coalesce(sum(available), 0)::bigint from ledger_accounts
         where customer_id is not null) as available,
       (select count(*)::int from (
          select from ledger_trial_balance group by currency
          having sum(debits) <> sum(credits)) b) as unbalanced`,
  )
  say()
  say(
    `  answered ${least}; in the ledger ${found.payments} payments, ${found.invoices} invoices ` +
      `up to number ${found.last_number}, ${found.unbalanced} currencies out of balance`,
  )
  const payments = Number(found.payments)
  const isRight =
    found.others === 0 &&
    found.invoices === payments &&
    found.last_number === payments &&
    BigInt(String(found.available)) === BigInt(payments) * BigInt(amount_cents) &&
    found.unbalanced === 0
  if (!isRight || payments < least) throw new Error('The ledger does not agree')
}
