// Saga of a paid order: its steps in the order in which they happen, with one context. The
// authorization hold and the order are one transaction (placeOrder), the command is sent with no
// transaction open (sendCommand), and the capture or the release is one transaction (settleOrder).

import { randomUUID } from 'node:crypto'
import type { App, Reply } from '../../../app.ts'
import { Fault } from '../../../kit/fault.ts'
import { traced } from '../../../kit/telemetry.ts'
import { requestChanged } from '../../approvals/index.ts'
import { approvalRequired, limitedBy, limitFault } from '../../limits/index.ts'
import { priceBody } from '../../pricing/index.ts'
import { contactDeleted } from '../faults.ts'
import { leaseMs, sendBy } from '../registry-lease.ts'
import type { DomainStatus } from '../schemas.ts'
import { readQuote } from './agreement.ts'
import { newAttempt } from './attempt.ts'
import { dryRunStatus } from './dry-run.ts'
import type {
  Agreement,
  Execution,
  PurchaseContext,
  PurchaseRequest,
  Round,
} from './handlers/order-handler.ts'
import {
  answerOpenOrder,
  asStored,
  checkDuplicate,
  firstReply,
  readOrder,
  readPriorState,
  replayAnswer,
  storeFirstAnswer,
  withRowTimes,
} from './idempotency.ts'
import { insufficientFundsFor } from './insufficient-funds.ts'
import { auditTarget } from './order.ts'
import type { Placement, PlacementResult } from './order-batcher.ts'
import { notPlacedFault } from './order-faults.ts'
import { readBackFirst, reconcileOutcome, sendCommand, settleOrder } from './order-steps.ts'
import { orderById } from './orders.sql.ts'
import {
  answerNeedsApproval,
  askOwner,
  heldToApproval,
  refuseHiddenDomain,
  refuseOtherTld,
  requestToApprove,
} from './owner-approval.ts'
import { placementOf } from './placement.ts'
import { quoteUsed } from './quotes/quote-faults.ts'

export type PurchaseAnswer = DomainStatus | Reply<DomainStatus>
type RequestStep = <R extends PurchaseRequest, V>(
  context: PurchaseContext<R, V>,
) => Promise<PurchaseAnswer | undefined>
type OrderStep = (execution: Execution) => Promise<void>

/**
 * The steps up to the hold. A step that answers, such as a replay or a dry run, ends the request.
 */
const requestSteps: readonly RequestStep[] = [
  refuseHiddenDomain,
  replayIdempotent,
  refuseDuplicate,
  refuseOtherTld,
  readQuote,
  validateRequest,
  agreePrice,
  answerDryRun,
  answerNeedsApproval,
  placeOrder,
]

/**
 * The steps from the hold on. The settle job takes an order that a crash or a silent registry left
 * open through the same steps again.
 */
const orderSteps: readonly OrderStep[] = [readBackFirst, sendCommand, reconcileOutcome, settleOrder]

/** Takes one paid request through all steps; throws the refusal of the step that refuses it. */
export async function purchase<R extends PurchaseRequest, V>(
  asked: PurchaseContext<R, V>,
): Promise<PurchaseAnswer> {
  const context = { ...asked, request: requestToApprove(asked) }
  for (const step of requestSteps) {
    const answer = await tracedStep(step, () => step(context))
    if (answer) return answer
  }
  await executeOrder(required(context.execution))
  return respond(context)
}

/** Runs one round of an open order, after which it is captured, released, or open with its hold. */
export async function executeOrder(execution: Execution): Promise<Round> {
  for (const step of orderSteps) await tracedStep(step, () => step(execution))
  return required(execution.round)
}

/** Traces a step by its name. */
function tracedStep<T>({ name }: { name: string }, run: () => Promise<T>): Promise<T> {
  return traced(() => ({ name, kind: 'internal' }), run)
}

/** A value that an earlier step has put into the context. */
function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A step of the purchase was left out')
  return value
}

async function replayIdempotent<R extends PurchaseRequest, V>(context: PurchaseContext<R, V>) {
  if (context.request.automatic) return undefined
  context.request = await asStored(context.call, context.request)
  context.prior = await readPriorState(context)
  return replayAnswer(context, context.prior)
}

async function refuseDuplicate<R extends PurchaseRequest, V>(context: PurchaseContext<R, V>) {
  if (context.request.automatic) return undefined
  return checkDuplicate(context, required(context.prior))
}

async function validateRequest<R extends PurchaseRequest, V>(context: PurchaseContext<R, V>) {
  context.validated = await context.handler.validate(context)
  return undefined
}

async function agreePrice<R extends PurchaseRequest, V>(context: PurchaseContext<R, V>) {
  try {
    context.agreement = await context.handler.agreePrice(context, required(context.validated))
    return undefined
  } catch (refusal) {
    // The refusal may be the result of the same request, which ended a moment earlier.
    const earlier = refusal instanceof Fault ? await replayNow(context, 'price') : undefined
    if (earlier) return earlier
    throw refusal
  }
}

/** The result of a concurrent equal request: its answer, or the refusal that it explains. */
async function replayNow<R extends PurchaseRequest, V>(
  context: PurchaseContext<R, V>,
  refused: 'price' | 'placement',
): Promise<PurchaseAnswer | undefined> {
  const earlier = (await replayIdempotent(context)) ?? (await refuseDuplicate(context))
  if (!earlier) await context.handler.explainConflict(context, refused)
  return earlier
}

