// Confirmation rounds: a command is sent and the registry is read until its state is known. A
// refusal may be the effect of an earlier round, so the next reading decides.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome } from '../../../adapters/registry/port.ts'
import type { App, AuditFacts, Call } from '../../../app.ts'
import type { Fault } from '../../../kit/fault.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { registryUnreachable } from '../faults.ts'
import type { DomainLease } from './domain-lease.ts'
import { RightEnded } from './right-to-change.ts'
import { changeRefused, changeUnconfirmed } from './update-faults.ts'

type Refused = Extract<Outcome<unknown>, { kind: 'refused' }>

/** The results of the earlier rounds. */
export type PreviousRounds = {
  /** The number of this round, from 1. */
  number: number
  refused: Refused | null
  accepted: boolean
  /** Whether something may have reached the registry. */
  sent: boolean
}

export type Step<T> =
  | { kind: 'confirmed'; value: T }
  /** A command got this answer, and the next round reads its effect. */
  | { kind: 'answered'; outcome: Outcome<unknown> }
  /** The registry did not answer a read. */
  | { kind: 'silent' }
  /** The reading is out of date. */
  | { kind: 'stale' }

type Confirmation<T> = {
  lease: DomainLease
  /** The details of an unconfirmed command's audit row. */
  facts: AuditFacts
  most_rounds?: number
  /** The time after which no round begins. */
  enough_ms?: number
  round: (soFar: PreviousRounds) => Promise<Step<T>>
  /** Runs before registry_unreachable is thrown, when nothing has reached the registry. */
  onNothingSent?: () => Promise<unknown>
}

const pause_ms = 200

/**
 * Throws 503 registry_unreachable if nothing was sent, 503 change_unconfirmed (with an audit row)
 * if something was, and any error of a round. A right that ended before anything was sent has its
 * own fault; after that, the sent command may still be done.
 */
export async function confirmWithRegistry<T>(
  app: App,
  call: Call,
  confirmation: Confirmation<T>,
): Promise<T> {
  const { lease, facts, most_rounds = 4, enough_ms = Infinity, round } = confirmation
  const soFar: PreviousRounds = { number: 1, refused: null, accepted: false, sent: false }
  const began_ms = app.monotonic_ms()
  for (; soFar.number <= most_rounds; soFar.number += 1) {
    if (soFar.number > 1) await lease.renew()
    const step = await round(soFar).catch(rightEnded)
    if (step.kind === 'ended') {
      if (soFar.sent) break
      await confirmation.onNothingSent?.()
      throw step.cause
    }
    if (step.kind === 'confirmed') return step.value
    if (step.kind === 'answered') take(soFar, step.outcome)
    if (app.monotonic_ms() - began_ms > enough_ms) break
    const isSilent =
      step.kind === 'answered' ? step.outcome.kind === 'unknown' : step.kind === 'silent'
    if (isSilent && soFar.number < most_rounds) await sleep(pause_ms)
  }
  if (!soFar.sent) {
    await confirmation.onNothingSent?.()
    throw registryUnreachable({ retry_after_s: 5 })
  }
  const error_code = changeUnconfirmed.code
  await storeAuditRow(
    app.db,
    call.auditRow({ ...facts, result: 'unknown', status_code: 503, error_code }),
  )
  throw changeUnconfirmed({ retry_after_s: 5 })
}

function rightEnded(error: unknown): { kind: 'ended'; cause: unknown } {
  if (error instanceof RightEnded) return { kind: 'ended', cause: error.cause }
  throw error
}

function take(soFar: PreviousRounds, outcome: Outcome<unknown>): void {
  switch (outcome.kind) {
    case 'refused':
      soFar.refused = outcome
      return
    case 'unknown':
      soFar.sent ||= outcome.cause === 'silence' || outcome.cause === 'server_failed'
      return
    case 'done':
    case 'accepted':
      soFar.sent = true
      soFar.accepted ||= outcome.kind === 'accepted'
  }
}

/** The refusal in the registry's words. */
export function refusedByRegistry({ message, code }: Refused): Fault {
  return changeRefused({
    detail: `The registry refused: ${message}`,
    facts: { epp_code: code },
  })
}
