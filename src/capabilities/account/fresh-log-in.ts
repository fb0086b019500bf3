// Fresh authentication (decision 48): operations that hand out a credential, or change a way to log
// in, need a log-in of the last ten minutes, by password, passkey or identity provider.
import type { App, Call, Caller } from '../../app.ts'
import { freshLogInNeeded, sessionRequired } from './faults.ts'

const fresh_ms = 10 * 60_000
type Owner = Extract<Caller, { kind: 'customer' }>

export function isFreshLogIn({ clock }: Pick<App, 'clock'>, { signed_in_at }: Owner): boolean {
  return clock.now().getTime() - signed_in_at.getTime() <= fresh_ms
}

/** Returns the caller. Throws sessionRequired and freshLogInNeeded. */
export function requireFreshLogIn(app: Pick<App, 'clock'>, { caller }: Call): Owner {
  if (caller.kind !== 'customer') throw sessionRequired()
  if (!isFreshLogIn(app, caller)) throw freshLogInNeeded()
  return caller
}

/**
 * For operations that keys and apps call, too. They act within the rights that their owner gave
 * them; only a session may have been found open by somebody else. Throws freshLogInNeeded.
 */
export function requireFreshSession(app: Pick<App, 'clock'>, call: Call): void {
  if (call.caller.kind === 'customer') requireFreshLogIn(app, call)
}
