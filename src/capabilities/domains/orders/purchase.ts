// Where money meets a registry: hold -> send -> capture | release | leave open. No transaction is
// open while we send.
import { randomUUID } from 'node:crypto'
import type { App, AuditFacts, AuditRow, Call } from '../../../app.ts'
import { leaseMs, sendBy } from '../registry-lease.ts'
import type { OpenOrder, Registrar, SaleType, Seen } from './handlers/order-handler.ts'
import { saleOf } from './handlers/order-handlers.ts'
import {
  type Attempt,
  alarmAfterMs,
  newAttempt,
  transferAlarmAfterMs,
  waitBefore,
  waitForRegistry,
} from './order.ts'
import {
  deskOf,
  type HoldingFacts,
  type Placed,
  type Placing,
  type Settled,
} from './order-batcher.ts'
import { endFault } from './order-faults.ts'
import { leaveOrder } from './orders.sql.ts'
import { holdingAfter, misfitOf, termOf } from './reconcile/order-term.ts'
import {
  type Bought,
  judgeAnswer,
  judgeReadBack,
  type Verdict,
  type Why,
} from './reconcile/reconcile.ts'
import { deferRelease } from './release-deferral.ts'

type Ended = Extract<Round, { end: 'succeeded' | 'failed' }>

/** How a round ended. `left` is still open, with its hold. */
export type Round =
  | { end: 'succeeded'; bought: Bought; holding: HoldingFacts }
  | { end: 'failed'; code: string; detail: string }
  | { end: 'left'; state: 'accepted' | 'unknown' | 'parked'; code: string; detail: string }
  /** Somebody else ended it first; the order's row tells how. */
  | { end: 'overtaken' }

/** A purchase before it is placed. */
export type Draft = Omit<
  Placing,
  'registry' | 'fingerprint' | 'lease_ms' | 'lease_token' | 'audit' | 'first_sent_at' | 'type'
> & { type: SaleType }

export type NotPlaced = Exclude<Placed, { outcome: 'placed' }>
export type Purchased = { placed: NotPlaced } | { order: OpenOrder; round: Round }
/**
 * How the caller's answer is kept for its Idempotency-Key, in the transaction that ends the order.
 */
export type AnswerOf = (round: Round, order: OpenOrder) => object | null

/**
 * Buys: places the order with its hold, sends it once, and ends it or leaves it to the settle job.
 */
export async function purchase(
  app: App,
  call: Call,
  { draft, registrar, answerOf }: { draft: Draft; registrar: Registrar; answerOf: AnswerOf },
): Promise<Purchased> {
  const attempt = newAttempt(draft.id, 1)
  const first_sent_at = app.calendar.now()
  const order: OpenOrder = {
    ...draft,
    attempts: 1,
    fingerprints: [attempt.fingerprint],
    first_sent_at,
    unanswered_at: null,
    created_at: app.clock.now(),
    lease_token: randomUUID(),
    send_by_ms: sendBy(registrar.registry, app.monotonic_ms()),
  }
  app.reached('before_hold')
  const placed = await placeTwice(app, {
    ...draft,
    registry: registrar.registry.profile.name,
    fingerprint: attempt.fingerprint,
    first_sent_at: first_sent_at.toISOString(),
    lease_ms: leaseMs(registrar.registry),
    lease_token: order.lease_token,
    audit: call.auditRow({
      ...target(order),
      action: saleOf(order.type).action,
      result: 'pending',
      metadata: { order: order.id },
    }),
  })
  app.reached('after_hold')
  if (placed.outcome !== 'placed') return { placed }
  const round = await work(app, { order, does: 'send', attempt, registrar, call, answerOf })
  return { order, round }
}

export type Work = {
  order: OpenOrder
  /**
   * `read`: the registry took it on earlier. `read_first`: nothing fences a second sending, so what
   * is there decides whether there is one. `never_again`: it may not be sent twice at all.
   * `verify`: it was answered "done", with dates that did not fit.
   */
  does: 'send' | 'read' | 'read_first' | 'never_again' | 'verify'
  attempt: Attempt
  registrar: Registrar
  call: Call
  answerOf: AnswerOf
}

/** One round of an open order: sends or reads, judges, and makes the verdict durable. */
export async function work(app: App, work: Work): Promise<Round> {
  if (work.does === 'read')
    return endRound(app, work, await look(app, work, { after: 'acceptance' }))
  if (work.does === 'verify') return endRound(app, work, await readBack(app, work, notVerified))
  if (work.does !== 'send') {
    const seen = await look(app, work, { after: 'silence' })
    if (seen.verdict.do !== 'send') return endRound(app, work, seen)
    if (work.does === 'never_again')
      return endRound(app, work, { verdict: notAgain(app, work.order) })
  }
  const { order, attempt, registrar } = work
  const outcome = await saleOf(order.type).send(app, { order, attempt, registrar })
  app.reached('after_answer')
  const verdict = judgeAnswer(outcome, attempt.number)
  if (verdict.do === 'capture') {
    const { misfit } = termOf(app, order, verdict)
    if (misfit !== null) return endRound(app, work, await readBack(app, work, misfit))
  }
  if (verdict.do !== 'read') return endRound(app, work, { verdict })
  return endRound(app, work, await look(app, work, { after: 'refusal', refused: verdict.refused }))
}

