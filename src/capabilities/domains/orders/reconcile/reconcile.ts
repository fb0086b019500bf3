// Reconciliation: the effect of a registry's answer on an order's money. These are the rules of
// every release and every capture, first for all kinds of orders, then for a registration. Pure.
import type { Outcome, Refusal, RegistryDomain } from '../../../../adapters/registry/port.ts'
import { fingerprintOf } from '../../../../kit/random.ts'
import { isSince } from '../../registry-dates.ts'

/** The facts of the purchase that a capture needs: the domain's dates after it. */
export type Purchased = {
  expires_at: string
  created_at: string | null
  /** The outcome of a transfer by the registry's record (RFC 5731 trnData). */
  transfer_expires_at?: string | null
  /** The domain at the registry after it, if that was read. */
  found?: RegistryDomain
}
export type Decision =
  | { do: 'capture'; purchased: Purchased }
  | { do: 'release'; code: ReleaseCode; detail: string }
  /** The registry is read, and the reading is reconciled. */
  | { do: 'read'; refused: Refused }
  | { do: 'wait'; state: 'accepted' | 'unknown'; code: string; detail: string; alarm: boolean }
  /** An operator decides, and the hold stays. */
  | { do: 'park'; detail: string }
  /** The registry shows no effect of an earlier attempt, so the same may be sent again. */
  | { do: 'send' }
/** The decision after a read, which is never another read. */
export type ReadDecision = Exclude<Decision, { do: 'read' }>
export type ReleaseCode =
  | 'domain_taken'
  | 'price_changed'
  | 'expiry_changed'
  | 'registry_refused'
  | 'auth_code_wrong'
  | 'transfer_refused'
  | 'transfer_rejected'
  | 'transfer_cancelled'
export type Refused = { reason: Refusal; message: string }
/**
 * Why the registry is read: a re-send was refused, which an earlier attempt may explain; the
 * registry had accepted the order; or an attempt's outcome is unknown and it must not be sent
 * blindly again.
 */
export type ReadReason =
  | { after: 'refusal'; refused: Refused }
  | { after: 'acceptance' }
  | { after: 'silence' }

/**
 * The registry has answered "done" with dates that do not fit the purchase, and was read once more.
 * Only a reading that fits ends the order: it is not sent again, and nothing is released.
 */
export function reconcileReadBack(seen: ReadDecision, mismatch: string): ReadDecision {
  switch (seen.do) {
    case 'capture':
      return seen
    case 'wait': {
      const detail = `${mismatch} ${seen.detail}`
      return { ...waiting('accepted', unverified, detail), alarm: true }
    }
    case 'park':
    case 'release':
      return { do: 'park', detail: `${mismatch} ${seen.detail}` }
    case 'send':
      return { do: 'park', detail: `${mismatch} It shows nothing of it.` }
  }
}

/** The code of an order that was answered "done", and that no reading has shown to be so yet. */
export const unverified = 'term_unverified'

/** Causes that only operators can end: they raise an alarm at once. */
const alarming = ['registry_credit', 'authentication'] as const

/**
 * A first attempt that is refused did nothing. After an earlier attempt, a refusal may be caused by
 * the effect of that one (2302, 2004 and 2300 most of all), so the registry is read before any
 * money moves.
 */
