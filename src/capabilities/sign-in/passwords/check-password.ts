// Password verification without an oracle: the same work and the same result whether the account
// exists, is closed, or has no password.

import type { App } from '../../../app.ts'
import type { Row } from '../../../db/statement.ts'
import { Overloaded } from '../../../kit/concurrency/semaphore.ts'
import { parseEmail } from '../../../kit/net/email.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { admit, giveBack } from '../../../rate-limits/leaky-buckets.ts'
import { logInBuckets } from '../brute-force-limits.ts'
import { accountOfEmail, notePlace, renewHash } from './passwords.sql.ts'

export type CheckParts = Pick<App, 'db' | 'clock' | 'passwordHasher'>
export type Tried = {
  email: string
  password: string
  /** The network that calls are counted by: an IPv4 address, or an IPv6 /64. */
  address: string
  /** Whether the attempt comes from a session of the account, so that its place is known. */
  signed_in?: boolean
}
export type Checked =
  | {
      kind: 'good'
      customer_id: CustomerId
      suspended: boolean
      /** When that password was set: a later change invalidates this check. */
      password_changed_at: Date
    }
  | { kind: 'wrong' }
  | { kind: 'limited'; retry_after_s: number }

const busy_s = 2

/**
 * Checks an email address and a password, sent from a network address. It is `wrong` if there is no
 * such account, if it is closed or has no password, or if the password is another; each costs one
 * hash and the same statements. It is `limited` after too many failures, or during too many checks;
 * the password was not checked then. Failures are counted by account and network, by account, by
 * network, and in total, over all nodes.
 */
export async function checkPassword(app: CheckParts, tried: Tried): Promise<Checked> {
  // Malformed addresses match no account, and cost the same.
  const email = (parseEmail(tried.email) ?? tried.email).toLowerCase()
  const { address } = tried
  const { db, passwordHasher } = app
  try {
    // Requests beyond a network's limit are refused before the database is asked.
    return await passwordHasher.limitedByAddress(address, async () => {
      const account = await db.maybe(accountOfEmail, { email, address })
      const is_known = account !== undefined && (account.is_usual || tried.signed_in === true)
      const work = () => check(app, { ...tried, email, is_known }, account)
      return is_known
        ? passwordHasher.queuedByAccount(account.id, work)
        : passwordHasher.queuedByNetwork(address, work)
    })
  } catch (error) {
    if (error instanceof Overloaded) return { kind: 'limited', retry_after_s: busy_s }
    throw error
  }
}

async function check(
  { db, clock, passwordHasher }: CheckParts,
  tried: Tried & { is_known: boolean },
  account: Row<'sign_in_account_of_email'> | undefined,
): Promise<Checked> {
  const counted = logInBuckets(tried)
  // Counted before the check: concurrent attempts would all be within the limit otherwise.
  const { wait_s, taken } = await admit(db, counted)
  if (wait_s > 0) return { kind: 'limited', retry_after_s: Math.ceil(wait_s) }
  const good = await passwordHasher.verify(tried.password, account?.hash ?? null)
  if (!good || !account?.hash || !account.changed_at) return { kind: 'wrong' }
  await giveBack(db, taken, counted.forgiven)
  await db.count(notePlace, {
    customer_id: account.id,
    address: tried.address,
    last_at: clock.now(),
  })
  if (passwordHasher.isOutdated(account.hash)) {
    const renewed = await passwordHasher.hash(tried.password)
    await db.count(renewHash, {
      customer_id: account.id,
      old_hash: account.hash,
      new_hash: renewed,
    })
  }
  return {
    kind: 'good',
    customer_id: account.id,
    suspended: account.suspended,
    password_changed_at: account.changed_at,
  }
}
