// Prices of assets: quotes, and the check of stablecoins against their peg.
import type { Currency } from '../../../kit/money.ts'
import { type Price, type Rates, RatesUnavailable } from '../../rates/port.ts'
import { type AssetKey, GatewayUnavailable, type Quote, type Withheld } from '../port.ts'
import type { EvmAsset } from './networks.ts'
import type { OpenNetwork } from './observation-round.ts'
import { isOffPeg, pegQuote, priceQuote } from './quotes.ts'

export type Found = OpenNetwork & { asset: EvmAsset }

/** Throws GatewayUnavailable for an asset that is not configured. */
export function configuredAsset(open: readonly OpenNetwork[], { asset, network }: AssetKey): Found {
  const found = open.find((one) => one.network.name === network)
  const coin = found?.network.assets.find(({ symbol }) => symbol === asset)
  if (!found || !coin) throw new GatewayUnavailable(`${asset} on ${network} is not configured`)
  return { ...found, asset: coin }
}

type Quoting = { rates: Rates; now: Date }

/** Rejects with GatewayUnavailable for a stablecoin off its peg, or if there is no rate. */
export async function quoteOf(
  asset: EvmAsset,
  currency: Currency,
  { rates, now }: Quoting,
): Promise<Quote> {
  try {
    if (asset.pegged_to === null)
      return priceQuote(asset, await rates.price(asset.symbol, currency))
    const price = await rates.price(asset.symbol, asset.pegged_to)
    if (isOffPeg(price)) throw new GatewayUnavailable(`${asset.symbol} is off its peg`)
    if (asset.pegged_to === currency) return pegQuote(asset, now)
    return priceQuote(asset, await rates.price(asset.pegged_to, currency))
  } catch (error) {
    if (!(error instanceof RatesUnavailable)) throw error
    throw new GatewayUnavailable(error.message, { cause: error })
  }
}

/** The stablecoins among the assets of payments that are off their peg, or may be. */
export async function withheldOf(
  open: readonly OpenNetwork[],
  payments: readonly AssetKey[],
  rates: Rates,
): Promise<Withheld[]> {
  const keys = new Map(
    payments.map(({ asset, network }) => [`${asset} ${network}`, { asset, network }]),
  )
  const withheld: Withheld[] = []
  for (const key of keys.values()) {
    const { asset } = configuredAsset(open, key)
    if (asset.pegged_to === null) continue
    const price = await priceOf(rates, asset.symbol, asset.pegged_to)
    if (price === null) withheld.push({ ...key, reason: 'no_rate' })
    else if (isOffPeg(price)) withheld.push({ ...key, reason: 'off_peg' })
  }
  return withheld
}

async function priceOf(rates: Rates, coin: string, currency: Currency): Promise<Price | null> {
  try {
    return await rates.price(coin, currency)
  } catch (error) {
    if (error instanceof RatesUnavailable) return null
    throw error
  }
}
