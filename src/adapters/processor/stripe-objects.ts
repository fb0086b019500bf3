// Stripe's objects, validated and in the port's terms, because its library types them but checks
// nothing.
import Type from 'typebox'
import { type Currency, currencies } from '../../kit/money.ts'
import { compile, nullable, type Validator } from '../../kit/schema.ts'
import {
  type Dispute,
  type ProcessorEvent,
  type ProcessorSession,
  ProcessorUnavailable,
  type Refund,
} from './port.ts'

const id = Type.String({ minLength: 3, maxLength: 255, pattern: '^[A-Za-z0-9_]+$' })
/** An amount of at most twelve digits. */
const amount = Type.Integer({ minimum: 0, maximum: 999_999_999_999 })
const seconds = Type.Integer({ minimum: 0, maximum: 7_258_118_400 })

const sessionShape = compile(
  Type.Object({
    id,
    // The intent, or null in modes other than payments.
    amount_total: nullable(amount),
    currency: nullable(Type.String()),
    status: nullable(Type.String({ maxLength: 100 })),
    payment_status: Type.String({ maxLength: 100 }),
    payment_intent: nullable(id),
    client_reference_id: nullable(Type.String()),
    metadata: nullable(Type.Record(Type.String(), Type.String())),
    url: nullable(Type.String()),
    mode: Type.String({ maxLength: 100 }),
  }),
)
const intentShape = compile(Type.Object({ id, status: Type.String() }))
const movement = { id, amount, currency: Type.String(), created: seconds, payment_intent: id }
const status = Type.String({ maxLength: 100 })
const refundShape = compile(Type.Object({ ...movement, status }))
const disputeShape = compile(Type.Object({ ...movement, status }))
/** An event may have another object or none, and then names nothing that can be read back. */
const subjectShape = compile(
  Type.Object({
    object: Type.Object({
      id: Type.Optional(Type.String()),
      object: Type.String(),
      payment_intent: Type.Optional(nullable(Type.String())),
    }),
  }),
)
const eventShape = compile(
  Type.Object({
    id,
    type: Type.String(),
    livemode: Type.Boolean(),
    data: Type.Optional(Type.Unknown()),
  }),
)

function parse<T>(shape: Validator<T>, value: unknown, noun: string): T {
  try {
    return shape.parse(value)
  } catch (cause) {
    throw new ProcessorUnavailable(`Stripe: the ${noun} is not as documented`, { cause })
  }
}

function currencyOf(text: string): Currency | null {
  return currencies.find((one) => one === text.toUpperCase()) ?? null
}

/** `wanted` is the requested id. Throws ProcessorUnavailable. */
export function sessionOf(value: unknown, wanted: string | null): ProcessorSession {
  const session = parse(sessionShape, value, 'session')
  const { amount_total, payment_status, payment_intent, metadata, url } = session
  const unknown_word = unknownWordOf(session)
  const status = statuses.find((one) => one === session.status) ?? 'unknown'
  const isPaid = payment_status === 'paid' && unknown_word === null
  // A paid session without an intent would have another mode, or be free.
  const isOdd = isPaid && (payment_intent === null || status !== 'complete')
  if (isOdd || (wanted !== null && session.id !== wanted))
    throw new ProcessorUnavailable('Stripe: the session is not the one asked for')
  if (url !== null && !URL.canParse(url))
    throw new ProcessorUnavailable('Stripe: the session has no usable page')
  return {
    id: session.id,
    url,
    status: unknown_word === null ? status : 'unknown',
    unknown_word,
    is_paid: isPaid,
    has_failed: false,
    amount_cents: BigInt(amount_total ?? 0),
    currency: session.currency === null ? null : currencyOf(session.currency),
    customer_id: session.client_reference_id,
    checkout_id: metadata?.checkout_id ?? null,
    payment_intent,
  }
}

const statuses = ['open', 'complete', 'expired'] as const
const paymentStatuses = ['paid', 'unpaid', 'no_payment_required']

