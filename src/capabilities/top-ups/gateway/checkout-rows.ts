// Rows of checkouts and their payments in the types of the rules: bigint amounts, closed unions.
import type { Gateway } from '../../../adapters/gateway/port.ts'
import type { App } from '../../../app.ts'
import { notConfigured } from '../../../errors/faults.ts'
import { currencies } from '../../../kit/money.ts'
import { wordOf } from '../../../kit/schema.ts'
import type { PaymentRow } from './checkout-payments.sql.ts'
import type { TopUpRow } from './checkouts.sql.ts'
import { parkedReasons, statuses, treatments } from './settling/next-step.ts'

export type Checkout = ReturnType<typeof topUpOf>
export type CheckoutPayment = ReturnType<typeof paymentOf>

export function topUpOf(row: TopUpRow) {
  return {
    ...row,
    currency: wordOf(currencies, row.currency),
    status: wordOf(statuses, row.status),
    terms: termsOf(row),
  }
}

/** Null until its start. */
function termsOf(row: TopUpRow) {
  const { started_at, asset, network, decimals, is_pegged, required_confirmations } = row
  const { reference, pay_address, pay_amount, payment_uri, quote_units, quote_cents } = row
  const isStarted =
    started_at !== null &&
    asset !== null &&
    network !== null &&
    decimals !== null &&
    is_pegged !== null &&
    required_confirmations !== null &&
    reference !== null &&
    pay_address !== null &&
    pay_amount !== null &&
    payment_uri !== null &&
    quote_units !== null &&
    quote_cents !== null
  if (!isStarted) return null
  return {
    asset,
    network,
    decimals,
    is_pegged,
    required_confirmations,
    reference,
    pay_address,
    pay_amount: BigInt(pay_amount),
    payment_uri,
    quote: { units: BigInt(quote_units), cents: BigInt(quote_cents) },
  }
}

const states = ['seen', 'confirmed', 'orphaned'] as const
const withholdings = ['off_peg', 'no_rate'] as const

export function paymentOf(row: PaymentRow) {
  const { value_currency, value_cents, rate_units, rate_cents } = row
  return {
    ...row,
    amount: BigInt(row.amount),
    quoted_amount: BigInt(row.quoted_amount),
    received_units: row.received_units === null ? null : BigInt(row.received_units),
    state: wordOf(states, row.state),
    treatment: wordOf(treatments, row.treatment),
    reason: row.reason === null ? null : wordOf(parkedReasons, row.reason),
    withheld: row.withheld === null ? null : wordOf(withholdings, row.withheld),
    value:
      value_currency === null || value_cents === null
        ? null
        : { currency: value_currency, cents: value_cents },
    rate:
      rate_units === null || rate_cents === null
        ? null
        : { units: BigInt(rate_units), cents: BigInt(rate_cents) },
  }
}

/** Throws notConfigured if there is no gateway. */
export function gatewayOf({ gateway }: Pick<App, 'gateway'>): Gateway {
  if (gateway) return gateway
  throw notConfigured({
    detail: 'No payment gateway is configured.',
    hint: 'An operator must set GATEWAY. Until then, top up by card, if that is configured.',
  })
}
