// One observation of one network: the choice of the endpoint and of the last block, and the
// confirmation of payments by depth.
import type { Logger } from 'pino'
import {
  type AssetKey,
  GatewaySettingError,
  GatewayUnavailable,
  type PaymentState,
} from '../port.ts'
import type { Block, ChainReader } from './chain-reader.ts'
import { type Checkpoints, scanStart } from './cursor.ts'
import type { Address, EvmAsset, EvmNetwork } from './networks.ts'

export type Round = {
  network: EvmNetwork
  reader: ChainReader
  /** The other endpoint, or null if only one is configured. */
  second: ChainReader | null
  head: bigint
  from: bigint
  to: bigint
  kept: Checkpoints
  /** The reference of each watched address. */
  references: ReadonlyMap<Address, string>
  log: Pick<Logger, 'error' | 'warn'>
}

/** The endpoints of a network, in the order in which they are tried. */
export type OpenNetwork = { network: EvmNetwork; readers: readonly ChainReader[] }

/**
 * Rejects with GatewaySettingError if the chain or the tokens differ from the networks file, or
 * with GatewayUnavailable.
 */
export async function checkNetwork(reader: ChainReader, network: EvmNetwork): Promise<void> {
  const tokens = network.assets.flatMap(({ contract, ...asset }) =>
    contract === null ? [] : [{ ...asset, contract }],
  )
  // The chain is checked first, because a token's contract may not exist on another one.
  const chain_id = await reader.chainId()
  if (chain_id !== network.chain_id) {
    reader.health.note('serves another chain')
    throw new GatewaySettingError(
      `${reader.name}: its chain id is ${chain_id}, not ${network.chain_id}`,
    )
  }
  const given = await Promise.all(tokens.map(({ contract }) => reader.decimals(contract)))
  for (const [at, { symbol, decimals }] of tokens.entries())
    if (given[at] !== decimals)
      throw new GatewaySettingError(
        `${reader.name}: ${symbol} has ${given[at]} decimals, not ${decimals}`,
      )
}

type RoundInput = {
  checkpoints: Checkpoints
  references: Round['references']
  log: Round['log']
}

/** Uses the first endpoint that can be read and is not behind. Rejects with GatewayUnavailable. */
export async function startRound(
  { network, readers }: OpenNetwork,
  { checkpoints, references, log }: RoundInput,
): Promise<Round> {
  const failures: string[] = []
  for (const reader of readers) {
    try {
      await checkNetwork(reader, network)
      const head = await reader.head()
      const { from, kept, reorganised } = await scanStart({ reader, network, head }, checkpoints)
      if (reorganised)
        log.warn(
          { network: network.name, from: String(from) },
          'chain reorganised: its blocks are read again',
        )
      const last = from + BigInt(network.max_blocks) - 1n
      const second = readers.find((other) => other !== reader) ?? null
      const to = last < head ? last : head
      return { network, reader, second, head, from, to, kept, references, log }
    } catch (error) {
      if (error instanceof GatewaySettingError)
        log.error({ network: network.name, alarm: 'wrong_network' }, error.message)
      else if (!(error instanceof GatewayUnavailable)) throw error
      if (reader.health.read().state !== 'down') reader.health.note('is behind')
      failures.push(error.message)
    }
  }
  throw new GatewayUnavailable(failures.join('; '))
}

/** The depth of a block, counting itself. */
export function confirmationsOf({ head }: Pick<Round, 'head'>, block: bigint): number {
  return block > head ? 0 : Number(head - block) + 1
}

type Deep = { asset: EvmAsset; units: bigint; confirmations: number }

/**
 * `confirmed` if it is deep enough and, above the asset's limit, the second endpoint shows it as
 * well. If that endpoint cannot be read, it stays `seen`.
 */
export async function stateOf(
  { network, second, log }: Round,
  { asset, units, confirmations }: Deep,
  isShownBy: (reader: ChainReader) => Promise<boolean>,
): Promise<PaymentState> {
  if (confirmations < network.confirmations) return 'seen'
  if (second === null || units <= asset.both_rpcs_above) return 'confirmed'
  const shown = await whereReadable(() => isShownBy(second))
  if (shown) return 'confirmed'
  log.warn(
    { network: network.name, alarm: 'rpcs_disagree', rpc: second.name },
    'a large payment waits: the second RPC endpoint does not show it',
  )
  return 'seen'
}

/** It is undefined if the endpoint cannot be read. */
export async function whereReadable<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof GatewayUnavailable) return undefined
    throw error
  }
}

export function assetKey({ name }: EvmNetwork, { symbol }: EvmAsset): AssetKey {
  return { asset: symbol, network: name }
}

/** Reads in batches that each have as many items as one request may have. */
export function batches<T>(items: readonly T[], { addresses_per_call }: EvmNetwork): T[][] {
  const count = Math.ceil(items.length / addresses_per_call)
  return Array.from({ length: count }, (_, at) =>
    items.slice(at * addresses_per_call, (at + 1) * addresses_per_call),
  )
}

/** The blocks of these numbers, each read once. */
export async function blocksOf(
  { reader, network }: Round,
  numbers: Iterable<bigint>,
): Promise<Map<bigint, Block>> {
  const found = new Map<bigint, Block>()
  for (const some of batches([...new Set(numbers)], network))
    for (const block of await Promise.all(some.map((number) => reader.block(number))))
      found.set(block.number, block)
  return found
}
