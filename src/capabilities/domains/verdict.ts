// What an answer of a registry means for an order's money. Pure: the rules of every release and
// every capture.
import type { Outcome, Refusal, RegistryDomain } from '../../outside/registry/port.ts'
import { fingerprintOf } from './order.ts'

/** What a capture needs to know of what was bought. */
export type Bought = { expires_at: string; created_at: string }
export type Verdict =
  | { do: 'capture'; bought: Bought }
  | { do: 'release'; code: ReleaseCode; detail: string }
  /** Ask the registry what is there, then judge that. */
  | { do: 'read'; refused: Refused | null }
  | { do: 'wait'; state: 'accepted' | 'unknown'; code: string; detail: string; alarm: boolean }
  /** A person decides; the hold stays. */
  | { do: 'park'; detail: string }
/** What a read leads to: never to another read. */
export type ReadVerdict = Exclude<Verdict, { do: 'read' }>
export type ReleaseCode = 'domain_taken' | 'price_changed' | 'registry_refused'
export type Refused = { reason: Refusal; message: string }

/** Causes that only the operators can end: they ring at once. */
const alarming = ['registry_credit', 'authentication'] as const

/**
 * A first attempt that is refused did nothing. After an earlier attempt, a refusal may be the
 * registry's word about what that one did (2302 most of all), so what is there is read before any
 * money moves.
 */
export function judgeAnswer(outcome: Outcome<Bought>, attempt: number): Verdict {
  switch (outcome.kind) {
    case 'done':
      return { do: 'capture', bought: outcome.value }
    case 'accepted':
      return waiting('accepted', 'accepted', 'The registry took the order on and will tell.')
    case 'refused': {
      const refused = { reason: outcome.reason, message: outcome.message }
      return attempt === 1 ? release(refused) : { do: 'read', refused }
    }
    case 'unknown': {
      const alarm = alarming.some((cause) => cause === outcome.cause)
      return { ...waiting('unknown', outcome.cause, outcome.message), alarm }
    }
  }
}

/**
 * What the registry shows after a refusal that an earlier attempt may explain, or of an accepted
 * order (refused null).
 */
export function judgeRead(
  read: Outcome<RegistryDomain>,
  order: { sponsor: string; first_sent_at: Date; fingerprints: string[] },
  refused: Refused | null,
): ReadVerdict {
  switch (read.kind) {
    case 'done':
      return judgeFound(read.value, order, refused)
    case 'refused':
      return judgeNotFound(read, refused)
    case 'accepted':
      return { do: 'park', detail: 'The registry answered a read with "action pending".' }
    case 'unknown':
      return waiting(refused ? 'unknown' : 'accepted', read.cause, read.message)
  }
}

function judgeFound(
  found: RegistryDomain,
  order: { sponsor: string; first_sent_at: Date; fingerprints: string[] },
  refused: Refused | null,
): ReadVerdict {
  if (found.sponsor !== order.sponsor) return release(theirs)
  if (found.epp_statuses.includes('pendingCreate'))
    return waiting('accepted', 'pending_create', 'The registry has not decided yet.')
  const fingerprint = found.auth_info ? fingerprintOf(found.auth_info) : null
  const bought = { expires_at: found.expires_at, created_at: found.created_at }
  if (fingerprint !== null && order.fingerprints.includes(fingerprint))
    return { do: 'capture', bought }
  const skewMs = 5 * 60_000
  const older = Date.parse(found.created_at) < order.first_sent_at.getTime() - skewMs
  if (older) return release(refused ?? theirs)
  if (fingerprint === null) return { do: 'capture', bought }
  return {
    do: 'park',
    detail: 'The domain is ours and new, but no attempt of this order explains it.',
  }
}

const theirs: Refused = { reason: 'exists', message: 'Somebody else holds the domain.' }

function judgeNotFound(
  read: Extract<Outcome<RegistryDomain>, { kind: 'refused' }>,
  refused: Refused | null,
): ReadVerdict {
  if (read.reason === 'not_ours') return release(theirs)
  if (read.reason !== 'absent')
    return waiting('unknown', 'read_refused', `Reading it back was refused: ${read.message}`)
  if (!refused) return release({ reason: 'policy', message: 'The registry declined the order.' })
  // "Exists" and "does not exist" within a moment: one of them is about to change.
  if (refused.reason === 'exists') return waiting('unknown', 'contradiction', refused.message)
  return release(refused)
}

function waiting(
  state: 'accepted' | 'unknown',
  code: string,
  detail: string,
): Extract<Verdict, { do: 'wait' }> {
  return { do: 'wait', state, code, detail, alarm: false }
}

function release({ reason, message }: Refused): Extract<Verdict, { do: 'release' }> {
  const code: ReleaseCode =
    reason === 'exists'
      ? 'domain_taken'
      : reason === 'fee_mismatch' || reason === 'fee_required'
        ? 'price_changed'
        : 'registry_refused'
  return { do: 'release', code, detail: message }
}
