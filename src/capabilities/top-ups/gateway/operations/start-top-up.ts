// Chooses the asset of a checkout: the assets that can be chosen, and the start in one of them.
import Type from 'typebox'
import { formatUnits } from '../../../../adapters/gateway/decimal-units.ts'
import { type Asset, type Gateway, GatewayUnavailable } from '../../../../adapters/gateway/port.ts'
import { type App, operation, ownerOf } from '../../../../app.ts'
import { notConfigured } from '../../../../errors/faults.ts'
import { currencies } from '../../../../kit/money.ts'
import { nullable, wordOf } from '../../../../kit/schema.ts'
import {
  assetAmount,
  assetName,
  customerId,
  networkName,
  presentOne,
  topUpId,
  topUpResponse,
} from '../checkout.ts'
import * as faults from '../checkout-faults.ts'
import { gatewayOf } from '../checkout-rows.ts'
import type { TopUpRow } from '../checkouts.sql.ts'
import { checkoutOfCall, fromGateway, startRow } from '../start-checkout.ts'

export const offeredAsset = Type.Object(
  {
    asset: Type.String(),
    network: Type.String(),
    decimals: Type.Integer(),
    pegged_to: nullable(Type.String({ description: 'The currency of a stablecoin.' })),
    required_confirmations: Type.Integer({
      description: 'The number of confirmations before a payment is credited.',
    }),
  },
  { title: 'Asset' },
)

const payableAsset = Type.Object(
  {
    ...offeredAsset.properties,
    pay_amount: nullable(assetAmount('About the amount to pay, or null if there is no rate now.')),
  },
  { title: 'PayableAsset' },
)

export const getTopUpAssets = operation({
  name: 'get_top_up_assets',
  does: 'List the assets that a top-up can be paid in.',
  at: 'GET /v1/customers/{customer_id}/billing/gateway/checkouts/{checkout_id}/assets',
  area: 'Billing',
  who: ownerOf('billing:read'),
  takes: Type.Object({ customer_id: customerId, checkout_id: topUpId }),
  gives: Type.Object({ assets: Type.Array(payableAsset) }, { title: 'CheckoutAssets' }),
  fails: [notConfigured, faults.topUpNotFound, faults.gatewayUnavailable],
  effect: 'none',
  async run({ checkout_id }, call, app) {
    const row = await checkoutOfCall(call, checkout_id)
    const gateway = gatewayOf(app)
    const assets = await fromGateway(gateway.assets())
    return {
      assets: await Promise.all(
        assets.map(async (asset) => ({
          ...presentAsset(asset),
          pay_amount: await payAmount(app, gateway, { row, asset }),
        })),
      ),
    }
  },
})

/** The amount is exact for the asset that it was started in. */
async function payAmount(
  app: App,
  gateway: Gateway,
  { row, asset }: { row: TopUpRow; asset: Asset },
): Promise<string | null> {
  if (row.pay_amount !== null && row.asset === asset.asset && row.network === asset.network)
    return formatUnits(BigInt(row.pay_amount), asset.decimals)
  try {
    const { units, cents } = await gateway.quote(asset, wordOf(currencies, row.currency))
    return formatUnits((row.amount * units + cents - 1n) / cents, asset.decimals)
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error
    app.log.warn({ err: error, asset: asset.asset }, 'no exchange rate for an asset')
    return null
  }
}

export const presentAsset = (one: Asset) => ({
  asset: one.asset,
  network: one.network,
  decimals: one.decimals,
  pegged_to: one.pegged_to,
  required_confirmations: one.required_confirmations,
})

export const startTopUp = operation({
  name: 'start_top_up',
  does: 'Start a top-up in an asset, which fixes the amount to pay and the address.',
  more: 'A repeated call returns the same response; it cannot be started in another asset then.',
  at: 'POST /v1/customers/{customer_id}/billing/gateway/checkouts/{checkout_id}/start',
  area: 'Billing',
  who: ownerOf('billing:write', { operator: false }),
  takes: Type.Object(
    {
      customer_id: customerId,
      checkout_id: topUpId,
      asset: assetName,
      network: Type.Optional(networkName),
    },
    { title: 'StartRequest' },
  ),
  gives: topUpResponse,
  fails: [
    notConfigured,
    faults.assetNotOffered,
    faults.topUpNotFound,
    faults.checkoutStarted,
    faults.gatewayUnavailable,
    faults.startsLimited,
  ],
  effect: 'own',
  target: ({ checkout_id, asset, network }) => ({
    target_type: 'checkout',
    target: checkout_id,
    metadata: { asset, network: network ?? null },
  }),
  async run({ checkout_id, asset, network }, call, app) {
    const row = await checkoutOfCall(call, checkout_id)
    return presentOne(call.sql, await startRow(app, call, { row, wanted: { asset, network } }))
  },
})
