// Decides the next step of a checkout, from its rows and the time alone: the order in which
// messages came cannot matter.

import type { Currency } from '../../../../kit/money.ts'
import type { PaymentId } from '../../../../kit/random.ts'
import { type Ratio, valuation } from './valuation.ts'

export const statuses = [
  'created',
  'awaiting_payment',
  'confirming',
  'paid',
  'underpaid',
  'expired',
  'failed',
] as const
type CheckoutStatus = (typeof statuses)[number]

export const treatments = [
  'pending',
  'credited',
  'kept',
  'parked',
  'reversed',
  'dismissed',
] as const
export const parkedReasons = [
  'wrong_asset',
  'other_currency',
  'off_peg',
  'facts_changed',
  'credited_elsewhere',
  'too_large',
] as const
export type ParkedReason = (typeof parkedReasons)[number]

type SettledCheckout = {
  amount: bigint
  currency: Currency
  expires_at: Date
  /** Null if it has not started. */
  terms: {
    asset: string
    network: string
    is_pegged: boolean
    pay_amount: bigint
    quote: Ratio
  } | null
}

/** With `is_compared`, the units that the destination received are requested before a credit. */
export type ComparedCheckout = SettledCheckout & { is_compared: boolean }

export type SettledPayment = {
  id: PaymentId
  asset: string
  network: string
  amount: bigint
  state: 'seen' | 'confirmed' | 'orphaned'
  value: { currency: string; cents: bigint } | null
  withheld: 'off_peg' | 'no_rate' | null
  at: Date
  treatment: (typeof treatments)[number]
  credited: bigint
  taken: bigint
  quoted_amount: bigint
  rate: Ratio | null
  reversals: number
  /** The number of readings in a row that have shown that it is gone. */
  gone_readings: number
  /** Base units that its destination received in total, or null if they were not requested yet. */
  received_units: bigint | null
}

export type Step<P extends SettledPayment = SettledPayment> = { payment: P } & (
  | { do: 'credit'; cents: bigint; quoted_amount: bigint }
  | { do: 'keep' | 'reverse' | 'reinstate' }
  | { do: 'park'; reason: ParkedReason }
  /** A present quote is needed first. */
  | { do: 'rate' }
  /**
   * The units that the destination received are needed first; with fewer units there is no credit.
   */
  | { do: 'compare'; enough: bigint }
)

/** The number of readings, apart in time, that must show that a credited payment is gone. */
const readings_to_reverse = 3

/** An operator decides about a payment above 10,000,000.00. */
const most_cents = 1_000_000_000n

/**
 * All steps that can be taken now; one at a time, as each changes what the others see. Reversals
 * first: a payment that replaces one after a reorganization is never credited beside it, and the
 * frozen quote covers it again.
 */
export function stepsOf<P extends SettledPayment>(
  checkout: ComparedCheckout,
  payments: readonly P[],
): Step<P>[] {
  const steps = payments.flatMap((payment) => stepOf(checkout, payments, payment) ?? [])
  const [reversals, others] = [
    steps.filter((step) => step.do === 'reverse'),
    steps.filter((step) => step.do !== 'reverse'),
  ]
  return [...reversals, ...others]
}

function stepOf<P extends SettledPayment>(
  checkout: ComparedCheckout,
  payments: readonly P[],
  payment: P,
): Step<P> | undefined {
  const { treatment, state, withheld } = payment
  if (treatment === 'credited' && state === 'orphaned')
    return payment.gone_readings < readings_to_reverse ? undefined : { do: 'reverse', payment }
  if (treatment === 'reversed' && state === 'confirmed') return { do: 'reinstate', payment }
  const { terms } = checkout
  if (treatment !== 'pending' || state !== 'confirmed' || !terms) return undefined
  if (payment.asset !== terms.asset || payment.network !== terms.network)
    return { do: 'park', reason: 'wrong_asset', payment }
  if (payment.value && payment.value.currency !== checkout.currency)
    return { do: 'park', reason: 'other_currency', payment }
  if (withheld === 'off_peg') return { do: 'park', reason: 'off_peg', payment }
  if (withheld === 'no_rate') return undefined
  // This payment may have taken the place of one that is shown as gone.
  if (payments.some((one) => one.treatment === 'credited' && one.state === 'orphaned'))
    return undefined
  const worth = worthOf(payment, { ...checkout, terms }, payments)
  if (worth === 'rate') return { do: 'rate', payment }
  if (worth.cents === 0n) return { do: 'keep', payment }
  if (worth.cents > most_cents) return { do: 'park', reason: 'too_large', payment }
  const enough = creditedUnits(payment, payments) + payment.amount
  if (checkout.is_compared && (payment.received_units ?? -1n) < enough)
    return { do: 'compare', enough, payment }
  return { do: 'credit', ...worth, payment }
}

/** Whether both are of the same asset. */
function creditedUnits({ asset, network }: SettledPayment, payments: readonly SettledPayment[]) {
  return payments
    .filter((one) => one.treatment === 'credited' && one.asset === asset && one.network === network)
    .reduce((sum, { amount }) => sum + amount, 0n)
}

type Started = SettledCheckout & { terms: NonNullable<SettledCheckout['terms']> }

/** A late payment is worth what the coin is worth when it is confirmed. */
function worthOf(
  { amount, value, at, rate }: SettledPayment,
  { terms, expires_at }: Started,
  payments: readonly SettledPayment[],
) {
  if (value) return { cents: value.cents, quoted_amount: 0n }
  const { quote, pay_amount, is_pegged } = terms
  if (at > expires_at) return valuation({ amount, covered: 0n, frozen: quote, rate })
  const used = payments
    .filter(({ treatment }) => treatment === 'credited')
    .reduce((sum, { quoted_amount }) => sum + quoted_amount, 0n)
  const left = used < pay_amount ? pay_amount - used : 0n
  return valuation({ amount, covered: is_pegged ? null : left, frozen: quote, rate })
}

/** The credit of a payment, without the part that reorganizations took back. */
export const creditOf = ({ credited, taken }: Pick<SettledPayment, 'credited' | 'taken'>) =>
  credited - taken

/**
 * `failed`: the time is over, nothing is credited, and a payment came that could not be, or that is
 * gone again.
 */
export function statusOf(
  { amount, terms, expires_at }: SettledCheckout,
  payments: readonly SettledPayment[],
  now: Date,
): CheckoutStatus {
  const credited = payments.reduce((sum, payment) => sum + creditOf(payment), 0n)
  if (credited >= amount) return 'paid'
  if (payments.some(isComing)) return 'confirming'
  if (now <= expires_at) return terms ? 'awaiting_payment' : 'created'
  if (credited > 0n) return 'underpaid'
  return payments.some(({ treatment }) => unusable.includes(treatment)) ? 'failed' : 'expired'
}

const unusable: readonly SettledPayment['treatment'][] = ['parked', 'reversed', 'dismissed']

/** Whether it may still be credited without an operator. */
function isComing({ treatment, state }: SettledPayment): boolean {
  return (treatment === 'pending' || treatment === 'reversed') && state !== 'orphaned'
}
