// Reads an archive as a stream and verifies it whole: seals, Merkle roots and hashes of all rows.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { ArchiveFacts } from '../chain/archive-record.ts'
import { sealProblem, type Trusted } from '../chain/block.ts'
import { byPlace, checkLeaves } from '../chain/block-leaves.ts'
import { MerkleStream, merkleRoot } from '../chain/merkle.ts'
import { Unsound } from '../chain/unsound.ts'
import {
  type ArchivedBlock,
  ArchiveFormatError,
  type ArchiveHeader,
  parseArchive,
} from './archive-format.ts'

type Reading = {
  trusted: Trusted
  /** Called with each block once it is verified. */
  onBlock?: (one: ArchivedBlock) => Promise<void> | void
}

export const archiveFile = (dir: string, name: string) => join(dir, `${name}.jsonl.gz`)

/** The contents of the archive of a partition; throws Unsound at the first inconsistency. */
export async function readArchive(
  dir: string,
  name: string,
  { trusted, onBlock }: Reading,
): Promise<ArchiveFacts> {
  const sha256 = createHash('sha256')
  const facts = new FactsReader(name, trusted)
  try {
    await pipeline(
      createReadStream(archiveFile(dir, name)),
      async function* (octets: AsyncIterable<Buffer>) {
        for await (const some of octets) {
          sha256.update(some)
          yield some
        }
      },
      createGunzip(),
      async (octets: AsyncIterable<Buffer>) => {
        for await (const one of parseArchive(linesOf(octets))) {
          if ('header' in one) facts.begin(one.header)
          else {
            facts.add(one)
            await onBlock?.(one)
          }
        }
      },
    )
  } catch (error) {
    throw unsoundOf(name, error)
  }
  return facts.end(sha256.digest('hex'))
}

function unsoundOf(name: string, error: unknown): unknown {
  if (error instanceof Unsound && error.finding.what !== 'archive') {
    const { what, id, problem } = error.finding
    return new Unsound('archive', name, `is not valid: ${what} ${id} ${problem}`)
  }
  if (error instanceof ArchiveFormatError) return new Unsound('archive', name, error.message)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOENT')
    return new Unsound('archive', name, `is missing: no ${name}.jsonl.gz there`)
  if (code.startsWith('Z_')) return new Unsound('archive', name, 'is truncated or damaged')
  return error
}

async function* linesOf(octets: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const some of octets) {
    const lines = (rest + decoder.decode(some, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') throw new ArchiveFormatError('is truncated: its last line has no end')
}

/** Verifies blocks in their order, and collects what the record of an archive states. */
class FactsReader {
  #name: string
  #trusted: Trusted
  #header: ArchiveHeader | null = null
  #tree = new MerkleStream()
  #row_count = 0
  #ids: { first: bigint; last: bigint } | null = null
  #blocks: { first: string; last: string } | null = null
  #whole: ArchiveFacts['whole_blocks'] = []
  #partial: ArchiveFacts['partial_blocks'] = []

  constructor(name: string, trusted: Trusted) {
    this.#name = name
    this.#trusted = trusted
  }

  begin(header: ArchiveHeader): void {
    if (header.name !== this.#name)
      throw new Unsound('archive', this.#name, `is the archive of ${header.name}`)
    this.#header = header
  }

  add({ block, leaves }: ArchivedBlock): void {
    const bad = (problem: string) => new Unsound('block', block.number, problem)
    const seal = sealProblem(block, this.#trusted)
    if (seal) throw bad(seal)
    if (this.#blocks && BigInt(block.number) <= BigInt(this.#blocks.last))
      throw bad('does not come after the block before it')
    this.#blocks = { first: this.#blocks?.first ?? block.number, last: block.number }
    let before = { xid: block.from_xid, id: BigInt(block.from_id) }
    for (const one of leaves) {
      if (byPlace(before, one) >= 0) throw bad('has rows in another order than that of the chain')
      if (one.row) this.#addRow(one.id, one.row_hash, one.row.created_at)
      before = one
    }
    checkLeaves(block, leaves)
    if (before.xid !== block.to_xid || String(before.id) !== block.to_id)
      throw bad('has another last row than it states')
    this.#note(block.number, leaves)
  }

  #addRow(id: bigint, row_hash: Buffer, created_at: string): void {
    const { starts_at = null, ends_at = '' } = this.#header ?? {}
    const at = Date.parse(created_at)
    if ((starts_at !== null && at < Date.parse(starts_at)) || at >= Date.parse(ends_at))
      throw new Unsound('row', String(id), 'is not of the time of the partition')
    this.#tree.push(row_hash)
    this.#row_count += 1
    const { first, last } = this.#ids ?? { first: id, last: id }
    this.#ids = { first: id < first ? id : first, last: id > last ? id : last }
  }

  #note(number: string, leaves: ArchivedBlock['leaves']): void {
    const rows = leaves.filter(({ row }) => row !== null)
    if (rows.length < leaves.length) {
      const root = merkleRoot(rows.map(({ row_hash }) => row_hash)).toString('hex')
      this.#partial.push({ number, row_count: rows.length, merkle_root: root })
      return
    }
    const run = this.#whole.at(-1)
    if (run && BigInt(run.to) + 1n === BigInt(number)) run.to = number
    else this.#whole.push({ from: number, to: number })
  }

  end(sha256: string): ArchiveFacts {
    return {
      name: this.#name,
      starts_at: this.#header?.starts_at ?? null,
      ends_at: this.#header?.ends_at ?? '',
      row_count: String(this.#row_count),
      first_id: this.#ids === null ? null : String(this.#ids.first),
      last_id: this.#ids === null ? null : String(this.#ids.last),
      first_block: this.#blocks?.first ?? null,
      last_block: this.#blocks?.last ?? null,
      whole_blocks: this.#whole,
      partial_blocks: this.#partial,
      merkle_root: this.#tree.root().toString('hex'),
      sha256,
    }
  }
}
