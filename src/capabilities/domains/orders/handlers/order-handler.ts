// What differs between the four things that are sold: how each is sent, read back, and written
// into the holding. The money's way (purchase.ts) is one.

import type {
  Outcome,
  Attempt as PortAttempt,
  Registry,
  RegistryDomain,
} from '../../../../adapters/registry/port.ts'
import type { App } from '../../../../app.ts'
import { sendWithinLease } from '../../registry-lease.ts'
import type { Attempt } from '../order.ts'
import type { HoldingFacts } from '../order-batcher.ts'
import type { Bought, ReadVerdict, Why } from '../reconcile/reconcile.ts'
import type { Circumstances, Term } from '../reconcile/term-verification.ts'

export const saleTypes = ['register', 'renew', 'transfer', 'restore'] as const
export type SaleType = (typeof saleTypes)[number]

/** The registry of a TLD, as app.registries gives it. */
export type Registrar = { registry: Registry }

/** An order as this process works on it, whether it was just placed or found open. */
export type OpenOrder = {
  id: string
  type: SaleType
  customer_id: string
  domain: string
  currency: string
  /** As it was decided; each sale parses its own. */
  command: unknown
  attempts: number
  /** Of all authorization information that was sent; grows with each further one. */
  fingerprints: string[]
  first_sent_at: Date
  /** When the latest attempt that got no answer had ended; null: each was answered. */
  unanswered_at: Date | null
  created_at: Date
  /** Encrypted authorization information of a transfer, until it is no longer needed. */
  sealed: string | null
  lease_token: string
  /** By app.monotonic_ms: no attempt begins to send later, so that it ends within its lease. */
  send_by_ms: number
}

export type Known = { term: Term; found?: RegistryDomain | undefined }
export type Sending = { order: OpenOrder; attempt: Attempt; registrar: Registrar }
export type Looking = { order: OpenOrder; registrar: Registrar; why: Why }
export type Seen = { verdict: ReadVerdict; found?: RegistryDomain }

export type Sale = {
  type: SaleType
  /** The operation that the audit rows are about. */
  action: string
  /** "Registration of a.com, 2 years", for the ledger. */
  title(order: Pick<OpenOrder, 'domain' | 'command'>): string
  /** What did not happen, in the past tense. */
  undone: string
  /** One sending. What it needs first, when refused, counts as its own outcome. */
  send(app: App, sending: Sending): Promise<Outcome<Bought>>
  /** What the registry shows, judged. */
  look(app: App, looking: Looking): Promise<Seen>
  /** What the capture makes of the term, or why these dates cannot be what was bought. */
  term(order: OpenOrder, bought: Bought, circumstances: Circumstances): Term
  /** What becomes true of the holding. */
  holding(order: OpenOrder, bought: Bought, known: Known): HoldingFacts
}

/**
 * Sends one command of an attempt, with its crash points and the rule of its lease. A refusal of
 * which nothing had left (a price that has risen since, say) is no word about an earlier attempt,
 * which may still be done.
 */
export async function sendAttempt<T>(
  app: App,
  { order, attempt }: Sending,
  send: (attempt: PortAttempt) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  let left = false
  const outcome = await sendWithinLease(app, order.send_by_ms, (at) =>
    send({
      cl_trid: attempt.cl_trid,
      priority: 'purchase',
      at(step) {
        left = true
        at(step)
      },
      half_frames: app.settings.crash_at === 'half_frame_written',
    }),
  )
  return left ? outcome : unmet(outcome, attempt)
}

/**
 * A refused requirement ends a first attempt: nothing was done. Later it says nothing about what an
 * earlier attempt did or may still do, so the order waits.
 */
function unmet<T>(outcome: Outcome<T>, attempt: Attempt): Outcome<T> {
  if (outcome.kind !== 'refused' || attempt.number === 1) return outcome
  return { kind: 'unknown', cause: 'server_failed', message: outcome.message }
}

/**
 * What was bought with the registry's facts after it, so that the answer shows what a later read
 * does. A registry that does not tell them now leaves it as it was.
 */
export async function withFacts(
  { order, registrar: { registry } }: Sending,
  outcome: Outcome<Bought>,
): Promise<Outcome<Bought>> {
  if (outcome.kind !== 'done' || outcome.value.found) return outcome
  const read = await registry.read(order.domain, 'purchase')
  if (read.kind !== 'done' || read.value.sponsor !== registry.profile.client_id) return outcome
  return { ...outcome, value: { ...outcome.value, found: read.value } }
}

/** "1 year", "3 years". */
export function yearsText(years: number): string {
  return `${years} ${years === 1 ? 'year' : 'years'}`
}

/** The dates of a holding after a capture. Fences compare them by the millisecond. */
export function termFacts({ paid_until, years, registry_expiry }: Term) {
  return {
    expires_at: paid_until.toISOString(),
    paid_years: years,
    registry_expiry: registry_expiry.toISOString(),
  }
}

/** The facts that a reading, if there was one, shows of what was bought. */
export function shownFacts(found: RegistryDomain | undefined) {
  return {
    epp_statuses: found?.epp_statuses ?? [],
    rgp_statuses: found?.rgp_statuses ?? [],
    locked: found?.epp_statuses.includes('clientTransferProhibited') ?? false,
  }
}

/** Results of attempts of which nothing left, or that the registry clearly said it did not do. */
export const undoneCodes = [
  'not_sent',
  'unreachable',
  'registry_credit',
  'authentication',
  'session_limit',
]

/** Whether the same may be sent again even where nothing fences it. */
export function certainlyUndone(errorCode: string | null): boolean {
  return errorCode !== null && undoneCodes.includes(errorCode)
}
