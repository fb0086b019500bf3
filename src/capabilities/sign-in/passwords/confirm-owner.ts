// Re-authentication: a change of the ways to log in needs the current password, or a recent log-in.
import type { App, Call, Caller } from '../../../app.ts'
import { take } from '../../../rate-limits/leaky-buckets.ts'
import { isFreshLogIn } from '../../account/index.ts'
import { changeBuckets } from '../brute-force-limits.ts'
import { passwordNeeded, tooManyTries, wrongPassword } from '../faults.ts'
import { checkPassword } from './check-password.ts'

type Showing = {
  caller: Extract<Caller, { kind: 'customer' }>
  given: { email: string; password: string } | null
}

/**
 * Throws unless the current password is right, or the log-in is recent. Counted before anything is
 * hashed, right or wrong: one account could otherwise keep the hashing queue full.
 */
export async function confirmOwner(
  app: App,
  call: Call,
  { caller, given }: Showing,
): Promise<void> {
  if (given === null && !isFreshLogIn(app, caller)) throw passwordNeeded()
  const wait_s = await take(app.db, changeBuckets(call.customer_id))
  if (wait_s > 0) throw tooManyTries({ retry_after_s: wait_s })
  if (given === null) return
  const checked = await checkPassword(app, { ...given, address: call.address, signed_in: true })
  if (checked.kind === 'limited') throw tooManyTries({ retry_after_s: checked.retry_after_s })
  if (checked.kind === 'wrong') throw wrongPassword()
}
