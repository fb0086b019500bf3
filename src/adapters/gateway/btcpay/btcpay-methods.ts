// Payment methods of a BTCPay Server: the asset and the network of each id.
import type { Asset, AssetKey } from '../port.ts'

export type BtcpayMethod = Pick<Asset, 'asset' | 'network' | 'decimals' | 'pegged_to'> & {
  /** The server's own id for it: `BTC-CHAIN`. */
  id: string
}

/** The server counts them, in the same way for all methods. The number is that of the policy. */
export const speedPolicy = { name: 'LowMediumSpeed', confirmations: 2 } as const

export function assetOf({ asset, network, decimals, pegged_to }: BtcpayMethod): Asset {
  const required_confirmations = speedPolicy.confirmations
  return { asset, network, decimals, pegged_to, required_confirmations }
}

export function findMethod(
  methods: readonly BtcpayMethod[],
  { asset, network }: AssetKey,
): BtcpayMethod | undefined {
  return methods.find((one) => one.asset === asset && one.network === network)
}
