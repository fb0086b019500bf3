// Sending: one attempt of an order at the registry, with its crash points and its lease, and what
// the order handlers share about its result.
import type {
  Outcome,
  Attempt as PortAttempt,
  RegistryDomain,
} from '../../../../adapters/registry/port.ts'
import type { App } from '../../../../app.ts'
import { sendWithinLease } from '../../registry-lease.ts'
import type { Attempt } from '../order.ts'
import type { Purchased } from '../reconcile/reconcile.ts'
import type { Term } from '../reconcile/term-verification.ts'
import type { CaptureFacts, Sending } from './order-handler.ts'

/**
 * Sends one command of an attempt, with its crash points and the rule of its lease. A refusal of
 * which nothing had left (a price that has risen since, say) says nothing about an earlier attempt,
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
  return left ? outcome : undecided(outcome, attempt)
}

/**
 * A refused requirement ends a first attempt: nothing was done. Later it says nothing about what an
 * earlier attempt did or may still do, so the order waits.
 */
function undecided<T>(outcome: Outcome<T>, attempt: Attempt): Outcome<T> {
  if (outcome.kind !== 'refused' || attempt.number === 1) return outcome
  return { kind: 'unknown', cause: 'server_failed', message: outcome.message }
}

/**
 * Adds the registry's facts after the command, so that the answer shows what a later read shows. A
 * read that fails leaves the outcome as it was.
 */
export async function withFacts(
  { order, registrar: { registry } }: Sending,
  outcome: Outcome<Purchased>,
): Promise<Outcome<Purchased>> {
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

/** Facts of an existing holding after a renewal or a restore. */
export function extendedHolding(
  order: Sending['order'],
  { created_at }: Purchased,
  { term, found }: CaptureFacts,
) {
  return {
    ...termFacts(term),
    registered_at: created_at ?? order.first_sent_at.toISOString(),
    nameservers: found?.nameservers ?? [],
    contacts: {},
    sync_at: order.first_sent_at.toISOString(),
    wanted_nameservers: null,
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
