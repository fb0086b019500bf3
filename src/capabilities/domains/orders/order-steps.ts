// The steps of an open order in one round: read back, send, reconcile, settle. No transaction is
// open while the registry is asked.
import type { RegistryDomain } from '../../../adapters/registry/port.ts'
import type { App, AuditRow } from '../../../app.ts'
import { registryOf } from '../names.ts'
import type { Execution, ReadBack, Reconciliation, Round } from './handlers/order-handler.ts'
import { answerOfRound } from './idempotency.ts'
import { alarmAfterMs, auditTarget } from './order.ts'
import type { HoldingFacts, Settlement, SettlementResult } from './order-batcher.ts'
import { endFault, releaseDeferred } from './order-faults.ts'
import { ageOf, leaveOpen } from './parking.ts'
import {
  type Decision,
  type Purchased,
  type ReleaseCode,
  reconcileAnswer,
  reconcileReadBack,
  waiting,
} from './reconcile/reconcile.ts'
import type { Term } from './reconcile/term-verification.ts'

type Ended = Extract<Round, { result: 'succeeded' | 'failed' }>

/** Reconciles first an order that may not be sent again before the registry is read. */
export async function readBackFirst(execution: Execution): Promise<void> {
  switch (execution.mode) {
    case 'send':
      return
    case 'read':
      execution.reconciliation = await readBack(execution, { after: 'acceptance' })
      return
    case 'verify':
      execution.reconciliation = await readMismatch(execution, notVerified)
      return
    case 'read_first':
    case 'never_again': {
      const seen = await readBack(execution, { after: 'silence' })
      if (seen.decision.do !== 'send') execution.reconciliation = seen
      else if (execution.mode === 'never_again')
        execution.reconciliation = { decision: notAgain(execution) }
    }
  }
}

const notVerified = 'It was answered as done, with dates that do not fit.'

/** The order is read back for a time, and then an operator decides: it may still be done. */
function notAgain({ app, order }: Execution): Reconciliation['decision'] {
  const detail = 'Sent once without an answer, and not repeated; the registry shows nothing yet.'
  if (ageOf(app, order) > alarmAfterMs) return { do: 'park', detail }
  return { do: 'wait', state: 'unknown', code: 'not_repeated', detail, alarm: false }
}

export async function sendCommand(execution: Execution): Promise<void> {
  if (execution.reconciliation) return
  const { app, handler, order, attempt, registry } = execution
  execution.outcome = await handler.send(app, { order, attempt, registry })
  app.reached?.('after_answer')
}

/** Decides the effect of the answer on the money; reads back if the answer alone does not. */
export async function reconcileOutcome(execution: Execution): Promise<void> {
  const { attempt, outcome } = execution
  if (!outcome) return
  const decision = reconcileAnswer(outcome, attempt.number)
  execution.reconciliation = await confirmed(execution, decision)
}

async function confirmed(execution: Execution, decision: Decision): Promise<Reconciliation> {
  if (decision.do === 'read')
    return readBack(execution, { after: 'refusal', refused: decision.refused })
  if (decision.do !== 'capture') return { decision }
  const { mismatch } = termOf(execution, decision)
  return mismatch === null ? { decision } : readMismatch(execution, mismatch)
}

/** A reading whose dates do not fit is repeated once; then the order is parked. */
async function readBack(execution: Execution, why: ReadBack['why']): Promise<Reconciliation> {
  const { app, handler, order, registry } = execution
  const first = await handler.reconcile(app, { order, registry, why })
  if (mismatchOf(execution, first) === null) return first
  const second = await handler.reconcile(app, { order, registry, why })
  const mismatch = mismatchOf(execution, second)
  return mismatch === null ? second : { ...second, decision: { do: 'park', detail: mismatch } }
}

async function readMismatch(execution: Execution, mismatch: string): Promise<Reconciliation> {
  const seen = await readBack(execution, { after: 'acceptance' })
  return { ...seen, decision: reconcileReadBack(seen.decision, mismatch) }
}

type Shown = { purchased: Purchased; found?: RegistryDomain | undefined }
type Verified = Pick<Execution, 'app' | 'handler' | 'order'>

/** The term after a capture of the registry's reading. */
function termOf({ app, handler, order }: Verified, { purchased, found }: Shown): Term {
  const max_term_years = registryOf(app, order.domain)?.profile.max_term_years ?? 10
  return handler.term(order, purchased, {
    now: app.calendar.now(),
    first_sent_at: order.first_sent_at,
    max_term_years,
    found: found ?? purchased.found,
  })
}

/** Why a reading that is to be captured does not fit, or null if it fits or there is none. */
function mismatchOf(verified: Verified, { decision, found }: Reconciliation): string | null {
  if (decision.do !== 'capture') return null
  return termOf(verified, { purchased: decision.purchased, found }).mismatch
}

/** The facts of the holding after a capture. */
export function holdingAfter(verified: Verified, shown: Shown): HoldingFacts {
  const term = termOf(verified, shown)
  const found = shown.found ?? shown.purchased.found
  return verified.handler.holding(verified.order, shown.purchased, { term, found })
}

