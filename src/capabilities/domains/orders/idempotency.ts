// Idempotency of paid requests (decision 18): keys and digests of requests, the duplicate check,
// and first answers, which are made from the round that ended the order or from its rows, stored
// for the Idempotency-Key, and replayed.
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import Type from 'typebox'
import { type App, type Call, Reply } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { json } from '../../../db/statement.ts'
import { type Fault, faultWith, InvalidInput } from '../../../kit/fault.ts'
import type { CustomerId, DomainName, OrderId } from '../../../kit/random.ts'
import { compile, nullable, wordOf } from '../../../kit/schema.ts'
import { domainAlreadyHeld, keyInUse, orderOpen } from '../faults.ts'
import { holdingByName } from '../holdings/holdings.sql.ts'
import { type DomainStatus, domainStatus } from '../schemas.ts'
import type {
  Execution,
  FirstAnswer,
  OpenOrder,
  PurchaseContext,
  PurchaseRequest,
  Round,
  Waiting,
} from './handlers/order-handler.ts'
import {
  nameOrder,
  orderOfKey,
  type PriorState,
  priorStateOf,
  storeAnswer,
  storedDigest,
} from './idempotency.sql.ts'
import { type IdempotencyKey, type Order, type OrderType, orderTypes } from './order.ts'
import { endFault } from './order-faults.ts'
import { operationOf, statusOfOrder, statusWithOrder } from './order-presenter.ts'
import { lastOrder, orderById, orderTimes } from './orders.sql.ts'

/** SHA-256 over the RFC 8785 form of any JSON: two requests are the same when these are. */
export function digestOf(facts: unknown): string {
  return createHash('sha256')
    .update(canonicalize(facts) ?? '')
    .digest('hex')
}

/** The Idempotency-Key of a request to `at`, with the digest of the request. */
export function keyOf<I extends { idempotency_key?: string }>(
  at: string,
  input: I,
): IdempotencyKey | null {
  const { idempotency_key: key, ...body } = input
  return key === undefined ? null : { key, digest: digestOf({ at, body }) }
}

type Repeat = Pick<PurchaseContext, 'app' | 'call'> & {
  handler: Pick<PurchaseContext['handler'], 'acquires'>
  request: Pick<PurchaseContext['request'], 'domain' | 'digest' | 'key'>
}

/**
 * The request with the digests that it is known by, which a node with another current
 * ENCRYPTION_KEY may have stored. Without previous keys there is nothing to look up.
 */
export async function asStored<R extends PurchaseRequest>(call: Call, request: R): Promise<R> {
  const { customer_id, domain, key, earlier = [] } = request
  if (earlier.length === 0) return request
  const forms = [{ digest: request.digest, key }, ...earlier]
  const { digest } = await call.sql.one(storedDigest, {
    ...{ customer_id, domain, key: key?.key ?? null },
    digests: forms.flatMap((form) => [form.digest, form.key?.digest ?? []].flat()),
  })
  const stored = forms.find((form) => [form.digest, form.key?.digest].includes(digest ?? ''))
  return { ...request, ...stored }
}

/**
 * The orders and the holding that an equal request may have made before, in one snapshot. If they
 * were read one after the other, the order of an equal request could end in between, and its own
 * result would refuse the request.
 */
export function readPriorState({ call, request }: Repeat): Promise<PriorState> {
  return call.sql.one(priorStateOf, {
    customer_id: call.customer_id,
    domain: request.domain,
    key: request.key?.key ?? null,
  })
}

/**
 * The first answer to this key, if it made an order within 24 hours or one that is still open.
 * Throws 422 if the request is another one, and 409 while the first is still running. If the
 * process died before it answered, or if a version with other fields stored the answer, the order
 * is read.
 */
export async function replayAnswer(
  { app, call, request }: Repeat,
  { key_order, key_type, key_digest, answer: stored, running }: PriorState,
): Promise<Reply<DomainStatus> | undefined> {
  const { key } = request
  if (key === null || key_order === null || key_type === null) return undefined
  if (key_digest !== key.digest)
    throw new InvalidInput([
      {
        path: ['idempotency_key'],
        msg: 'This key was used with another request; use a new key',
        type: 'idempotency_key_mismatch',
      },
    ])
  if (storedAnswer.check(stored))
    return replayed(await withOrderTimes(call, key_order, stored), key_type)
  if (stored === null && running) throw keyInUse({ retry_after_s: 1 })
  const order = await call.sql.one(orderById, { id: key_order, customer_id: call.customer_id })
  const answer = await answerOfOrder(app, call.sql, order)
  // The node of another version that stored an answer may be asked for it again.
  if (stored === null) await storeFirstAnswer(call, key.key, answer)
  return replayed(answer, order.type)
}

/**
 * An answer that was stored in the transaction that ended its order takes the times of that order
 * from its row. One that was stored while the order was open stays as it was.
 */
function withOrderTimes(
  call: Call,
  id: OrderId,
  stored: FirstAnswer,
): Promise<FirstAnswer> | FirstAnswer {
  const { customer_id } = call
  const ended = stored.status?.operation?.state === 'succeeded'
  return ended ? withRowTimes(call.sql, { id, customer_id }, stored) : stored
}

/**
 * The answer of the same request's open order. Throws 409 order_open for another request's open
 * order, and 409 domain_already_held for a domain that the order would acquire and that is held.
 */