type Words = { status: string | null; payment_status: string; mode: string }

/** The first word that this version does not know, or null if all are known. */
function unknownWordOf({ status, payment_status, mode }: Words): string | null {
  if (mode !== 'payment') return `mode ${mode}`
  if (!statuses.some((one) => one === status)) return `status ${status}`
  return paymentStatuses.includes(payment_status) ? null : `payment_status ${payment_status}`
}

/** Whether a payment that took days has failed. Throws ProcessorUnavailable. */
export function hasFailed(value: unknown, payment_intent: string): boolean {
  const intent = parse(intentShape, value, 'payment intent')
  if (intent.id !== payment_intent)
    throw new ProcessorUnavailable('Stripe: the payment intent is not the one asked for')
  return ['requires_payment_method', 'canceled'].includes(intent.status)
}

const refundFunds: Readonly<Record<string, Refund['funds']>> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'withdrawn',
  failed: 'returned',
  canceled: 'returned',
}

export function refundOf(value: unknown, payment_intent: string): Refund {
  const refund = parse(refundShape, value, 'refund')
  if (refund.payment_intent !== payment_intent)
    throw new ProcessorUnavailable(`Stripe: the refund ${refund.id} is of another payment`)
  return { ...moved(refund), ...fundsOf(refundFunds, refund.status) }
}

/** An appeal follows a lost dispute, so the money stays withdrawn. */
const disputeFunds: Readonly<Record<string, Dispute['funds']>> = {
  warning_needs_response: 'untouched',
  warning_under_review: 'untouched',
  warning_closed: 'untouched',
  prevented: 'untouched',
  needs_response: 'withdrawn',
  under_review: 'withdrawn',
  appeal_needs_response: 'withdrawn',
  appeal_under_review: 'withdrawn',
  lost: 'withdrawn',
  won: 'returned',
}
const finalStatuses = ['won', 'lost', 'warning_closed', 'prevented']

export function disputeOf(value: unknown, payment_intent: string): Dispute {
  const dispute = parse(disputeShape, value, 'dispute')
  const { status: word } = dispute
  if (dispute.payment_intent !== payment_intent)
    throw new ProcessorUnavailable(`Stripe: the dispute ${dispute.id} is of another payment`)
  return {
    ...moved(dispute),
    ...fundsOf(disputeFunds, word),
    is_final: finalStatuses.includes(word),
  }
}

/** A word from a later version of Stripe has no known meaning for the money. */
function fundsOf<F extends string>(
  known: Readonly<Record<string, F>>,
  word: string,
): { funds: F | 'unknown'; unknown_word: string | null } {
  const funds = Object.hasOwn(known, word) ? known[word] : undefined
  return funds === undefined
    ? { funds: 'unknown', unknown_word: word }
    : { funds, unknown_word: null }
}

type Movement = { id: string; amount: number; currency: string; created: number }

function moved({ id: movementId, amount: cents, currency, created }: Movement) {
  return {
    id: movementId,
    amount_cents: BigInt(cents),
    currency: currencyOf(currency),
    at: new Date(created * 1_000),
  }
}

/**
 * The event, or null if it belongs to the other mode, because a test payment does not count. A
 * signed body that is not an event has no id and no type.
 */
export function eventOf(value: unknown, is_live: boolean): ProcessorEvent | null {
  if (!eventShape.check(value)) return { id: '', type: '', session_id: null, payment_intent: null }
  const { id: eventId, type, livemode, data } = value
  if (livemode !== is_live) return null
  if (!subjectShape.check(data))
    return { id: eventId, type, session_id: null, payment_intent: null }
  const { object } = data
  const isSession = object.object === 'checkout.session'
  return {
    id: eventId,
    type,
    session_id: isSession ? (object.id ?? null) : null,
    payment_intent: isSession ? null : (object.payment_intent ?? null),
  }
}
