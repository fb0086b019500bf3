// The cursor of observations: for each chain, the newest block that need not be read again, with
// its hash, and a few older ones to go back to when a reorganization has replaced it.
import Type from 'typebox'
import { compile } from '../../../kit/schema.ts'
import { GatewayUnavailable } from '../port.ts'
import type { Block, ChainReader } from './chain-reader.ts'
import type { EvmNetwork } from './networks.ts'

/** The newest comes first. */
export type Checkpoints = readonly { number: number; hash: string }[]

const most_checkpoints = 8
const schema = compile(
  Type.Record(
    Type.String({ pattern: '^[0-9]+$' }),
    Type.Array(
      Type.Object({
        number: Type.Integer({ minimum: 0 }),
        hash: Type.String({ pattern: '^0x[0-9a-f]{64}$' }),
      }),
    ),
  ),
)

/** The cursors by chain id. */
export type Cursor = Record<string, Checkpoints>

export function readCursor(cursor: string | null): Cursor {
  return cursor === null ? {} : schema.parse(JSON.parse(cursor))
}

type ScanStart = {
  from: bigint
  /** Those of the given checkpoints that are canonical. */
  kept: Checkpoints
  reorganised: boolean
}

type Scanning = { reader: ChainReader; network: EvmNetwork; head: bigint }

/**
 * The block to continue from, which is before the fork if the cursor's block is no longer
 * canonical.
 */
export async function scanStart(scanning: Scanning, given: Checkpoints): Promise<ScanStart> {
  const { reader, network, head } = scanning
  const newest = given[0]
  if (newest === undefined) return { from: back(head, network), kept: [], reorganised: false }
  if (BigInt(newest.number) > head)
    throw new GatewayUnavailable(
      `${reader.name}: its head ${head} is below the cursor ${newest.number}`,
    )
  for (const [at, { number, hash }] of given.entries()) {
    const block = await reader.block(BigInt(number))
    if (block.hash !== hash) continue
    return { from: block.number + 1n, kept: given.slice(at), reorganised: at > 0 }
  }
  const oldest = given.at(-1) ?? newest
  return { from: back(BigInt(oldest.number), network), kept: [], reorganised: true }
}

function back(number: bigint, { max_blocks }: EvmNetwork): bigint {
  const from = number - BigInt(max_blocks) + 1n
  return from > 0n ? from : 0n
}

/**
 * The newest block that the next observation need not read again, or null if it starts where this
 * one did.
 */
export function nextCursorBlock(
  { from, to, head }: { from: bigint; to: bigint; head: bigint },
  { rescan_blocks }: EvmNetwork,
): bigint | null {
  const settled = head - BigInt(rescan_blocks)
  const next = to < settled ? to : settled
  return next >= from ? next : null
}

/**
 * Older checkpoints are at least the rescanned blocks apart, so that few of them reach far back.
 */
export function withCheckpoint(
  kept: Checkpoints,
  { number, hash }: Block,
  { rescan_blocks }: EvmNetwork,
): Checkpoints {
  const [newest, older] = kept
  const isNear = newest && older && newest.number - older.number < rescan_blocks
  return [{ number: Number(number), hash }, ...(isNear ? kept.slice(1) : kept)].slice(
    0,
    most_checkpoints,
  )
}