/** A reading whose dates do not fit is asked for once more; then a person looks. */
async function look(app: App, { order, registrar }: Work, why: Why): Promise<Seen> {
  const sale = saleOf(order.type)
  const first = await sale.look(app, { order, registrar, why })
  if (misfitOf(app, order, first) === null) return first
  const second = await sale.look(app, { order, registrar, why })
  const misfit = misfitOf(app, order, second)
  return misfit === null ? second : { ...second, verdict: { do: 'park', detail: misfit } }
}

const notVerified = 'It was answered as done, with dates that do not fit.'

async function readBack(app: App, work: Work, misfit: string): Promise<Seen> {
  const seen = await look(app, work, { after: 'acceptance' })
  return { ...seen, verdict: judgeReadBack(seen.verdict, misfit) }
}

/** Read back for a time, then a person looks: what was sent may still be done. */
function notAgain(app: App, order: OpenOrder): Seen['verdict'] {
  const detail = 'Sent once with no answer, and not to be repeated; the registry shows nothing yet.'
  if (ageOf(app, order) > alarmAfterMs) return { do: 'park', detail }
  return { do: 'wait', state: 'unknown', code: 'not_repeated', detail, alarm: false }
}

function ageOf(app: App, order: OpenOrder): number {
  return app.clock.now().getTime() - order.created_at.getTime()
}

/** Makes a verdict durable. */
export async function endRound(app: App, work: Work, { verdict, found }: Seen): Promise<Round> {
  const { order } = work
  switch (verdict.do) {
    case 'wait':
    case 'park':
      return leave(app, work, verdict)
    case 'send':
      throw new Error(`Order ${order.id}: a reading that asks for a sending has no end`)
    case 'release': {
      const deferred = deferRelease(app, work, verdict)
      if (deferred) return leave(app, work, deferred)
      return settle(app, work, {
        end: 'failed',
        code: endFault(order.type, verdict.code).code,
        detail: verdict.detail,
      })
    }
    case 'capture': {
      const shown = { bought: verdict.bought, found }
      const { misfit } = termOf(app, order, shown)
      if (misfit !== null) return leave(app, work, { do: 'park', detail: misfit })
      const holding = holdingAfter(app, order, shown)
      return settle(app, work, { end: 'succeeded', bought: verdict.bought, holding })
    }
  }
}

export type Settlement = Pick<Work, 'order' | 'call' | 'answerOf'>

/** Ends an order: capture and holding, or release, with the last audit row. */
export async function settle(app: App, work: Settlement, round: Ended): Promise<Round> {
  const { order, call, answerOf } = work
  const failed = round.end === 'failed' ? round : null
  const sale = saleOf(order.type)
  app.reached('before_settle')
  const settled = await settleTwice(app, {
    order_id: order.id,
    customer_id: order.customer_id,
    currency: order.currency,
    domain: order.domain,
    lease_token: order.lease_token,
    succeeded: !failed,
    error_code: failed?.code ?? null,
    error_detail: failed?.detail ?? null,
    description: failed ? `Released: ${order.domain} was not ${sale.undone}` : sale.title(order),
    holding: round.end === 'succeeded' ? round.holding : null,
    audit: endRow(call, order, failed),
    answer: answerOf(round, order),
  })
  app.reached('after_settle')
  return settled.outcome === 'settled' ? round : { end: 'overtaken' }
}

/**
 * An order whose commit was lost on the way back is there already when it is placed again, and
 * counts as placed.
 */
async function placeTwice(app: App, placing: Placing): Promise<Placed> {
  const { place } = deskOf(app)
  return place(placing).catch((error): Promise<Placed> => {
    app.log.warn({ err: error, order: placing.id }, 'placing again')
    return place(placing)
  })
}

/**
 * A settlement whose commit was lost is simply asked for again: it happens once, whatever we saw.
 */
async function settleTwice(app: App, settling: Parameters<ReturnType<typeof deskOf>['settle']>[0]) {
  const { settle } = deskOf(app)
  return settle(settling).catch((error): Promise<Settled> => {
    app.log.warn({ err: error, order: settling.order_id }, 'settling again')
    return settle(settling)
  })
}

async function leave(
  app: App,
  { order, attempt, call }: Work,
  verdict: Extract<Verdict, { do: 'wait' | 'park' }>,
): Promise<Round> {
  const parked = verdict.do === 'park'
  const state = parked ? 'parked' : verdict.state
  const code = parked ? 'parked' : verdict.code
  const age = ageOf(app, order)
  const late = age > (state === 'accepted' ? transferAlarmAfterMs : alarmAfterMs)
  const alarm = parked || verdict.alarm || late ? `${code}: ${verdict.detail}` : null
  if (alarm) app.log.error({ order: order.id, domain: order.domain, alarm }, 'order needs a person')
  const wait = state === 'accepted' ? waitForRegistry(age) : waitBefore(attempt.number)
  await call.sql.run(leaveOrder, [
    order.id,
    order.lease_token,
    state,
    wait,
    code,
    verdict.detail,
    alarm,
  ])
  return { end: 'left', state, code, detail: verdict.detail }
}

/** Every purchase has one last audit row, in the transaction that moves its money. */
function endRow(call: Call, order: OpenOrder, failed: { code: string } | null): AuditRow {
  return call.auditRow({
    ...target(order),
    action: saleOf(order.type).action,
    result: failed ? 'failed' : 'success',
    error_code: failed?.code ?? null,
    metadata: { order: order.id, attempts: order.attempts },
  })
}

export function target(order: { domain: string; customer_id: string }): AuditFacts {
  return { target_type: 'domain', target: order.domain, customer_id: order.customer_id }
}
