// Whether somebody knows the password of an account. The same work and the same answer whether the
// account is there, closed, or without a password.
import type { App } from '../../app.ts'
import { parseEmail } from '../../kit/email.ts'
import { giveBack, logInBuckets, take } from './guesses.ts'
import { hashOf, isOutdated, isPassword, passwordTurns } from './hashing.ts'
import { accountOfEmail, notePlace, renewHash } from './store.ts'
import { NoTurn } from './turns.ts'

export type CheckParts = Pick<App, 'db' | 'clock'>
export type Tried = { email: string; password: string; address: string }
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
 * closed one, one without a password, or another password; each costs one hash and two statements.
 * `limited`: too many failures, or too many checks under way; no password was looked at. Failures
 * are counted by account and address, by account, by address, and altogether, for all nodes.
 */
export async function checkPassword(app: CheckParts, tried: Tried): Promise<Checked> {
  // What is no address is nobody's, and costs the same.
  const email = (parseEmail(tried.email) ?? tried.email).toLowerCase()
  try {
    // The turn first: a crowd that is sent away costs the database nothing.
    return await passwordTurns.take(() => check(app, { ...tried, email }))
  } catch (error) {
    if (error instanceof NoTurn) return { kind: 'limited', retry_after_s: busy_s }
    throw error
  }
}

async function check({ db, clock }: CheckParts, tried: Tried): Promise<Checked> {
  const account = await db.maybe(accountOfEmail, [tried.email, tried.address])
  const buckets = logInBuckets({ ...tried, is_usual: account?.is_usual ?? false })
  // Counted before it is looked at: else many at once would all be within the limit.
  const wait_s = await take(db, [buckets.pair, ...buckets.shared])
  if (wait_s > 0) return { kind: 'limited', retry_after_s: Math.ceil(wait_s) }
  const good = await isPassword(tried.password, account?.hash ?? null)
  if (!good || !account?.hash || !account.changed_at) return { kind: 'wrong' }
  await giveBack(db, buckets.shared, [buckets.pair])
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
