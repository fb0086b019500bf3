// Every operation that moves money, or opens a way to pay, with its callers: written by hand, and
// compared with the catalog. An operator moves money of its own routes alone.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { operations } from '../../../src/catalog.ts'

const customers = '/v1/customers/{customer_id}/billing'

/** The operations by their callers; the scope is that of a customer's token. */
const callers: Readonly<Record<string, readonly string[]>> = {
  'the customer with billing:write, and no operator': [
    'POST /v1/billing/payments/check',
    `POST ${customers}/gateway/checkouts`,
    `POST ${customers}/gateway/checkouts/{checkout_id}/report`,
    `POST ${customers}/gateway/checkouts/{checkout_id}/start`,
    `POST ${customers}/processor/checkouts`,
    `POST ${customers}/x402/top-ups`,
    'POST /v1/sandbox/top-ups',
  ],
  'the customer with domains:purchase, and no operator': [
    'POST /v1/domains',
    'POST /v1/domains/transfer',
    'POST /v1/domains/{domain}/renew',
    'POST /v1/domains/{domain}/restore',
    'POST /v1/domains/{domain}/transfer/cancel',
  ],
  // A quote fixes a price and holds no money.
  'the customer with domains:read, and no operator': ['POST /v1/quotes'],
  'the customer in person': ['POST /v1/account/reserve', 'POST /v1/domains/{domain}/reserve'],
  'an operator alone': [
    `POST ${customers}/invoices/{invoice_id}/mark-paid`,
    'POST /v1/internal/billing/adjustments',
    'POST /v1/internal/billing/order-refunds',
    'POST /v1/internal/billing/parked-card-checkouts/{checkout_id}/dismiss',
    'POST /v1/internal/billing/parked-card-reversals/dismiss',
    'POST /v1/internal/billing/parked-payments/{payment_id}/credit',
    'POST /v1/internal/billing/parked-payments/{payment_id}/dismiss',
    'POST /v1/internal/billing/processor/top-ups',
    'POST /v1/internal/billing/reserve-releases',
    'POST /v1/internal/billing/reversals',
    'POST /v1/internal/parked-orders/{id}/release',
    'POST /v1/internal/parked-orders/{id}/settle',
  ],
  // An invoice asks for money and moves none.
  'the customer with billing:write, or an operator': [`POST ${customers}/invoices`],
  'anyone, with a signature or a token of its own': [
    'POST /v1/billing/gateway/webhook',
    'POST /v1/billing/processor/webhook',
  ],
}

function callersOf({ who }: (typeof operations)[number]): string {
  if (who.about === 'service') return 'an operator alone'
  if (who.about === 'anyone') return 'anyone, with a signature or a token of its own'
  if (who.in_person) return 'the customer in person'
  const also = who.operator ? ', or an operator' : ', and no operator'
  return `the customer with ${who.scope}${also}`
}

it('is here with its callers, and every operation about money is', () => {
  const moving = operations.filter(
    ({ at, effect, method, who }) =>
      method !== 'GET' &&
      (effect !== 'none' || who.scope === 'domains:purchase') &&
      (/billing|reserve|top-ups|parked-orders|quotes/.test(at) || who.scope === 'domains:purchase'),
  )
  const found = Map.groupBy(moving, callersOf)
  const lists = [...found].map(([who, list]) => [who, list.map(({ at }) => at).sort()])
  assert.deepEqual(Object.fromEntries(lists), callers)
})