async function answerDryRun<R extends PurchaseRequest, V>(context: PurchaseContext<R, V>) {
  if (!context.request.dry_run) return undefined
  const status = await dryRunStatus(context, required(context.agreement))
  if (context.needsApproval) throw approvalRequired({ facts: { approval: null } })
  return status
}

/** One transaction stores hold, order, fence, idempotency key, contact uses and first audit row. */
async function placeOrder<R extends PurchaseRequest, V>(context: PurchaseContext<R, V>) {
  const { app } = context
  const agreement = required(context.agreement)
  const approval = await heldToApproval(context, agreement)
  const placement = { ...placementOf(context, agreement), ...approval }
  const execution = firstExecution(context, agreement, placement)
  await context.handler.prepare?.(context, placement.id)
  app.reached?.('before_hold')
  const placed = await placeWithRetry(app, {
    ...placement,
    registry: agreement.registry.profile.name,
    fingerprint: execution.attempt.fingerprint,
    first_sent_at: execution.order.first_sent_at.toISOString(),
    lease_ms: leaseMs(agreement.registry),
    lease_token: execution.order.lease_token,
    audit: context.call.auditRow({
      ...auditTarget(execution.order),
      action: context.handler.action,
      result: 'pending',
      metadata: {
        order: placement.id,
        ...agreement.audited,
        ...(approval.approval_id !== null && { approval: approval.approval_id }),
        ...(placement.quote_id !== null && { quote: placement.quote_id }),
      },
    }),
  })
  app.reached?.('after_hold')
  if (placed.outcome !== 'placed') {
    await context.handler.drop?.(context, placement.id)
    return resolveRejectedPlacement(context, placed)
  }
  context.execution = execution
  return undefined
}

function firstExecution<R extends PurchaseRequest, V>(
  { app, call, handler, request }: PurchaseContext<R, V>,
  { registry, quote }: Agreement,
  placement: ReturnType<typeof placementOf>,
): Execution {
  const attempt = newAttempt(placement.id, 1)
  const order = {
    ...placement,
    attempts: 1,
    fingerprints: [attempt.fingerprint],
    first_sent_at: app.calendar.now(),
    unanswered_at: null,
    created_at: app.clock.now(),
    lease_token: randomUUID(),
    send_by_ms: sendBy(registry, app.monotonic_ms()),
  }
  const pendingRequest = { price: priceBody(quote), key: request.key }
  return { app, call, handler, registry, order, attempt, mode: 'send', pendingRequest }
}

/**
 * An order exists already when it is placed again after the response to its commit was lost, and
 * counts as placed.
 */
async function placeWithRetry(app: App, placement: Placement): Promise<PlacementResult> {
  const { place } = app.orderBatcher
  return place(placement).catch((error): Promise<PlacementResult> => {
    app.log.warn({ err: error, order: placement.id }, 'placing again')
    return place(placement)
  })
}

async function resolveRejectedPlacement<R extends PurchaseRequest, V>(
  context: PurchaseContext<R, V>,
  placed: Exclude<PlacementResult, { outcome: 'placed' }>,
): Promise<PurchaseAnswer | undefined> {
  const { call, handler, request } = context
  // It may be the same key, or the same request, which may have spent the balance.
  const earlier = await replayNow(context, 'placement')
  if (earlier) return earlier
  if (placed.outcome === 'insufficient_funds')
    throw await insufficientFundsFor(call, required(context.agreement).quote, placed.available)
  if (placed.outcome === 'limit' && placed.rule === 'unapproved' && request.input)
    throw await askOwner(context, 'approval_above')
  if (placed.outcome === 'limit' && placed.rule === 'ended') await call.assertStillAllowed()
  if (placed.outcome === 'limit')
    throw await limitFault(call, request.limited_by ?? limitedBy(call.caller), {
      price: required(context.agreement).quote,
      now: context.app.clock.now(),
      rule: placed.rule,
    })
  if (placed.outcome === 'contact_deleted') throw contactDeleted()
  if (placed.outcome === 'unapproved') throw requestChanged()
  if (placed.outcome === 'unquoted') {
    // This throws the reason, even if it expired meanwhile; an approved request has its own price.
    await readQuote(context)
    if (!call.approval) throw quoteUsed()
    delete context.honoured
    return (await agreePrice(context)) ?? placeOrder(context)
  }
  // The order was open then and has ended since.
  const openOrderId = placed.outcome === 'open_order' ? placed.order_id : null
  const ownOrder =
    openOrderId === null
      ? null
      : await call.sql.maybe(orderById, { id: openOrderId, customer_id: request.customer_id })
  if (ownOrder) return answerOpenOrder(context, ownOrder)
  throw notPlacedFault(handler.type, placed.outcome)()
}

/** Responds with the same answer that is stored for the key. */
async function respond<R extends PurchaseRequest, V>({
  app,
  call,
  request: { key },
  execution,
}: PurchaseContext<R, V>): Promise<DomainStatus> {
  const { order, round, pendingRequest, answer: stored } = required(execution)
  if (stored) return firstReply(await withRowTimes(call.sql, order, stored), order.type)
  const read = await readOrder(app, call, order)
  const answer =
    pendingRequest && read.status && round?.result !== 'overtaken'
      ? { ...read, status: { ...read.status, price: pendingRequest.price } }
      : read
  // An order that stays open ends in another process: its first answer is this one.
  if (key) await storeFirstAnswer(call, key.key, answer)
  return firstReply(answer, order.type)
}
