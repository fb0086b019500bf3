// Adapter of Stripe, through its official library, which is loaded at the first use.
import type { Stripe } from 'stripe'
import { boundedFetch } from '../../kit/net/bounded-fetch.ts'
import { PeerHealth } from '../../kit/telemetry.ts'
import {
  type CardProcessor,
  type ProcessorSession,
  ProcessorUnavailable,
  type SessionRequest,
} from './port.ts'
import { disputeOf, eventOf, hasFailed, refundOf, sessionOf } from './stripe-objects.ts'

export type StripeProfile = {
  secret_key: string
  webhook_secret: string | null
  /** The URL `https://api.stripe.com`, or that of a simulated one. */
  url: string
}

/** The time limit of each request. */
const usual_timeout_ms = 15_000
const page_size = 100
/** A payment has only few refunds, so an honest answer has no more pages. */
const most_pages = 10

/** Stripe's own limits for a payment in USD or EUR. */
const least_cents = 50n
const most_cents = 99_999_999n

/** Opens no connection and repeats nothing: the caller repeats, with the same idempotency key. */
export function openStripe(profile: StripeProfile, timeout_ms = usual_timeout_ms): CardProcessor {
  const { secret_key, webhook_secret } = profile
  const is_live = secret_key.includes('_live_')
  const health = new PeerHealth()
  let opened: Promise<Stripe> | undefined
  const client = () => {
    opened ??= load(profile, { timeout_ms, health })
    return opened
  }
  return {
    name: 'stripe',
    least_cents,
    most_cents,
    health: () => health.read(),
    async openSession(request) {
      const { checkout } = await client()
      const options = { idempotencyKey: request.idempotency_key }
      const answer = checkout.sessions.create(sessionParameters(request), options)
      return requireAsked(sessionOf(await available(answer), null), request)
    },
    async readSession(id) {
      const { checkout, paymentIntents } = await client()
      const answer = await available(checkout.sessions.retrieve(id).catch(nullWhereMissing))
      const session = answer && sessionOf(answer, id)
      const intent = session?.payment_intent
      if (session?.status !== 'complete' || session.is_paid || !intent) return session
      const has_failed = hasFailed(await available(paymentIntents.retrieve(intent)), intent)
      return { ...session, has_failed }
    },
    async expireSession(id) {
      const { checkout } = await client()
      return sessionOf(await available(checkout.sessions.expire(id)), id)
    },
    async refunds(payment_intent) {
      const { refunds } = await client()
      const all = await allPages((page) => refunds.list({ payment_intent, ...page }))
      return all.map((one) => refundOf(one, payment_intent))
    },
    async disputes(payment_intent) {
      const { disputes } = await client()
      const all = await allPages((page) => disputes.list({ payment_intent, ...page }))
      return all.map((one) => disputeOf(one, payment_intent))
    },
    async readEvent(rawBody, signature) {
      if (webhook_secret === null) return null
      const { webhooks } = await client()
      let event: unknown
      try {
        event = webhooks.constructEvent(Buffer.from(rawBody), signature, webhook_secret)
      } catch (error) {
        if (Object(error).type === 'StripeSignatureVerificationError') return null
        throw new ProcessorUnavailable('Stripe: a signed event cannot be read', { cause: error })
      }
      return eventOf(event, is_live)
    },
  }
}

type Loading = { timeout_ms: number; health: PeerHealth }

async function load(
  { secret_key, url }: StripeProfile,
  { timeout_ms, health }: Loading,
): Promise<Stripe> {
  const { Stripe } = await import('stripe')
  const { protocol, hostname, port } = new URL(url)
  const isPlain = protocol === 'http:'
  return new Stripe(secret_key, {
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : port,
    protocol: isPlain ? 'http' : 'https',
    timeout: timeout_ms,
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(libraryFetch(health)),
  })
}

/** The library's own clients read answers of any size. */
function libraryFetch(health: PeerHealth): typeof fetch {
  return async (input, init = {}) => {
    const { method = 'GET', headers, body, signal } = init
    const url = input instanceof Request ? input.url : String(input)
    const sent = Object.fromEntries(new Headers(headers))
    try {
      const answer = await boundedFetch(url, { method, headers: sent, body, signal })
      health.noteStatus(answer.status)
      return answer
    } catch (error) {
      health.note('does not respond')
      throw error
    }
  }
}

function sessionParameters(request: SessionRequest): Stripe.Checkout.SessionCreateParams {
  const { customer_id, checkout_id, amount_cents, currency, description } = request
  const metadata = { customer_id, checkout_id }
  return {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount: Number(amount_cents),
          product_data: { name: description },
        },
      },
    ],
    client_reference_id: customer_id,
    metadata,
    payment_intent_data: { metadata },
    success_url: request.success_url,
    cancel_url: request.cancel_url,
    expires_at: Math.floor(request.expires_at.getTime() / 1_000),
  }
}

/** Throws ProcessorUnavailable for a session that belongs to another request. */
function requireAsked(session: ProcessorSession, request: SessionRequest): ProcessorSession {
  const { amount_cents, currency, customer_id, checkout_id } = session
  const isAsked =
    session.unknown_word === null &&
    amount_cents === request.amount_cents &&
    currency === request.currency &&
    customer_id === request.customer_id &&
    checkout_id === request.checkout_id
  if (isAsked) return session
  throw new ProcessorUnavailable('Stripe: the session is not the one asked for')
}

/** Every error of the library: no answer, a refusal, or an answer that is not JSON. */
async function available<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    const { type, statusCode } = Object(cause)
    throw new ProcessorUnavailable(`Stripe: ${type ?? 'no answer'} ${statusCode ?? ''}`.trim(), {
      cause,
    })
  }
}

function nullWhereMissing(error: unknown): null {
  if (Object(error).code === 'resource_missing') return null
  throw error
}

type Page = { limit: number; starting_after?: string }

/** All items of a list, oldest first, although the service lists the newest first. */
async function allPages<T extends { id: string }>(
  read: (page: Page) => Promise<{ data: T[]; has_more: boolean }>,
): Promise<T[]> {
  const all: T[] = []
  for (let page = 0; page < most_pages; page += 1) {
    const last = all.at(-1)
    const after = last ? { starting_after: last.id } : {}
    const answer = await available(read({ limit: page_size, ...after }).catch(nullWhereMissing))
    // This is the answer for an unknown payment intent.
    if (answer === null) return []
    const { data, has_more } = answer
    if (!Array.isArray(data)) throw new ProcessorUnavailable('Stripe: a list is not as documented')
    all.push(...data)
    if (!has_more) return all.reverse()
  }
  throw new ProcessorUnavailable('Stripe: a list does not end')
}