export async function checkDuplicate(
  repeat: Repeat,
  { open_order, holding }: PriorState,
): Promise<DomainStatus | undefined> {
  const { app, call, handler, request } = repeat
  if (open_order !== null) {
    const order = await call.sql.one(orderById, { id: open_order, customer_id: call.customer_id })
    return answerOpenOrder(repeat, order)
  }
  if (handler.acquires && holding !== null) throw await alreadyHeld(app, call, request.domain)
  return undefined
}

async function alreadyHeld(app: App, call: Call, domain: DomainName): Promise<Fault> {
  const { customer_id } = call
  const last = await call.sql.maybe(lastOrder, { customer_id, domain })
  const holding = await call.sql.maybe(holdingByName, { customer_id, name: domain })
  const now = app.calendar.now()
  return domainAlreadyHeld(
    holding ? { facts: { holding: statusWithOrder(holding, last, now) } } : {},
  )
}

/**
 * Answers for an order of the customer that was open a moment ago: with its state if this request
 * is the same, or with 409 order_open, as for another key.
 */
export async function answerOpenOrder(
  { app, call, request: { digest, key } }: Repeat,
  order: Order,
): Promise<DomainStatus> {
  const same = order.digest === digest && (key === null || (await adopt(call, key, order.id)))
  if (same) return firstReply(await answerOfOrder(app, call.sql, order), order.type)
  throw orderOpen({ facts: { operation: operationOf(order) } })
}

/**
 * Makes the key stand for an open order that the same request made without one, so that it orders
 * nothing once that has ended. Returns false if another key stands for it.
 */
async function adopt(
  call: Call,
  { key, digest }: IdempotencyKey,
  orderId: OrderId,
): Promise<boolean> {
  await call.sql.run(nameOrder, { customer_id: call.customer_id, key, digest, order_id: orderId })
  const known = await call.sql.maybe(orderOfKey, { customer_id: call.customer_id, key })
  return known?.order_id === orderId && known.key_digest === digest
}

/** The stored form of a first answer. */
const storedAnswer = compile(
  Type.Object({
    status: nullable(domainStatus),
    refused: nullable(Type.Object({ code: Type.String(), detail: nullable(Type.String()) })),
  }),
)

type Ended = Extract<Round, { result: 'succeeded' | 'failed' }>
/**
 * The answer to store in the transaction that ends the order, if the round alone determines it.
 * Null if the answer is made from the rows.
 */
export function answerOfRound(
  { handler, order }: Pick<Execution, 'handler' | 'order'>,
  round: Ended,
  waiting: Waiting,
): FirstAnswer | null {
  if (round.result === 'failed')
    return { status: null, refused: { code: round.code, detail: round.detail } }
  const status = handler.answerAtCapture(order, round.holding, waiting)
  return status && { status, refused: null }
}

/** The answer from the order's row and its holding. */
export async function answerOfOrder(app: App, sql: Sql, order: Order): Promise<FirstAnswer> {
  if (order.state === 'failed')
    return {
      status: null,
      refused: { code: order.error_code ?? 'registry_refused', detail: order.error_detail },
    }
  return { status: await currentStatus(app, sql, order), refused: null }
}

/**
 * The status of the domain that an order is about: its holding, or the order while there is none.
 */
async function currentStatus(app: App, sql: Sql, order: Order): Promise<DomainStatus> {
  const holding = await sql.maybe(holdingByName, {
    customer_id: order.customer_id,
    name: order.domain,
  })
  return holding ? statusWithOrder(holding, order, app.calendar.now()) : statusOfOrder(order)
}

/** Replays a first answer. A refusal is thrown again. */
function replayed(answer: FirstAnswer, type: string): Reply<DomainStatus> {
  const headers = { 'Idempotent-Replayed': 'true' }
  if (answer.status) return new Reply(answer.status, headers)
  throw refusalOf(answer.refused, { type: wordOf(orderTypes, type), headers })
}

/** Gives an answer for the first time. */
export function firstReply(answer: FirstAnswer, type: string): DomainStatus {
  if (answer.status) return answer.status
  throw refusalOf(answer.refused, { type: wordOf(orderTypes, type), headers: {} })
}

function refusalOf(
  refused: FirstAnswer['refused'],
  { type, headers }: { type: OrderType; headers: Record<string, string> },
): Fault {
  const { code, detail } = refused ?? { code: null, detail: null }
  const fault = endFault(type, code)
  const words = detail ? { detail: `${fault.sentence} The registry says: ${detail}` } : {}
  return faultWith(fault, { ...words, headers, facts: { charged: false } })
}

/** The answer with the times of its order as every later read shows them. */
export async function withRowTimes(
  sql: Sql,
  order: OrderKey,
  answer: FirstAnswer,
): Promise<FirstAnswer> {
  const { status } = answer
  if (!status?.operation) return answer
  const row = await sql.one(orderTimes, { id: order.id, customer_id: order.customer_id })
  const created_at = row.created_at.toISOString()
  const updated_at = row.updated_at.toISOString()
  return {
    ...answer,
    status: { ...status, operation: { ...status.operation, created_at, updated_at } },
  }
}
type OrderKey = { id: OrderId; customer_id: CustomerId }

/** The answer made from the present rows. */
export async function readOrder(app: App, call: Call, order: OpenOrder): Promise<FirstAnswer> {
  return answerOfOrder(
    app,
    call.sql,
    await call.sql.one(orderById, { id: order.id, customer_id: order.customer_id }),
  )
}

/** Stores the answer of an order whose end does not store one itself. */
export async function storeFirstAnswer(
  call: Call,
  key: string,
  answer: FirstAnswer,
): Promise<void> {
  await call.sql.run(storeAnswer, { customer_id: call.customer_id, key, answer: json(answer) })
}
