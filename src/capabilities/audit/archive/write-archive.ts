// Writes the archive of a partition: streamed into a file of its own, flushed, and only then given
// its name, which never replaces another file.
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Sql } from '../../../db/database.ts'
import type { Row } from '../../../db/statement.ts'
import { nextRowOfPartition } from '../chain/archives.sql.ts'
import { blockOf, blockOfRow, readEras } from '../chain/audit.sql.ts'
import type { Block } from '../chain/block.ts'
import { belowId, type Eras, verifiedLeaves } from '../chain/block-leaves.ts'
import { Unsound } from '../chain/unsound.ts'
import { blockLine, endLine, headerLine, leafLine, rowLine } from './archive-format.ts'

export type Partition = Row<'audit_partitions'>

/** Writes the archive; throws Unsound for a row that is not sealed or not as it was sealed. */
export async function writeArchive(sql: Sql, dir: string, partition: Partition): Promise<void> {
  await createFile(dir, `${partition.name}.jsonl.gz`, async (path) => {
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
    await pipeline(Readable.from(linesOf(sql, partition)), createGzip(), file)
  })
}

/** Writes a small file in the same way. */
export async function writeBeside(dir: string, name: string, text: string): Promise<void> {
  await createFile(dir, name, async (path) => {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
  })
}

/** A link fails where a file of that name is, which a rename would replace. */
async function createFile(
  dir: string,
  name: string,
  write: (path: string) => Promise<void>,
): Promise<void> {
  const partial = join(dir, `${name}.${randomBytes(6).toString('hex')}.partial`)
  try {
    await write(partial)
    await link(partial, join(dir, name))
  } finally {
    await rm(partial, { force: true })
  }
  await syncFolder(dir)
}

/** Makes the new name durable; Windows has no such call, and needs none. */
async function syncFolder(dir: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(dir, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Removes the unfinished files of an interrupted run. */
export async function removePartial(dir: string, name: string): Promise<void> {
  const left = (await readdir(dir)).filter(
    (one) => one.startsWith(`${name}.`) && one.endsWith('.partial'),
  )
  for (const one of left) await rm(join(dir, one), { force: true })
}

async function* linesOf(sql: Sql, partition: Partition): AsyncGenerator<string> {
  const { name, starts_at, ends_at } = partition
  const counts = { blocks: 0, rows: 0 }
  const header = { name, starts_at: starts_at?.toISOString() ?? null }
  yield `${headerLine({ ...header, ends_at: ends_at.toISOString() })}\n`
  const eras = await sql.run(readEras)
  for await (const block of blocksOfPartition(sql, partition, eras)) {
    let text = `${blockLine(block)}\n`
    for (const leaf of await verifiedLeaves(sql, block, eras)) {
      const inside =
        leaf.row !== null &&
        leaf.row.created_at < ends_at &&
        (starts_at === null || leaf.row.created_at >= starts_at)
      text += `${inside && leaf.row ? rowLine(leaf.row) : leafLine(leaf)}\n`
      counts.rows += inside ? 1 : 0
    }
    counts.blocks += 1
    yield text
  }
  yield `${endLine(counts)}\n`
}

/** Each block that sealed a row of the partition, in the order of the chain. */
async function* blocksOfPartition(
  sql: Sql,
  { starts_at, ends_at }: Partition,
  eras: Eras,
): AsyncGenerator<Block> {
  for (const { era, first_id } of eras) {
    let [after_xid, after_id] = ['0', 0n]
    for (;;) {
      const next = await sql.maybe(nextRowOfPartition, {
        ...{ starts_at, ends_at, after_xid, after_id },
        ...{ first_id, below_id: belowId(eras, era) },
      })
      if (!next) break
      const found = await sql.maybe(blockOfRow, { xid: next.xid, id: next.id })
      if (!found) throw new Unsound('row', String(next.id), 'is not sealed yet')
      const block = blockOf(found)
      yield block
      ;[after_xid, after_id] = [block.to_xid, BigInt(block.to_id)]
    }
  }
}
