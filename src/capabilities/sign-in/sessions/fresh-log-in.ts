// Fresh authentication: changes of credentials need a log-in that is recent, by password or
// passkey.
import type { App, Call, Caller } from '../../../app.ts'
import { sessionRequired } from '../../account/index.ts'
import { freshLogInNeeded } from '../faults.ts'

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
