// The relying party of WebAuthn (Level 3), and its challenges: each is stored, bound to a session
// or to a cookie of the browser, valid for five minutes, and answered once.
import type { App } from '../../../app.ts'
import { hashSecret } from '../../../kit/random.ts'
import { pageOrigin, relyingPartyId } from '../../../origins.ts'
import { passkeyRefused, passkeysUnavailable } from '../faults.ts'
import { putChallenge, takeChallenge } from './passkeys.sql.ts'

/** The library is loaded at its first use, since it would take a tenth of the start. */
export const webAuthn = () => import('@simplewebauthn/server')

export const challenge_ms = 5 * 60_000

type RelyingParty = { id: string; name: string; origin: string }

/** Throws passkeysUnavailable where the pages are at an IP address. */
export function relyingParty({ settings }: Pick<App, 'settings'>): RelyingParty {
  const id = relyingPartyId(settings)
  if (id === null) throw passkeysUnavailable()
  return { id, name: 'Agent Registrar', origin: pageOrigin(settings) }
}

type Parts = Pick<App, 'db' | 'clock'>

export async function storeChallenge(
  { db, clock }: Parts,
  { bound_to, challenge }: { bound_to: string; challenge: string },
): Promise<void> {
  const expires_at = new Date(clock.now().getTime() + challenge_ms)
  await db.count(putChallenge, { binding: hashSecret(bound_to), challenge, expires_at })
}

/** Runs outside the transaction of the request, since a refused answer consumes it, too. */
export async function consumeChallenge({ db, clock }: Parts, bound_to: string): Promise<string> {
  const binding = hashSecret(bound_to)
  const row = await db.maybe(takeChallenge, { binding, now: clock.now() })
  if (!row?.is_open) throw passkeyRefused({ detail: 'The challenge is used, expired or absent.' })
  return row.challenge
}

/** The value that the library has verified; its errors are refusals, with the cause in the log. */
export async function verified<T extends { verified: boolean }>(
  verify: () => Promise<T>,
): Promise<T & { verified: true }> {
  try {
    const answer = await verify()
    if (isVerified(answer)) return answer
  } catch (cause) {
    throw passkeyRefused({ cause })
  }
  throw passkeyRefused()
}

function isVerified<T extends { verified: boolean }>(answer: T): answer is T & { verified: true } {
  return answer.verified
}
