// The routes of the simulated Stripe: form-encoded requests, idempotency keys, lists.
import { createHash } from 'node:crypto'
import type { JsonAnswer } from '../support/http-faults.ts'
import { type Fields, fieldAt, parseForm, textsAt } from './form-fields.ts'
import type { Session } from './processor-records.ts'
import type { ProcessorStore } from './processor-store.ts'
import { disputeObject, intentObject, refundObject, sessionObject } from './stripe-objects.ts'

export type Served = { store: ProcessorStore; base_url: () => string }
type Asked = { id: string; fields: Fields; query: URLSearchParams }
type Run = (served: Served, asked: Asked) => object
type Route = { method: string; path: RegExp; command: string; run: Run }

const CURRENCIES = ['usd', 'eur']
const DAY_MS = 86_400_000
const HALF_HOUR_MS = 1_800_000
/** The smallest and largest amounts that Stripe accepts. */
const LEAST_AMOUNT = 50
const GREATEST_AMOUNT = 99_999_999

export class StripeRefusal extends Error {
  readonly answer: JsonAnswer

  constructor(status: number, error: { type?: string; code?: string; message: string }) {
    super(error.message)
    this.answer = { status, body: { error: { type: 'invalid_request_error', ...error } } }
  }
}

function route(line: string, command: string, run: Run): Route {
  const [method = '', path = ''] = line.split(' ')
  return { method, path: new RegExp(`^/v1${path.replace('{}', '([A-Za-z0-9_]+)')}$`), command, run }
}

const ROUTES: readonly Route[] = [
  route('POST /checkout/sessions', 'session:create', createSession),
  route('GET /checkout/sessions/{}', 'session:read', ({ store, base_url }, { id }) =>
    sessionObject(mustSession(store, id), base_url()),
  ),
  route('POST /checkout/sessions/{}/expire', 'session:expire', ({ store, base_url }, { id }) => {
    if (mustSession(store, id).status !== 'open')
      throw new StripeRefusal(400, {
        message: 'Only Checkout Sessions with a status of open can be expired.',
      })
    return sessionObject(store.expire(id), base_url())
  }),
  route('GET /payment_intents/{}', 'intent:read', ({ store }, { id }) => {
    const intent = store.rows.tables.intent.get(id)
    if (!intent) throw missing('payment_intent', id)
    return intentObject(intent)
  }),
  route('POST /refunds', 'refund:create', createRefund),
  route('GET /refunds', 'refund:list', ({ store }, { query }) =>
    pageOf(store.refunds(query.get('payment_intent') ?? '').map(refundObject), query),
  ),
  route('GET /disputes', 'dispute:list', ({ store }, { query }) =>
    pageOf(store.disputes(query.get('payment_intent') ?? '').map(disputeObject), query),
  ),
]

type Request = { method: string; url: URL; text: string; idempotency_key: string | null }

/** The route, or null if no route has this path. */
export function matchStripeRoute(
  served: Served,
  { method, url, text, idempotency_key }: Request,
): { command: string; run: () => JsonAnswer } | null {
  for (const { method: wanted, path, command, run } of ROUTES) {
    const found = wanted === method ? path.exec(url.pathname) : null
    if (!found) continue
    const asked = { id: found[1] ?? '', fields: parseForm(text), query: url.searchParams }
    const plain = () => ({ status: 200, body: run(served, asked) })
    if (method !== 'POST' || idempotency_key === null) return { command, run: plain }
    const digest = createHash('sha256').update(`${url.pathname}\n${text}`).digest('hex')
    return { command, run: () => once(served.store, { key: idempotency_key, digest }, plain) }
  }
  return null
}

/**
 * The answer to the first request with this key. A different request with the same key is an error.
 */
function once(
  store: ProcessorStore,
  { key, digest }: { key: string; digest: string },
  run: () => JsonAnswer,
): JsonAnswer {
  const { replay } = store.rows.tables
  const before = replay.get(key)
  if (before && before.digest !== digest)
    throw new StripeRefusal(400, {
      type: 'idempotency_error',
      message: 'Keys for idempotent requests can only be used with the same parameters.',
    })
  if (before) return before
  const answer = run()
  replay.put(key, { digest, ...answer })
  store.rows.commit()
  return answer
}

function missing(param: string, id: string): StripeRefusal {
  return new StripeRefusal(404, { code: 'resource_missing', message: `No such ${param}: '${id}'` })
}

function invalid(param: string): StripeRefusal {
  return new StripeRefusal(400, { code: 'parameter_invalid', message: `Invalid ${param}` })
}

function mustSession(store: ProcessorStore, id: string): Session {
  const session = store.session(id)
  if (session) return session
  throw missing('checkout.session', id)
}

function wholeAt(text: string | undefined, param: string): number {
  if (text === undefined || !/^[0-9]{1,9}$/.test(text)) throw invalid(param)
  return Number(text)
}

function createSession({ store, base_url }: Served, { fields }: Asked): object {
  const item = (...path: string[]) => fieldAt(fields, 'line_items', '0', ...path)
  const currency = item('price_data', 'currency') ?? ''
  if (!CURRENCIES.includes(currency)) throw invalid('line_items[0][price_data][currency]')
  const unit = wholeAt(item('price_data', 'unit_amount'), 'unit_amount')
  const amount = unit * wholeAt(item('quantity') ?? '1', 'quantity')
  if (amount < LEAST_AMOUNT || amount > GREATEST_AMOUNT)
    throw new StripeRefusal(400, { code: 'amount_too_small', message: 'The amount is not allowed' })
  const success_url = fieldAt(fields, 'success_url') ?? ''
  if (fieldAt(fields, 'mode') !== 'payment') throw invalid('mode')
  if (!URL.canParse(success_url)) throw invalid('success_url')
  const expires_at = expiryOf(fieldAt(fields, 'expires_at'), store.now)
  const session = store.createSession({
    amount,
    currency,
    description: item('price_data', 'product_data', 'name') ?? '',
    client_reference_id: fieldAt(fields, 'client_reference_id') ?? null,
    metadata: textsAt(fields, 'metadata'),
    success_url,
    cancel_url: fieldAt(fields, 'cancel_url') ?? null,
    created_at: store.now,
    expires_at,
  })
  return sessionObject(session, base_url())
}

/** A time between half an hour and a day from now, with a tolerance of one second on each side. */
function expiryOf(text: string | undefined, now: number): number {
  if (text === undefined) return now + DAY_MS
  const time = Number(text) * 1_000
  const isIn = time >= now + HALF_HOUR_MS - 1_000 && time <= now + DAY_MS + 1_000
  if (!isIn) throw invalid('expires_at')
  return time
}

function createRefund({ store }: Served, { fields }: Asked): object {
  const intent = fieldAt(fields, 'payment_intent') ?? ''
  const amount = fieldAt(fields, 'amount')
  if (!store.rows.tables.intent.has(intent)) throw missing('payment_intent', intent)
  try {
    return refundObject(
      store.refund(intent, amount === undefined ? null : wholeAt(amount, 'amount')),
    )
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new StripeRefusal(400, { code: 'charge_already_refunded', message: error.message })
  }
}

/** Sorted newest first, as Stripe lists them. */
function pageOf(objects: object[], query: URLSearchParams): object {
  const newest = objects.toReversed()
  const limit = Number(query.get('limit') ?? '10')
  const after = query.get('starting_after')
  const start = after === null ? 0 : newest.findIndex((one) => Object(one).id === after) + 1
  const data = newest.slice(start, start + limit)
  return { object: 'list', data, has_more: start + limit < newest.length, url: '/v1' }
}
