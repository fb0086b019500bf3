// x402 on EVM chains: the tokens of the networks file that support EIP-3009, and both ways to
// settle.
import { openDeposits } from '../gateway/evm/deposit-addresses.ts'
import { type EvmNetwork, lowerAddress } from '../gateway/evm/networks.ts'
import { GatewaySettingError, GatewayUnavailable } from '../gateway/port.ts'
import { hasOtherDomain, isNonceUsed, transactionThatUsed, verifyOnChain } from './eip3009.ts'
import { type Endpoints, openEndpoints } from './endpoints.ts'
import { openFacilitator } from './facilitator.ts'
import { openGasWallet } from './gas-wallet.ts'
import type { Authorization, Hex, Reading, Terms, X402, X402Asset } from './port.ts'

type X402Options = {
  /** The operator's extended public key. The gas wallet must not be one of its addresses. */
  xpub: string
  networks: readonly EvmNetwork[]
  settle_by:
    | { kind: 'facilitator'; url: string }
    /** `most_gas_price` is in wei. */
    | { kind: 'wallet'; key: Hex; most_gas_price: bigint }
  /** The time limit for each answer of an endpoint. */
  timeout_ms?: number
}

/** Throws GatewaySettingError if the gas wallet belongs to the operator's receiving wallet. */
export function openX402({ xpub, networks, settle_by, timeout_ms = 10_000 }: X402Options): X402 {
  const endpoints = openEndpoints(networks, timeout_ms)
  const settler =
    settle_by.kind === 'facilitator'
      ? openFacilitator(settle_by.url)
      : openGasWallet({ ...settle_by, endpoints })
  if (settler.kind === 'wallet') requireOwnWallet(settler.address, xpub)
  const from = settler.kind === 'wallet' ? settler.address : null
  return {
    assets: networks.flatMap(assetsOf),
    settler,
    checkDomain: (asset) =>
      endpoints.read(asset.chain_id, async ({ client }) => {
        if (await hasOtherDomain(client, asset))
          throw new GatewayUnavailable(
            `${asset.asset} on ${asset.network}: its EIP-712 domain is not that of eip3009`,
          )
      }),
    verify: (terms, authorization) =>
      endpoints.read(terms.chain_id, ({ client }) =>
        verifyOnChain(client, { terms, authorization, from }),
      ),
    read: (terms, authorization, transactions) =>
      readBack(endpoints, { terms, authorization, transactions }),
  }
}

const first_paths = 10

/** Clients use the first addresses of a wallet; all others are compared when they are offered. */
function requireOwnWallet(address: Hex, xpub: string): void {
  const derive = openDeposits(xpub)
  for (let index = 0; index < first_paths; index += 1)
    if (lowerAddress(derive({ branch: 0, index })) === address)
      throw new GatewaySettingError(
        `X402_GAS_KEY is the key of 0/${index} below EVM_XPUB; use a wallet of its own`,
      )
}

function assetsOf({ name, chain_id, assets }: EvmNetwork): X402Asset[] {
  return assets.flatMap(({ symbol, contract, eip3009 }) =>
    contract === null || eip3009 === null
      ? []
      : [{ asset: symbol, network: name, chain_id, token: contract, domain: eip3009 }],
  )
}

type Submitted = { terms: Terms; authorization: Authorization; transactions: readonly Hex[] }

async function readBack(
  endpoints: Endpoints,
  { terms, authorization, transactions }: Submitted,
): Promise<Reading> {
  const { max_blocks, confirmations } = endpoints.networkOf(terms.chain_id)
  return endpoints.read(terms.chain_id, async ({ reader, client }) => {
    const head = await reader.head()
    const settledBy = async (transaction_id: Hex): Promise<Reading | null | 'reverted'> => {
      const transfers = await reader.transfersOf(transaction_id)
      if (transfers === null) return null
      const paid = transfers.find(
        ({ contract, to, units }) =>
          contract === terms.token && to === terms.pay_to && units === terms.units,
      )
      if (!paid) return 'reverted'
      const is_final = head - paid.block + 1n >= BigInt(confirmations)
      return { state: 'settled', transaction_id, is_final }
    }
    const reverted: Hex[] = []
    for (const transaction_id of transactions) {
      const found = await settledBy(transaction_id)
      if (found === 'reverted') reverted.push(transaction_id)
      else if (found) return found
    }
    if (await isNonceUsed(client, terms, authorization)) {
      const from_block = head < BigInt(max_blocks) ? 0n : head - BigInt(max_blocks) + 1n
      const range = { from_block, to_block: head }
      const other = await transactionThatUsed(client, terms, { ...authorization, ...range })
      const found = other === undefined ? null : await settledBy(other)
      return found === null || found === 'reverted' ? { state: 'used' } : found
    }
    const { at } = await reader.block(head)
    const isOver = Math.floor(at.getTime() / 1000) >= authorization.valid_before
    return isOver ? { state: 'expired' } : { state: 'open', reverted }
  })
}
