// Where money meets a registry: hold -> send -> capture | release | leave open. No transaction is
// open while we send.
import { randomUUID } from 'node:crypto'
import type { App, AuditFacts, AuditRow, Call } from '../../app.ts'
import type { RegistryDomain } from '../../outside/registry/port.ts'
import { deskOf, type HoldingFacts, type Placed, type Placing, type Settled } from './desk.ts'
import { type Attempt, alarmAfterMs, newAttempt, type RegisterOrder, waitBefore } from './order.ts'
import { type Registrar, sendRegister } from './send.ts'
import { leaveOrder } from './store.ts'
import {
  type Bought,
  judgeAnswer,
  judgeRead,
  type ReadVerdict,
  type Refused,
  type Verdict,
} from './verdict.ts'

type Ended = Extract<Round, { end: 'succeeded' | 'failed' }>

/** An order as this process works on it, whether it was just placed or found open. */
export type OpenOrder = {
  id: string
  customer_id: string
  domain: string
  currency: string
  command: RegisterOrder
  attempts: number
  fingerprints: string[]
  first_sent_at: Date
  created_at: Date
  lease_token: string
  /** By performance.now(): no attempt begins to send later, so that it ends within its lease. */
  send_by_ms: number
}

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
  'type' | 'registry' | 'command' | 'fingerprint' | 'lease_ms' | 'lease_token' | 'audit'
> & { command: RegisterOrder }

export type Purchased = { placed: Placed } | { order: OpenOrder; round: Round }
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
  const now = app.clock.now()
  const order: OpenOrder = {
    ...draft,
    attempts: 1,
    fingerprints: [attempt.fingerprint],
    first_sent_at: now,
    created_at: now,
    lease_token: randomUUID(),
    send_by_ms: sendBy(registrar, performance.now()),
  }
  app.reached('before_hold')
  const placed = await deskOf(app).place({
    ...draft,
    type: 'register',
    registry: registrar.registry.profile.name,
    fingerprint: attempt.fingerprint,
    lease_ms: leaseMs(registrar),
    lease_token: order.lease_token,
    audit: call.auditRow({ ...target(order), result: 'pending', metadata: { order: order.id } }),
  })
  app.reached('after_hold')
  if (placed.outcome !== 'placed') return { placed }
  const round = await work(app, { order, attempt, registrar, call, answerOf })
  return { order, round }
}

/**
 * Longer than any one exchange of an attempt may take, so that nobody else takes the order up
 * meanwhile.
 */
export function leaseMs({ registry }: Registrar): number {
  return 3 * registry.profile.timeout_ms + 2_000
}

/**
 * `began_ms`: a moment before the lease began. Leaves time for the answer to what is sent at the
 * last moment.
 */
export function sendBy(registrar: Registrar, began_ms: number): number {
  return began_ms + leaseMs(registrar) - registrar.registry.profile.timeout_ms
}

export type Work = {
  order: OpenOrder
  /** null: the registry accepted it earlier, so it is only read. */
  attempt: Attempt | null
  registrar: Registrar
  call: Call
  answerOf: AnswerOf
}

/** One round of an open order: sends or reads, judges, and makes the verdict durable. */
export async function work(app: App, work: Work): Promise<Round> {
  const { order, attempt, registrar } = work
  let verdict: Verdict = { do: 'read', refused: null }
  if (attempt) {
    const outcome = await sendRegister(app, { order, attempt, registrar })
    app.reached('after_answer')
    verdict = judgeAnswer(outcome, attempt.number)
  }
  return verdict.do === 'read' ? readBack(app, work, verdict.refused) : end(app, work, { verdict })
}

/** What the registry shows now, judged. */
async function readBack(app: App, work: Work, refused: Refused | null): Promise<Round> {
  const { order, registrar } = work
  const read = await registrar.registry.read(order.domain, 'purchase')
  const sponsor = registrar.registry.profile.client_id
  const verdict = judgeRead(read, { ...order, sponsor }, refused)
  return end(app, work, read.kind === 'done' ? { verdict, found: read.value } : { verdict })
}

type Ending = { verdict: ReadVerdict; found?: RegistryDomain }

async function end(app: App, work: Work, { verdict, found }: Ending): Promise<Round> {
  if (verdict.do === 'wait' || verdict.do === 'park') return leave(app, work, verdict)
  const { order } = work
  if (verdict.do === 'release')
    return settle(app, work, { end: 'failed', code: verdict.code, detail: verdict.detail })
  const holding = holdingOf(order, verdict.bought, found)
  return settle(app, work, { end: 'succeeded', bought: verdict.bought, holding })
}

async function settle(app: App, work: Work, round: Ended): Promise<Round> {
  const { order, call, answerOf } = work
  const failed = round.end === 'failed' ? round : null
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
    description: failed ? `Released: ${order.domain} was not registered` : titleOf(order),
    holding: round.end === 'succeeded' ? round.holding : null,
    audit: endRow(call, order, failed),
    answer: answerOf(round, order),
  })
  app.reached('after_settle')
  return settled.outcome === 'settled' ? round : { end: 'overtaken' }
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
  const age = app.clock.now().getTime() - order.created_at.getTime()
  const alarm = parked || verdict.alarm || age > alarmAfterMs ? `${code}: ${verdict.detail}` : null
  if (alarm) app.log.error({ order: order.id, domain: order.domain, alarm }, 'order needs a person')
  const wait = waitBefore(attempt?.number ?? order.attempts)
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
    action: 'register_domain',
    result: failed ? 'failed' : 'success',
    error_code: failed?.code ?? null,
    metadata: { order: order.id, attempts: order.attempts },
  })
}

export function target(order: { domain: string; customer_id: string }): AuditFacts {
  return { target_type: 'domain', target: order.domain, customer_id: order.customer_id }
}

/** "Registration of a.com, 2 years", for the ledger. */
export function titleOf({ domain, command }: Pick<OpenOrder, 'domain' | 'command'>): string {
  const years = command.period_years
  return `Registration of ${domain}, ${years} ${years === 1 ? 'year' : 'years'}`
}

function holdingOf(order: OpenOrder, bought: Bought, found?: RegistryDomain): HoldingFacts {
  return {
    expires_at: bought.expires_at,
    registered_at: bought.created_at,
    nameservers: found?.nameservers ?? order.command.nameservers,
    period_years: order.command.period_years,
    epp_statuses: found?.epp_statuses ?? [],
    rgp_statuses: found?.rgp_statuses ?? [],
    locked: found?.epp_statuses.includes('clientTransferProhibited') ?? false,
    contacts: order.command.contacts,
  }
}
