// Whether somebody knows the password of an account. The same work and the same answer whether the
// account is there, closed, or without a password.
import type { App } from '../../app.ts'
import { type Bucket, giveBack, logInBuckets, take } from './guesses.ts'
import { hashOf, isOutdated, isPassword } from './hashing.ts'
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
 * `limited`: too many failures, or too many checks under way; nothing was looked at. Failures are
 * counted by account and address, by account, by address, and altogether, for all nodes.
 */
export async function checkPassword(app: CheckParts, tried: Tried): Promise<Checked> {
  const { db, clock } = app
  const email = tried.email.toLowerCase()
  const account = await db.maybe(accountOfEmail, [email, tried.address])
  const is_usual = account?.is_usual ?? false
  const buckets = logInBuckets({ email, address: tried.address, is_usual })
  const taken = [buckets.pair, ...buckets.shared]
  // Counted before it is looked at: else many at once would all be within the limit.
  const wait_s = await take(db, taken)
  if (wait_s > 0) return { kind: 'limited', retry_after_s: Math.ceil(wait_s) }
  const stored = account?.hash ?? null
  const good = await hashed(app, { tried, stored, taken })
  if (good === 'busy') return { kind: 'limited', retry_after_s: busy_s }
  if (!good || !account?.hash || !account.changed_at) return { kind: 'wrong' }
  await giveBack(db, buckets.shared, [buckets.pair])
  await db.count(notePlace, [account.id, tried.address, clock.now()])
  if (isOutdated(account.hash)) await renew(app, { id: account.id, old: account.hash, tried })
  return {
    kind: 'good',
    customer_id: account.id,
    suspended: account.suspended,
    password_changed_at: account.changed_at,
  }
}

type Hashed = { tried: Tried; stored: string | null; taken: readonly Bucket[] }

async function hashed({ db }: CheckParts, { tried, stored, taken }: Hashed) {
  try {
    return await isPassword(tried.password, stored)
  } catch (error) {
    if (!(error instanceof NoTurn)) throw error
    await giveBack(db, taken)
    return 'busy'
  }
}

/** By the costs of today. When there is no turn for it, the next log-in does it. */
async function renew(
  { db }: CheckParts,
  { id, old, tried }: { id: string; old: string; tried: Tried },
): Promise<void> {
  try {
    await db.count(renewHash, [id, old, await hashOf(tried.password)])
  } catch (error) {
    if (!(error instanceof NoTurn)) throw error
  }
}
