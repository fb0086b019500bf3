// Creates a checkout for an amount, and with an asset starts it in the same call: POST
// /v1/customers/{customer_id}/billing/gateway/checkouts.
import Type from 'typebox'
import { operation, ownerOf } from '../../../../app.ts'
import { notConfigured } from '../../../../errors/faults.ts'
import { InvalidInput } from '../../../../kit/fault.ts'
import { currencies, formatAmount } from '../../../../kit/money.ts'
import { oneOf } from '../../../../kit/schema.ts'
import { assetName, customerId, networkName, presentOne, topUpResponse } from '../checkout.ts'
import * as faults from '../checkout-faults.ts'
import { newCheckout, startRow } from '../start-checkout.ts'

export const createTopUp = operation({
  name: 'create_top_up',
  does: 'Create a top-up of the balance, paid in a cryptocurrency.',
  more:
    'With an asset it starts at once: show pay_amount, pay_address and network to the payer, and ' +
    'read it until it is paid.',
  at: 'POST /v1/customers/{customer_id}/billing/gateway/checkouts',
  area: 'Billing',
  who: ownerOf('billing:write', { operator: false }),
  takes: Type.Object(
    {
      customer_id: customerId,
      amount_cents: Type.Integer({
        minimum: 1,
        maximum: 1_000_000_000,
        description: 'The amount in minor units: 2500 is 25.00.',
      }),
      currency: oneOf(currencies, { description: 'The currency of the amount.' }),
      asset: Type.Optional(assetName),
      network: Type.Optional(networkName),
    },
    { title: 'CheckoutRequest' },
  ),
  gives: topUpResponse,
  fails: [
    notConfigured,
    faults.assetNotOffered,
    faults.checkoutStarted,
    faults.gatewayUnavailable,
    faults.startsLimited,
    faults.tooManyTopUps,
  ],
  effect: 'own',
  target: (input, output) => ({
    target_type: 'checkout',
    target: output?.id ?? null,
    metadata: { amount_cents: input.amount_cents, currency: input.currency },
  }),
  tools: [
    {
      group: 'account',
      title: 'Top up the balance',
      examples: [{ amount_cents: 2500, currency: 'USD', asset: 'USDC' }],
      destructive: false,
      idempotent: false,
      open_world: true,
    },
  ],
  async run({ amount_cents, currency, asset, network }, call, app) {
    const { checkout_least_cents: least, checkout_most_cents: most } = app.settings
    requireWithin(amount_cents, { least, most })
    if (network !== undefined && asset === undefined)
      throw new InvalidInput([
        { path: ['asset'], msg: 'Field required with network', type: 'missing' },
      ])
    const row = await newCheckout(app, call, { amount_cents, currency })
    if (asset === undefined) return presentOne(call.sql, row)
    return presentOne(call.sql, await startRow(app, call, { row, wanted: { asset, network } }))
  },
})

function requireWithin(cents: number, { least, most }: { least: number; most: number }): void {
  if (cents >= least && cents <= most) return
  const [from, to] = [least, most].map((limit) => formatAmount(BigInt(limit)))
  throw new InvalidInput([
    { path: ['amount_cents'], msg: `Top-ups are from ${from} to ${to}`, type: 'amount_limits' },
  ])
}
