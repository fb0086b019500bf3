// One attempt at a registry: its clTRID and authorization information, and its sending under the
// lease of its order.

import type { Outcome, Attempt as PortAttempt } from '../../../adapters/registry/port.ts'
import type { App } from '../../../app.ts'
import {
  type AuthInfoForm,
  fingerprintOf,
  newAuthInfo,
  type OrderId,
  randomBase62,
} from '../../../kit/random.ts'
import { sendWithinLease } from '../registry-lease.ts'
import type { Sending } from './handlers/order-handler.ts'
import type { Attempt } from './order.ts'
import type { Purchased } from './reconcile/reconcile.ts'

export function newAttempt(
  orderId: OrderId,
  number: number,
  form: AuthInfoForm = 'with_symbols',
): Attempt {
  const auth_info = newAuthInfo(form)
  return {
    number,
    cl_trid: `${orderId}-${number}-${randomBase62(8)}`,
    auth_info,
    fingerprint: fingerprintOf(auth_info),
  }
}

/**
 * Sends one command of an attempt, with its crash points and the rule of its lease. A refusal of
 * which no byte was sent (because of a risen price, for example) says nothing about an earlier
 * attempt, which may still be done.
 */
export async function sendAttempt<T>(
  app: App,
  { order, attempt }: Sending,
  send: (attempt: PortAttempt) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  let began = false
  const outcome = await sendWithinLease(app, order.send_by_ms, (at) =>
    send({
      cl_trid: attempt.cl_trid,
      priority: 'purchase',
      at(step) {
        began = true
        at(step)
      },
      half_frames: app.settings.crash_at === 'half_frame_written',
    }),
  )
  return began ? outcome : undecided(outcome, attempt)
}

type Undone = Exclude<Outcome<never>, { kind: 'done' }>

/**
 * A refusal before the command was sent ends a first attempt: nothing was done. Later it says
 * nothing about what an earlier attempt did or may still do, so the order waits.
 */
export function undecided<O extends Outcome<unknown>>(outcome: O, { number }: Attempt): O | Undone {
  if (outcome.kind !== 'refused' || number === 1) return outcome
  return { kind: 'unknown', cause: 'server_failed', message: outcome.message }
}

/**
 * Adds the registry's facts after the command, so that the answer shows what a later read shows. A
 * read that fails leaves the outcome as it was.
 */
export async function withFacts(
  { order, registry }: Sending,
  outcome: Outcome<Purchased>,
): Promise<Outcome<Purchased>> {
  if (outcome.kind !== 'done' || outcome.value.found) return outcome
  const read = await registry.read(order.domain, 'purchase')
  if (read.kind !== 'done' || read.value.sponsor !== registry.profile.client_id) return outcome
  return { ...outcome, value: { ...outcome.value, found: read.value } }
}
