// Fresh authentication: changes of credentials need a log-in that is recent, by password, passkey
// or identity provider, and leave a way to log in.
import type { App, Call, Caller } from '../../../app.ts'
import { lockCustomer, sessionRequired } from '../../account/index.ts'
import { freshLogInNeeded, lastLogIn } from '../faults.ts'
import { canLogIn } from './sessions.sql.ts'

const fresh_ms = 10 * 60_000
type Owner = Extract<Caller, { kind: 'customer' }>

export function isFreshLogIn({ clock }: Pick<App, 'clock'>, { signed_in_at }: Owner): boolean {
  return clock.now().getTime() - signed_in_at.getTime() <= fresh_ms
}

/** The caller. Throws freshLogInNeeded. */
export function requireFreshLogIn(app: Pick<App, 'clock'>, { caller }: Call): Owner {
  if (caller.kind !== 'customer') throw sessionRequired()
  if (!isFreshLogIn(app, caller)) throw freshLogInNeeded()
  return caller
}

/**
 * Runs `remove` in the call's transaction, in which removals of one account are serialised: two at
 * once would each find the other's credential left. Throws lastLogIn.
 */
export async function removingCredential<T>(
  { sql, customer_id }: Call,
  remove: () => Promise<T>,
): Promise<T> {
  await lockCustomer(sql, customer_id)
  const removed = await remove()
  if (!(await sql.one(canLogIn, { customer_id })).there) throw lastLogIn()
  return removed
}
