// The command archive-audit: moves the oldest partition of the log into an archive. It writes the
// archive, reads it back and verifies it, signs it, and then records it and drops the partition in
// one transaction. After a crash the next run
// continues.
import { existsSync } from 'node:fs'
import type { Database, Sql } from '../../../db/database.ts'
import { databaseTime } from '../../../db/server.sql.ts'
import type { ArchiveFacts, ArchiveRecord } from '../chain/archive-record.ts'
import { auditPartitions, countRows, readArchives, storeArchive } from '../chain/archives.sql.ts'
import { storeAuditRow } from '../chain/audit.sql.ts'
import type { Trusted } from '../chain/block.ts'
import { readContinuity } from '../chain/continuity.ts'
import { notedHead } from '../chain/noted-head.ts'
import { type SignerSettings, trustedKeys } from '../chain/signer.ts'
import { Unsound } from '../chain/unsound.ts'
import { auditRowOf } from '../rows/row.ts'
import { signedRecord } from './manifest.ts'
import { archiveFile } from './read-archive.ts'
import { checkAgainstDatabase } from './verify-archives.ts'
import { type Partition, removePartial, writeArchive } from './write-archive.ts'

type Parts = { db: Database; settings: SignerSettings }
type Archiving = Parts & {
  partition: string
  /** The folder of the archives. */
  dir: string
}
type Done = { ok: boolean; lines: string[] }

const refused = (...lines: string[]): Done => ({ ok: false, lines })

/** Returns lines for the operator; `ok` false should end the command with status 1. */
export async function archiveAudit(archiving: Archiving): Promise<Done> {
  const { db, dir, settings, partition: name } = archiving
  const trusted = trustedKeys({ settings })
  const done = (await readArchives(db)).find((one) => one.name === name)
  if (done) return alreadyArchived(archiving, done, trusted)
  const partitions = await db.run(auditPartitions)
  const partition = partitions.find((one) => one.name === name)
  const [oldest] = partitions
  if (!partition || partition !== oldest)
    return refused(`Only the oldest partition can be archived: ${oldest?.name ?? 'there is none'}.`)
  if (!partition.may) return refused(`${name} has not ended at least a year ago.`)
  const noted = notedHead({ settings })
  const { problem } = await readContinuity(db, { trusted: () => trusted, noted })
  if (problem) return refused(problem.detail)
  if (!existsSync(dir)) return refused(`There is no folder ${dir}.`)
  try {
    await removePartial(dir, name)
    if (!existsSync(archiveFile(dir, name))) await writeArchive(db, dir, partition)
    const facts = await readBack(db, { dir, partition, trusted })
    const record = await signedRecord(archiving, facts)
    await dropPartition(db, record)
    return { ok: true, lines: linesOf(record) }
  } catch (error) {
    if (!(error instanceof Unsound)) throw error
    const { what, id, problem: found } = error.finding
    return refused(`BAD ${what} ${id} ${found}.`, `${name} was not archived.`)
  }
}

/** After a crash behind the last step, the archive must exist, and nothing is left to do. */
async function alreadyArchived(
  { db, dir, partition: name }: Archiving,
  record: ArchiveRecord,
  trusted: Trusted,
): Promise<Done> {
  try {
    await checkAgainstDatabase(db, { dir, record, trusted })
  } catch (error) {
    if (!(error instanceof Unsound)) throw error
    return refused(`BAD archive ${name} ${error.finding.problem}.`)
  }
  return { ok: true, lines: [`${name} is already archived, and its archive is valid.`] }
}

type ReadBack = { dir: string; partition: Partition; trusted: Trusted }

/** The archive as it is on disk, verified against the database. */
async function readBack(sql: Sql, { dir, partition, trusted }: ReadBack): Promise<ArchiveFacts> {
  const { name, starts_at, ends_at } = partition
  const facts = await checkAgainstDatabase(sql, { dir, record: { name }, trusted })
  const { count } = await sql.one(countRows, { starts_at, ends_at })
  const same =
    facts.starts_at === (starts_at?.toISOString() ?? null) &&
    facts.ends_at === ends_at.toISOString()
  if (!same) throw new Unsound('archive', name, 'is of another time than the partition')
  if (facts.row_count !== String(count))
    throw new Unsound(
      'archive',
      name,
      `has ${facts.row_count} rows, and the partition ${count}: all must be sealed, and unchanged`,
    )
  return facts
}

async function dropPartition(db: Database, record: ArchiveRecord): Promise<void> {
  const { name, row_count, first_id, last_id, first_block, last_block, sha256 } = record
  await db.transaction(async (sql) => {
    const row = auditRowOf(
      {
        entry_point: 'cli',
        action: 'archive_audit',
        caller: { kind: 'operator', key_id: 0n, label: 'bin/call' },
        agent_identifier: 'bin/call',
        now: await databaseTime(sql),
      },
      {
        target_type: 'audit_archive',
        target: name,
        customer_id: null,
        metadata: { row_count, first_id, last_id, first_block, last_block, sha256 },
      },
    )
    await storeAuditRow(sql, row)
    await storeArchive(sql, record)
  })
}

function linesOf({ name, row_count, first_block, last_block, sha256 }: ArchiveRecord): string[] {
  const blocks = first_block === null ? '' : `, of blocks ${first_block} to ${last_block}`
  return [
    `Archived ${name}: ${row_count} rows${blocks}. The partition is dropped.`,
    `SHA-256 of ${name}.jsonl.gz: ${sha256}`,
    `Keep ${name}.jsonl.gz and ${name}.json: bin/call verify-audit --archive DIR reads them.`,
  ]
}
