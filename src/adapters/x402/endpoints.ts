// Failover between the RPC endpoints of a network on which x402 may be paid: it uses the first that
// can be read.
import { type ChainReader, openChainReader } from '../gateway/evm/chain-reader.ts'
import type { EvmNetwork } from '../gateway/evm/networks.ts'
import { openRpcClient, reading } from '../gateway/evm/rpc-client.ts'
import { GatewayUnavailable } from '../gateway/port.ts'
import type { RpcClient } from './eip3009.ts'

type Endpoint = { reader: ChainReader; client: RpcClient }

export type Endpoints = {
  /** Rejects with GatewayUnavailable if none can be read, or all serve another chain. */
  read: <T>(chain_id: number, work: (endpoint: Endpoint) => Promise<T>) => Promise<T>
  networkOf: (chain_id: number) => EvmNetwork
}

export function openEndpoints(networks: readonly EvmNetwork[], timeout_ms: number): Endpoints {
  const open = networks.map((network) => ({
    network,
    endpoints: network.rpc_urls.map((url, at): Endpoint => {
      const name = `RPC ${at + 1} of ${network.name}`
      const options = { url, name, timeout_ms, batch: network.addresses_per_call }
      return { reader: openChainReader(options), client: openRpcClient(options) }
    }),
  }))
  const find = (chain_id: number) => {
    const found = open.find(({ network }) => network.chain_id === chain_id)
    if (!found) throw new GatewayUnavailable(`chain ${chain_id} is not configured`)
    return found
  }
  return {
    networkOf: (chain_id) => find(chain_id).network,
    async read(chain_id, work) {
      const failures: string[] = []
      for (const endpoint of find(chain_id).endpoints) {
        const { reader } = endpoint
        try {
          const given = await reader.chainId()
          if (given !== chain_id)
            throw new GatewayUnavailable(
              `${reader.name}: its chain id is ${given}, not ${chain_id}`,
            )
          return await reading(reader.name, () => work(endpoint))
        } catch (error) {
          if (!(error instanceof GatewayUnavailable)) throw error
          failures.push(error.message)
        }
      }
      throw new GatewayUnavailable(failures.join('; '))
    },
  }
}
