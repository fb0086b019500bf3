// Verifies archives against the database: their blocks are those of the chain, and their contents
// those of the signed records.
import type { Sql } from '../../../db/database.ts'
import {
  type ArchiveFacts,
  type ArchiveRecord,
  archiveProblem,
  sameFacts,
} from '../chain/archive-record.ts'
import { readArchives } from '../chain/archives.sql.ts'
import { linkAt } from '../chain/audit.sql.ts'
import type { Trusted } from '../chain/block.ts'
import { Unsound } from '../chain/unsound.ts'
import { readArchive } from './read-archive.ts'

type Checked = {
  dir: string
  /** Only its name, while the archive is not recorded yet. */
  record: ArchiveRecord | { name: string }
  trusted: Trusted
}

/** Reads an archive whole; throws Unsound at the first inconsistency. */
export async function checkAgainstDatabase(
  sql: Sql,
  { dir, record, trusted }: Checked,
): Promise<ArchiveFacts> {
  const { name } = record
  const problem = 'sha256' in record ? archiveProblem(record, trusted) : null
  if (problem) throw new Unsound('archive', name, problem)
  const facts = await readArchive(dir, name, {
    trusted,
    onBlock: async ({ block }) => {
      const link = await sql.maybe(linkAt, { number: BigInt(block.number) })
      if (link?.kind !== 'block' || link.hash.toString('hex') !== block.block_hash)
        throw new Unsound('archive', name, `has a block ${block.number} that the log does not have`)
    },
  })
  if ('sha256' in record && !sameFacts(record, facts))
    throw new Unsound('archive', name, 'is not the file that was recorded')
  return facts
}

/** Verifies every recorded archive in a folder; returns their records. */
export async function verifyArchives(
  sql: Sql,
  { dir, trusted }: { dir: string; trusted: Trusted },
): Promise<ArchiveRecord[]> {
  const records = await readArchives(sql)
  for (const record of records) await checkAgainstDatabase(sql, { dir, record, trusted })
  return records
}
