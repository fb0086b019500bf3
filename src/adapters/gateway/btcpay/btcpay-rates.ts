// Rates of a BTCPay Server as exact fractions. A stablecoin counts at its peg, and not at all if it
// is off its peg.
import type { Currency } from '../../../kit/money.ts'
import { parseRate } from '../decimal-units.ts'
import { GatewayUnavailable, type PaymentRequest, type Quote } from '../port.ts'
import { ratesAnswer } from './btcpay-answers.ts'
import type { BtcpayMethod } from './btcpay-methods.ts'
import type { Greenfield } from './btcpay-requests.ts'

/** Percent by which an amount may differ from its rate, and a stablecoin from its peg. */
const most_percent = 1n

function mustRate(rate: string) {
  const parsed = parseRate(rate)
  if (!parsed) throw new GatewayUnavailable('BTCPay Server: a rate is not a decimal above zero')
  return parsed
}

function isNear(value: bigint, expected: bigint): boolean {
  const difference = value > expected ? value - expected : expected - value
  return difference * 100n <= expected * most_percent
}

function requirePeg({ pegged_to, id }: BtcpayMethod, currency: Currency, rate: string): void {
  const { numerator, denominator } = mustRate(rate)
  if (pegged_to === currency && !isNear(numerator, denominator))
    throw new GatewayUnavailable(`BTCPay Server: ${id} is off its peg`)
}

type Priced = { method: BtcpayMethod; request: PaymentRequest; rate: string }

/** Throws GatewayUnavailable unless the units are worth the cents at the rate. */
export function requireFairAmount(units: bigint, { method, request, rate }: Priced): void {
  requirePeg(method, request.currency, rate)
  const { numerator, denominator } = mustRate(rate)
  // Both sides in the same unit: units * rate * 100 = cents * 10^decimals.
  const value = units * numerator * 100n
  const expected = request.amount_cents * denominator * 10n ** BigInt(method.decimals)
  // One base unit may be worth more than 1 % of a small amount.
  const oneUnit = numerator * 100n
  const difference = value > expected ? value - expected : expected - value
  if (!isNear(value, expected) && difference > oneUnit)
    throw new GatewayUnavailable('BTCPay Server: the amount does not fit its rate')
}

/** This many base units for this many cents, without rounding. */
export async function readQuote(
  greenfield: Greenfield,
  asked: { method: BtcpayMethod; currency: Currency; now: Date },
): Promise<Quote> {
  const { method, currency, now } = asked
  const pair = `${method.asset}_${currency}`
  const rates = await greenfield.ask({
    method: 'GET',
    path: greenfield.storePath('/rates'),
    query: { currencyPair: pair },
    answer: ratesAnswer,
  })
  const rate = rates.find(({ currencyPair }) => currencyPair === pair)?.rate ?? null
  if (rate === null) throw new GatewayUnavailable(`BTCPay Server has no rate of ${pair}`)
  requirePeg(method, currency, rate)
  const one = 10n ** BigInt(method.decimals)
  if (method.pegged_to === currency) return { units: one, cents: 100n, quoted_at: now }
  const { numerator, denominator } = mustRate(rate)
  return { units: one * denominator, cents: numerator * 100n, quoted_at: now }
}
