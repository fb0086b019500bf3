// Sets a password, on every path: ends the other sessions and mailed links (also those that would
// change the e-mail address), and notifies the owner.
// API keys stay valid (decision 22). OAuth access ends by a trigger on the table.

import type { App } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { Overloaded } from '../../../kit/concurrency/semaphore.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { customerMail } from '../../mail/index.ts'
import { endEmailChanges } from '../email-changes/email-changes.sql.ts'
import { changedEmail } from '../emails.ts'
import { signInBusy } from '../faults.ts'
import { notePlace, putPassword } from '../passwords/passwords.sql.ts'
import { endSessions } from '../sessions/sessions.ts'
import { endLinks } from './links.sql.ts'

type NewPassword = {
  customer_id: CustomerId
  hash: string
  /** The session that stays, if there is one. */
  but: bigint | null
}

/** Runs in a transaction. Returns when it was set, and how many sessions it ended. */
export async function setPassword(
  app: App,
  sql: Sql,
  { customer_id, hash, but }: NewPassword,
): Promise<{ changed_at: string; sessions_ended: number }> {
  const at = app.clock.now()
  // The password first: a session that begins meanwhile holds its row, and is then seen below.
  await sql.count(putPassword, { customer_id, hash, changed_at: at })
  const sessions_ended = await endSessions(app, sql, { customer_id, but })
  await sql.count(endLinks, { customer_id, now: at, kind: null })
  await sql.count(endEmailChanges, { customer_id, now: at })
  const { base_url, site_url } = app.settings
  await customerMail(sql, customer_id, changedEmail({ customer_id, at, base_url, site_url }))
  return { changed_at: at.toISOString(), sessions_ended }
}

/**
 * The hash of a password that passwordProblem accepts, made in the account's queue. Throws
 * signInBusy.
 */
export async function hashPassword(
  { passwordHasher }: Pick<App, 'passwordHasher'>,
  { password, account }: { password: string; account: string },
): Promise<string> {
  try {
    return await passwordHasher.queuedByAccount(account, () => passwordHasher.hash(password))
  } catch (error) {
    throw error instanceof Overloaded ? signInBusy({ retry_after_s: 2 }) : error
  }
}

/**
 * Like hashPassword, for an anonymous caller: in the queue of its network, and within the limits of
 * its address.
 */
export async function hashForNetwork(
  { passwordHasher }: Pick<App, 'passwordHasher'>,
  { password, address }: { password: string; address: string },
): Promise<string> {
  const work = () => passwordHasher.hash(password)
  try {
    return await passwordHasher.limitedByAddress(address, () =>
      passwordHasher.queuedByNetwork(address, work),
    )
  } catch (error) {
    throw error instanceof Overloaded ? signInBusy({ retry_after_s: 2 }) : error
  }
}

type FirstPassword = { customer_id: CustomerId; hash: string; changed_at: Date; address: string }

/** The password of a new account, whose owner has just verified its address from this network. */
export async function putFirstPassword(
  sql: Sql,
  { customer_id, hash, changed_at, address }: FirstPassword,
): Promise<void> {
  await sql.count(putPassword, { customer_id, hash, changed_at })
  await sql.count(notePlace, { customer_id, address, last_at: changed_at })
}

/** The place where an owner without a password logs in first. */
export async function putKnownPlace(
  sql: Sql,
  place: { customer_id: CustomerId; address: string; last_at: Date },
): Promise<void> {
  await sql.count(notePlace, place)
}