export function reconcileAnswer(outcome: Outcome<Purchased>, attempt: number): Decision {
  switch (outcome.kind) {
    case 'done':
      return { do: 'capture', purchased: outcome.value }
    case 'accepted':
      return waiting(
        'accepted',
        'accepted',
        'The registry accepted the order and has not finished it yet.',
      )
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

/** The order as reconciliation needs it. */
export type ReconciledOrder = { sponsor: string; first_sent_at: Date; fingerprints: string[] }

/** `held` is whether a holding explains the domain, so that another order of ours bought it. */
export type ReconciledRegistration = ReconciledOrder & { held: boolean }

/** Reconciles a registration with the reading of the domain. */
export function reconcileRegistration(
  read: Outcome<RegistryDomain>,
  order: ReconciledRegistration,
  why: ReadReason,
): ReadDecision {
  return decideByRead(read, why, {
    found: (domain) => reconcileFound(domain, order, why),
    not_ours: () => release(theirs),
    absent: () => reconcileNotFound(why),
  })
}

/** Decides by the outcome of a read of the domain; without a usable answer, the order waits. */
export function decideByRead<D>(
  read: Outcome<RegistryDomain>,
  why: ReadReason,
  decide: { found: (domain: RegistryDomain) => D; not_ours: () => D; absent: () => D },
): D | ReadDecision {
  if (read.kind === 'done') return decide.found(read.value)
  if (read.kind !== 'refused') return unread(read, why)
  if (read.reason === 'absent') return decide.absent()
  if (read.reason === 'not_ours') return decide.not_ours()
  return waiting(stillOpen(why), 'read_refused', `Reading it back was refused: ${read.message}`)
}

/** Whether a date of the registry is from this order's time. */
export function isOfThisOrder(at: string, order: Pick<ReconciledOrder, 'first_sent_at'>): boolean {
  return isSince(new Date(at), order.first_sent_at)
}

function reconcileFound(
  found: RegistryDomain,
  order: ReconciledRegistration,
  why: ReadReason,
): ReadDecision {
  if (found.sponsor !== order.sponsor) return release(theirs)
  if (found.epp_statuses.includes('pendingCreate'))
    return waiting('accepted', 'pending_create', 'The registry has not decided yet.')
  const fingerprint = found.auth_info ? fingerprintOf(found.auth_info) : null
  const purchased = { expires_at: found.expires_at, created_at: found.created_at }
  if (fingerprint !== null && order.fingerprints.includes(fingerprint))
    return { do: 'capture', purchased }
  if (order.held) return release(why.after === 'refusal' ? why.refused : theirs)
  // Two clocks may differ by more than assumed: a domain of ours without a customer is not
  // released.
  if (!isOfThisOrder(found.created_at, order))
    return {
      do: 'park',
      detail: 'The domain is ours, but older than this order, and no customer holds it.',
    }
  if (fingerprint === null) return { do: 'capture', purchased }
  return {
    do: 'park',
    detail: 'The domain is ours and new, but no attempt of this order explains it.',
  }
}

const theirs: Refused = { reason: 'exists', message: 'Another registrar holds the domain.' }

function reconcileNotFound(why: ReadReason): ReadDecision {
  switch (why.after) {
    case 'acceptance':
      return release({ reason: 'policy', message: 'The registry declined the order.' })
    case 'silence':
      return { do: 'send' }
    case 'refusal':
      // After "exists" and "does not exist" within a moment, one of them is about to change.
      return why.refused.reason === 'exists'
        ? waiting('unknown', 'contradiction', why.refused.message)
        : release(why.refused)
  }
}

/**
 * Decides after a read without an answer, which shows nothing new. Its cause is reported as the
 * read's, because a sending with that cause would certainly have done nothing.
 */
export function unread(
  read: Extract<Outcome<unknown>, { kind: 'accepted' | 'unknown' }>,
  why: ReadReason,
): ReadDecision {
  if (read.kind === 'accepted')
    return { do: 'park', detail: 'The registry answered a read with "action pending".' }
  return waiting(stillOpen(why), `read_${read.cause}`, read.message)
}

/**
 * Decides about a domain of ours that the registry does not know. The order is released only if it
 * says so twice, to the command and to the reading. Otherwise an earlier attempt may be paid, and
 * an operator decides.
 */
export function decideAbsent(why: ReadReason): ReadDecision {
  if (why.after === 'refusal' && why.refused.reason === 'absent') return release(why.refused)
  return { do: 'park', detail: 'The registry says that the domain does not exist.' }
}

/** A domain of ours that another registrar sponsors: an operator decides. */
export const heldElsewhere: ReadDecision = {
  do: 'park',
  detail: 'Another registrar holds the domain now.',
}

/** An accepted order is never sent again, whatever a reading shows. */
export function stillOpen(why: ReadReason): 'accepted' | 'unknown' {
  return why.after === 'acceptance' ? 'accepted' : 'unknown'
}

export function waiting(
  state: 'accepted' | 'unknown',
  code: string,
  detail: string,
): Extract<Decision, { do: 'wait' }> {
  return { do: 'wait', state, code, detail, alarm: false }
}

const releaseCodes: Partial<Record<Refusal, ReleaseCode>> = {
  exists: 'domain_taken',
  fee_mismatch: 'price_changed',
  fee_required: 'price_changed',
  expiry_mismatch: 'expiry_changed',
  bad_auth_code: 'auth_code_wrong',
  pending_transfer: 'transfer_refused',
}

export function release({ reason, message }: Refused): Extract<Decision, { do: 'release' }> {
  return { do: 'release', code: releaseCodes[reason] ?? 'registry_refused', detail: message }
}
