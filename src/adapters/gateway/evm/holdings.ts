// Holdings of addresses, independent of the payments that were observed: the balance, the units
// that left, and the transactions that brought it, from whichever endpoint shows them.
import { GatewayUnavailable, type Holding, type Holdings } from '../port.ts'
import { configuredAsset } from './asset-prices.ts'
import type { ChainReader, Hash } from './chain-reader.ts'
import { type Address, type EvmAsset, type EvmNetwork, lowerAddress } from './networks.ts'
import { assetKey, batches, type OpenNetwork } from './observation-round.ts'
import { AnswerTooLarge } from './rpc-client.ts'
import { readRange } from './token-payments.ts'

export function openHoldings(open: readonly OpenNetwork[]): Holdings {
  const placeOf = ({ reference, ...key }: Holding) => {
    const { network, readers, asset } = configuredAsset(open, key)
    return { readers, place: { network, asset, address: lowerAddress(reference) } }
  }
  return {
    compared: open.flatMap(({ network }) =>
      network.assets
        .filter(({ contract }) => contract !== null)
        .map((asset) => assetKey(network, asset)),
    ),
    async balances(key, references) {
      const { network, readers, asset } = configuredAsset(open, key)
      const all: (bigint | null)[] = []
      for (const some of batches(references.map(lowerAddress), network)) {
        // An endpoint that is behind shows less.
        const shown = await fromEach(readers, (reader) => balancesOf(reader, asset, some))
        all.push(...some.map((_, at) => largest(shown.map((one) => one[at] ?? null))))
      }
      return all
    },
    async left(holding) {
      const { readers, place } = placeOf(holding)
      const shown = await fromEach(readers, (reader) => outgoing(reader, place, holding.since))
      return largest(shown) ?? 0n
    },
    async incoming(holding) {
      const { readers, place } = placeOf(holding)
      const shown = await fromEach(readers, (reader) => incoming(reader, place, holding.since))
      return [...new Set(shown.flat())]
    },
  }
}

type Place = { network: EvmNetwork; asset: EvmAsset; address: Address }

/** The sum, or null if one of them is null. */
function largest(amounts: readonly (bigint | null)[]): bigint | null {
  const [first = null, ...others] = amounts
  return others.reduce(
    (most, one) => (most === null || one === null ? null : one > most ? one : most),
    first,
  )
}

/**
 * The best result among the endpoints that can be read. Rejects with GatewayUnavailable if none
 * can.
 */
async function fromEach<T>(
  readers: readonly ChainReader[],
  read: (reader: ChainReader) => Promise<T>,
): Promise<T[]> {
  const answers = await Promise.allSettled(readers.map(read))
  const failed = answers.filter((one) => one.status === 'rejected')
  for (const { reason } of failed) if (!(reason instanceof GatewayUnavailable)) throw reason
  const [first] = failed
  if (first && failed.length === readers.length) throw first.reason
  return answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}

/**
 * It is null for the native coin of an address that has sent some, because its balance proves
 * nothing.
 */
async function balancesOf(
  reader: ChainReader,
  { contract }: EvmAsset,
  addresses: readonly Address[],
): Promise<(bigint | null)[]> {
  if (contract !== null) return reader.tokenBalances(contract, addresses)
  const head = await reader.head()
  const [nonces, balances] = [
    await reader.nonces(addresses, head),
    await reader.balances(addresses, head),
  ]
  return balances.map((balance, at) => (nonces[at] === 0 ? balance : null))
}

async function outgoing(reader: ChainReader, place: Place, since: Date): Promise<bigint> {
  const { contract } = place.asset
  if (contract === null) return 0n
  let units = 0n
  const read = async (range: Range): Promise<void> => {
    units += await reader.outgoing({ contract, from: place.address, ...range })
  }
  await inRanges(reader, { network: place.network, since, read })
  return units
}

async function incoming(reader: ChainReader, place: Place, since: Date): Promise<Hash[]> {
  const { contract } = place.asset
  if (contract === null) return []
  const found: Hash[] = []
  const read = async (range: Range): Promise<void> => {
    const filter = { contracts: [contract], to: [place.address], ...range }
    const transfers = await readRange(reader, filter)
    found.push(...transfers.filter(({ units }) => units > 0n).map((one) => one.transaction_id))
  }
  await inRanges(reader, { network: place.network, since, read })
  return found
}

type Range = { from_block: bigint; to_block: bigint }
type Ranging = { network: EvmNetwork; since: Date; read: (range: Range) => Promise<void> }

/** The tolerance between the clocks of block producers and ours. */
const margin_ms = 3_600_000

/** From an hour before `since` to the head, in halves if the range is too large. */
async function inRanges(reader: ChainReader, { network, since, read }: Ranging): Promise<void> {
  const head = await reader.head()
  const width = BigInt(network.max_blocks)
  const halved = async (range: Range): Promise<void> => {
    const { from_block, to_block } = range
    try {
      await read(range)
    } catch (error) {
      if (!(error instanceof AnswerTooLarge) || from_block === to_block) throw error
      const middle = (from_block + to_block) / 2n
      await halved({ from_block, to_block: middle })
      await halved({ from_block: middle + 1n, to_block })
    }
  }
  const first = await blockBefore(reader, head, since.getTime() - margin_ms)
  for (let from_block = first; from_block <= head; from_block += width) {
    const last = from_block + width - 1n
    await halved({ from_block, to_block: last < head ? last : head })
  }
}

/** Bisection, since the times of blocks only grow. It is block 0 if all blocks are later. */
async function blockBefore(reader: ChainReader, head: bigint, time_ms: number): Promise<bigint> {
  let [low, high] = [0n, head]
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    const { at } = await reader.block(middle)
    if (at.getTime() <= time_ms) low = middle
    else high = middle - 1n
  }
  return low
}
