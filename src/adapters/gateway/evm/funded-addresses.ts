// Funds that the operator's wallet can collect: the deposit addresses with a balance and their
// paths, and the gap limit that the wallet needs to find all of them.
import type { DepositPath, DeriveAddress } from './deposit-addresses.ts'
import { lowerAddress } from './networks.ts'
import { batches, type OpenNetwork } from './observation-round.ts'

export type FundedAddress = {
  path: string
  address: string
  network: string
  asset: string
  /** The amount in base units. */
  balance: bigint
}

/** Addresses without a balance are left out. Rejects with GatewayUnavailable. */
export async function readFunded(
  { network, readers }: OpenNetwork,
  paths: readonly DepositPath[],
  derive: DeriveAddress,
): Promise<FundedAddress[]> {
  const [reader] = readers
  if (!reader) return []
  const head = await reader.head()
  const funded: FundedAddress[] = []
  for (const some of batches(paths, network)) {
    const places = some.map((path) => ({
      path: `${path.branch}/${path.index}`,
      address: derive(path),
    }))
    const addresses = places.map(({ address }) => lowerAddress(address))
    for (const { symbol, contract } of network.assets) {
      const balances =
        contract === null
          ? await reader.balances(addresses, head)
          : await reader.tokenBalances(contract, addresses)
      for (const [at, place] of places.entries()) {
        const balance = balances[at] ?? 0n
        if (balance > 0n) funded.push({ ...place, network: network.name, asset: symbol, balance })
      }
    }
  }
  return funded
}

/**
 * How many unused addresses in a row a wallet must look at so that it misses no used one: the
 * longest run of unused indexes before a used one on any branch (BIP-44), and a margin.
 */
export function gapLimit(used: readonly DepositPath[], margin = 20): number {
  const branches = Map.groupBy(used, ({ branch }) => branch)
  let longest = 0
  for (const paths of branches.values()) {
    let last = -1
    for (const index of paths.map((path) => path.index).sort((a, b) => a - b)) {
      longest = Math.max(longest, index - last - 1)
      last = index
    }
  }
  return longest + margin
}
