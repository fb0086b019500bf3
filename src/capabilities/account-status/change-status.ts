// The status of an account (decision 63): active, suspended or closed. A change takes effect on
// every node at once, and its audit row and mail are in its transaction.

import type { App } from '../../app.ts'
import type { Sql } from '../../db/database.ts'
import { formatAmount } from '../../kit/money.ts'
import type { CustomerId } from '../../kit/random.ts'
import { type Customer, customerAbsent, customerById } from '../account/index.ts'
import { notifyAccessRevoked, revokeAllKeys } from '../api-keys/index.ts'
import { customerMail, type EmailMessage } from '../mail/index.ts'
import { endSessions } from '../sign-in/index.ts'
import { lockWholeCustomer, putStatus, readContents, readMoney } from './account-status.sql.ts'
import { accountNotEmpty } from './faults.ts'

type StatusParts = Pick<App, 'clock' | 'authentications' | 'settings'>
type Change = { id: CustomerId; status: Customer['status']; email: (at: Date) => EmailMessage }

/** Locks the account. Throws customerAbsent. */
export async function lockStatus(sql: Sql, id: CustomerId): Promise<string> {
  const row = await sql.maybe(lockWholeCustomer, { id })
  if (!row) throw customerAbsent()
  return row.status
}

/** Call it after `lockStatus`, in the same transaction. */
export async function changeStatus(
  { clock, authentications }: StatusParts,
  sql: Sql,
  { id, status, email }: Change,
): Promise<Customer> {
  const now = clock.now()
  await sql.count(putStatus, { id, status, now })
  authentications.invalidate()
  await notifyAccessRevoked(sql, id)
  await customerMail(sql, id, email(now))
  const customer = await customerById(sql, id)
  if (!customer) throw customerAbsent()
  return customer
}

/** Ends every session and key; a trigger of the database ends the consents of apps. */
export async function endAccess(
  app: StatusParts,
  sql: Sql,
  customer_id: CustomerId,
): Promise<void> {
  await endSessions(app, sql, { customer_id, but: null })
  await revokeAllKeys(sql, { customer_id, revoked_at: app.clock.now() })
}

/**
 * A closed account has no domain, no money, no debt and nothing in progress, so nothing is lost
 * with it. Throws accountNotEmpty, which names what is left.
 */
export async function requireEmpty(sql: Sql, id: CustomerId): Promise<void> {
  const contents = await sql.one(readContents, { id })
  const money = await sql.run(readMoney, { id })
  const counts = Object.entries(contents).map(([name, count]) => [name, Number(count)] as const)
  if (money.length === 0 && counts.every(([, count]) => count === 0)) return
  const balances = money.map(({ currency, available, held, owed, reserved }) => ({
    currency,
    available: formatAmount(available),
    held: formatAmount(held),
    owed: formatAmount(owed),
    reserved: formatAmount(reserved),
  }))
  throw accountNotEmpty({ facts: { contents: { ...Object.fromEntries(counts), balances } } })
}
