// A checkout as responses show it, with its payments.

import Type, { type Static } from 'typebox'
import { formatUnits } from '../../../adapters/gateway/decimal-units.ts'
import type { Sql } from '../../../db/database.ts'
import { currencies, formatAmount } from '../../../kit/money.ts'
import type { CustomerId } from '../../../kit/random.ts'
import {
  amount,
  dateTime,
  identifier,
  nullable,
  oneOf,
  patterned,
  stringOf,
} from '../../../kit/schema.ts'
import { paymentsOfCheckouts } from './checkout-payments.sql.ts'
import { type Checkout, type CheckoutPayment, paymentOf, topUpOf } from './checkout-rows.ts'
import type { TopUpRow } from './checkouts.sql.ts'
import { creditOf, parkedReasons, statuses, treatments } from './settling/next-step.ts'

export const customerId = stringOf<CustomerId>({ description: 'The customer.' })
export const topUpId = identifier('chk', 'The top-up.')
export const assetName = Type.String({
  minLength: 1,
  maxLength: 20,
  description: 'The asset, such as USDC.',
})
export const networkName = Type.String({
  minLength: 1,
  maxLength: 50,
  description: 'The network, such as base. It is needed if the asset is on several networks.',
})

/** An exact decimal of an asset. */
export const assetAmount = (description: string) =>
  patterned('^[0-9]+(\\.[0-9]+)?$', 'a decimal, such as "0.0125"', { description })

const payment = Type.Object(
  {
    id: Type.String(),
    transaction_id: Type.String(),
    asset: Type.String(),
    network: Type.String(),
    amount: nullable(assetAmount('The amount, or null if the decimals of the asset are unknown.')),
    state: oneOf(['seen', 'confirmed', 'orphaned']),
    confirmations: Type.Integer(),
    treatment: oneOf(treatments, {
      description:
        'kept: it is worth less than a cent. parked: an operator decides. reversed: it is no ' +
        'longer on the network.',
    }),
    reason: nullable(
      Type.String({ description: `Why it is parked: ${parkedReasons.join(', ')}.` }),
    ),
    late: Type.Boolean(),
    credited_amount: amount('The amount that was credited for it.'),
    at: dateTime('When it was observed.'),
  },
  { title: 'CheckoutPayment' },
)

export const topUpResponse = Type.Object(
  {
    id: Type.String(),
    customer_id: stringOf<CustomerId>(),
    amount_cents: Type.Integer(),
    currency: oneOf(currencies),
    status: oneOf(statuses, {
      description:
        'created: choose an asset. underpaid, expired, failed: the time is over, but a late ' +
        'payment is still credited.',
    }),
    asset: nullable(Type.String()),
    network: nullable(Type.String({ description: 'The network to pay on. Pay on no other.' })),
    pay_address: nullable(Type.String()),
    pay_amount: nullable(assetAmount('The exact amount to pay.')),
    payment_uri: nullable(Type.String({ description: 'The payment request for wallets.' })),
    page_url: nullable(Type.String({ description: 'The page to pay on in a browser.' })),
    confirmations: Type.Integer(),
    required_confirmations: nullable(Type.Integer()),
    received_amount: nullable(assetAmount('The amount received, including unconfirmed payments.')),
    credited_amount: amount('The amount that was added to the balance.'),
    expires_at: dateTime('The end of the time to pay.'),
    transactions: Type.Array(payment),
    created_at: dateTime('When it was created.'),
    updated_at: dateTime('When it last changed.'),
  },
  { title: 'CheckoutResponse' },
)
type CheckoutBody = Static<typeof topUpResponse>

/** The responses, with the payments of each checkout. */
export async function presentCheckouts(
  sql: Sql,
  rows: readonly TopUpRow[],
): Promise<CheckoutBody[]> {
  const checkout_ids = rows.map(({ id }) => id)
  const payments = rows.length > 0 ? await sql.run(paymentsOfCheckouts, { checkout_ids }) : []
  const byCheckout = Map.groupBy(payments.map(paymentOf), (one) => one.checkout_id)
  return rows.map((row) => presentCheckout(topUpOf(row), byCheckout.get(row.id) ?? []))
}

export async function presentOne(sql: Sql, row: TopUpRow): Promise<CheckoutBody> {
  const [checkout] = await presentCheckouts(sql, [row])
  if (!checkout) throw new Error(`checkout ${row.id} has no presentation`)
  return checkout
}

function presentCheckout(checkout: Checkout, payments: readonly CheckoutPayment[]): CheckoutBody {
  const { terms } = checkout
  const there = payments.filter(({ state }) => state !== 'orphaned')
  const agreed = there.filter((one) => one.asset === terms?.asset && one.network === terms.network)
  const received = agreed.reduce((sum, one) => sum + one.amount, 0n)
  const credited = payments.reduce((sum, one) => sum + creditOf(one), 0n)
  return {
    id: checkout.id,
    customer_id: checkout.customer_id,
    amount_cents: Number(checkout.amount),
    currency: checkout.currency,
    status: checkout.status,
    asset: terms?.asset ?? null,
    network: terms?.network ?? null,
    pay_address: terms?.pay_address ?? null,
    pay_amount: terms && formatUnits(terms.pay_amount, terms.decimals),
    payment_uri: terms?.payment_uri ?? null,
    page_url: checkout.page_url,
    confirmations: there.length > 0 ? Math.min(...there.map((one) => one.confirmations)) : 0,
    required_confirmations: terms?.required_confirmations ?? null,
    received_amount: terms && formatUnits(received, terms.decimals),
    credited_amount: formatAmount(credited),
    expires_at: checkout.expires_at.toISOString(),
    transactions: payments.map((one) => presentPayment(one, checkout.expires_at)),
    created_at: checkout.created_at.toISOString(),
    updated_at: checkout.updated_at.toISOString(),
  }
}

function presentPayment(one: CheckoutPayment, expires_at: Date): Static<typeof payment> {
  const { id, transaction_id, asset, network, decimals, state, confirmations } = one
  const { treatment, reason, at } = one
  return {
    id,
    transaction_id,
    asset,
    network,
    amount: decimals === null ? null : formatUnits(one.amount, decimals),
    state,
    confirmations,
    treatment,
    reason,
    late: at > expires_at,
    credited_amount: formatAmount(creditOf(one)),
    at: at.toISOString(),
  }
}