/** Makes the decision durable: captures or releases the order, or leaves it open with its hold. */
export async function settleOrder(execution: Execution): Promise<void> {
  const { order, reconciliation } = execution
  if (!reconciliation) throw new Error(`Order ${order.id} was not reconciled`)
  execution.round = await settleReconciled(execution, reconciliation)
}

export async function settleReconciled(
  execution: Execution,
  { decision, found }: Reconciliation,
): Promise<Round> {
  const { order } = execution
  switch (decision.do) {
    case 'wait':
    case 'park':
      return leaveOpen(execution, decision)
    case 'send':
      throw new Error(`Order ${order.id}: a reading that asks for a sending has no end`)
    case 'release': {
      const deferred = deferRelease(execution, decision)
      if (deferred) return leaveOpen(execution, deferred)
      const { code } = endFault(order.type, decision.code)
      return closeOrder(execution, { result: 'failed', code, detail: decision.detail })
    }
    case 'capture': {
      const shown = { purchased: decision.purchased, found }
      const { mismatch } = termOf(execution, shown)
      if (mismatch !== null) return leaveOpen(execution, { do: 'park', detail: mismatch })
      return closeOrder(execution, { result: 'succeeded', holding: holdingAfter(execution, shown) })
    }
  }
}

/**
 * Results of attempts that were not sent, or that the registry has clearly not done.
 */
const undoneCodes = [
  'not_sent',
  'unreachable',
  'registry_credit',
  'authentication',
  'session_limit',
]

/** Whether the command may be sent again even if nothing fences it. */
export function certainlyUndone(errorCode: string | null): boolean {
  return errorCode !== null && undoneCodes.includes(errorCode)
}

/** Results of an attempt after which the registry does not apply it later. */
export const answeredCodes = [...undoneCodes, releaseDeferred]

/** Ends after which the registry's own state refuses an earlier attempt. */
const fencedEnds: ReleaseCode[] = ['domain_taken', 'expiry_changed']

/**
 * A refusal answers one attempt only. The release waits until ten time-outs after the latest
 * attempt without an answer, which the registry may still apply, and whose effect is read first.
 * Null if it is released now.
 */
function deferRelease(
  { app, order, registry, mode }: Execution,
  { code, detail }: { code: ReleaseCode; detail: string },
): Extract<Decision, { do: 'wait' }> | null {
  if (order.unanswered_at === null || fencedEnds.includes(code)) return null
  const until = order.unanswered_at.getTime() + 10 * registry.profile.timeout_ms
  if (app.clock.now().getTime() >= until) return null
  return waiting(mode === 'read' ? 'accepted' : 'unknown', releaseDeferred, detail)
}

type Closing = Pick<Execution, 'app' | 'call' | 'handler' | 'order' | 'pendingRequest' | 'answer'>

/** Ends an order: capture and holding, or release, with the last audit row, in one transaction. */
export async function closeOrder(closing: Closing, round: Ended): Promise<Round> {
  const { app, handler, order, pendingRequest } = closing
  const failed = round.result === 'failed' ? round : null
  const now = app.clock.now()
  app.reached?.('before_settle')
  closing.answer =
    pendingRequest && answerOfRound(closing, round, { price: pendingRequest.price, now })
  const settled = await settleWithRetry(app, {
    order_id: order.id,
    customer_id: order.customer_id,
    currency: order.currency,
    domain: order.domain,
    lease_token: order.lease_token,
    succeeded: !failed,
    error_code: failed?.code ?? null,
    error_detail: failed?.detail ?? null,
    description: failed
      ? `Released: ${order.domain} was not ${handler.participle}`
      : handler.title(order),
    holding: round.result === 'succeeded' ? round.holding : null,
    audit: lastAuditRow(closing, round),
    answer: pendingRequest?.key ? closing.answer : null,
  })
  app.reached?.('after_settle')
  return settled.outcome === 'settled' ? round : { result: 'overtaken' }
}

/** A settlement whose commit was lost is repeated, and happens once all the same. */
async function settleWithRetry(app: App, settlement: Settlement): Promise<SettlementResult> {
  const { settle } = app.orderBatcher
  return settle(settlement).catch((error): Promise<SettlementResult> => {
    app.log.warn({ err: error, order: settlement.order_id }, 'settling again')
    return settle(settlement)
  })
}

/** Every order has one last audit row, in the transaction that moves its money. */
function lastAuditRow({ call, handler, order }: Closing, round: Ended): AuditRow {
  const failed = round.result === 'failed' ? round : null
  const paid_until = round.result === 'succeeded' ? round.holding.paid_until : null
  return call.auditRow({
    ...auditTarget(order),
    action: handler.action,
    result: failed ? 'failed' : 'success',
    error_code: failed?.code ?? null,
    metadata: {
      order: order.id,
      attempts: order.attempts,
      ...(paid_until && { expires_at: paid_until }),
    },
  })
}
