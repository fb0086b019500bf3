// Whether somebody knows the password of an account. The same work and the same answer whether the
// account is there, closed, or without a password.
import type { App } from '../../../app.ts'
import type { Row } from '../../../db/statement.ts'
import { Overloaded } from '../../../kit/concurrency/semaphore.ts'
import { parseEmail } from '../../../kit/net/email.ts'
import { admit, giveBack, logInBuckets } from '../brute-force-limits.ts'
import {
  hashOf,
  isOutdated,
  isPassword,
  limitedByAddress,
  queuedByAccount,
  queuedByNetwork,
} from './hashing.ts'
import { accountOfEmail, notePlace, renewHash } from './passwords.sql.ts'

export type CheckParts = Pick<App, 'db' | 'clock'>
export type Tried = {
  email: string
  password: string
  /** As calls are counted by: an IPv4 address, or an IPv6 /64. */
  address: string
  /** A session of the account tries it, so its place is a known one. */
  signed_in?: boolean
}
export type Checked =
  | {
      kind: 'good'
      customer_id: string
      suspended: boolean
      /** When that password was set: a later change ends what this check is good for. */
      password_changed_at: Date
    }
  | { kind: 'wrong' }
  | { kind: 'limited'; retry_after_s: number }

const busy_s = 2

/**
 * Checks an e-mail address and a password shown from a network address. `wrong`: no such account, a
 * closed one, one without a password, or another password; each costs one hash and the same
 * statements. `limited`: too many failures, or too many checks under way; no password was looked
 * at. Failures are counted by account and network, by account, by network, and altogether, for all
 * nodes.
 */
export async function checkPassword(app: CheckParts, tried: Tried): Promise<Checked> {
  // What is no address is nobody's, and costs the same.
  const email = (parseEmail(tried.email) ?? tried.email).toLowerCase()
  const { address } = tried
  try {
    // A crowd from one network that is sent away costs the database nothing.
    return await limitedByAddress(address, async () => {
      const account = await app.db.maybe(accountOfEmail, [email, address])
      const is_known = account !== undefined && (account.is_usual || tried.signed_in === true)
      const work = () => check(app, { ...tried, email, is_known }, account)
      return is_known ? queuedByAccount(account.id, work) : queuedByNetwork(address, work)
    })
  } catch (error) {
    if (error instanceof Overloaded) return { kind: 'limited', retry_after_s: busy_s }
    throw error
  }
}

async function check(
  { db, clock }: CheckParts,
  tried: Tried & { is_known: boolean },
  account: Row<'sign_in_account_of_email'> | undefined,
): Promise<Checked> {
  const counted = logInBuckets(tried)
  // Counted before it is looked at: else many at once would all be within the limit.
  const { wait_s, taken } = await admit(db, counted)
  if (wait_s > 0) return { kind: 'limited', retry_after_s: Math.ceil(wait_s) }
  const good = await isPassword(tried.password, account?.hash ?? null)
  if (!good || !account?.hash || !account.changed_at) return { kind: 'wrong' }
  await giveBack(db, taken, counted.forgiven)
  await db.count(notePlace, [account.id, tried.address, clock.now()])
  if (isOutdated(account.hash)) {
    const renewed = await hashOf(tried.password)
    await db.count(renewHash, [account.id, account.hash, renewed])
  }
  return {
    kind: 'good',
    customer_id: account.id,
    suspended: account.suspended,
    password_changed_at: account.changed_at,
  }
}
