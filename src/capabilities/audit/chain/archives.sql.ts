// SQL of archived partitions: their signed records, and the hashes of their rows in shared blocks.
import type { Sql } from '../../../db/database.ts'
import { json, statement } from '../../../db/statement.ts'
import { compile } from '../../../kit/schema.ts'
import { type ArchiveRecord, archiveRecord } from './archive-record.ts'

const allArchives = statement(
  'audit_archives',
  `select name, starts_at, ends_at, row_count, first_id, last_id, first_block, last_block,
          whole_blocks, partial_blocks, merkle_root, sha256, key_id, created_at, record_hash,
          signature, public_key
     from audit_archives order by ends_at`,
)

const { whole_blocks, partial_blocks } = archiveRecord.properties
const wholeBlocks = compile(whole_blocks)
const partialBlocks = compile(partial_blocks)
const textOf = (value: bigint | null) => (value === null ? null : String(value))

/**
 * All records of archives, oldest first. There is one for each partition that an operator archived.
 */
export async function readArchives(sql: Sql): Promise<ArchiveRecord[]> {
  const rows = await sql.run(allArchives)
  return rows.map((row) => ({
    kind: 'archive',
    name: row.name,
    starts_at: row.starts_at?.toISOString() ?? null,
    ends_at: row.ends_at.toISOString(),
    row_count: String(row.row_count),
    first_id: textOf(row.first_id),
    last_id: textOf(row.last_id),
    first_block: textOf(row.first_block),
    last_block: textOf(row.last_block),
    whole_blocks: wholeBlocks.parse(row.whole_blocks),
    partial_blocks: partialBlocks.parse(row.partial_blocks),
    merkle_root: row.merkle_root.toString('hex'),
    sha256: row.sha256.toString('hex'),
    key_id: row.key_id,
    created_at: row.created_at.toISOString(),
    record_hash: row.record_hash.toString('hex'),
    signature: row.signature.toString('base64'),
    public_key: row.public_key.toString('base64'),
  }))
}

/** The archived rows of a block that also seals rows of other partitions. */
export const archivedLeaves = statement(
  'audit_archived_leaves',
  `select archive, xid, id, row_hash from audit_archived_leaves
    where number = :number order by xid, id`,
)

/** Whether an archive has rows with ids from below to above this one. */
export const idIsArchived = statement(
  'audit_id_is_archived',
  `select exists (select from audit_archives
                   where first_id <= :id::bigint and last_id >= :id::bigint) as archived`,
  { not_null: ['archived'] },
)

/** The partitions that have a range, oldest first. */
export const auditPartitions = statement(
  'audit_partitions',
  `select name, starts_at, ends_at, ends_at <= clock_timestamp() - interval '1 year' as may
     from partitions where parent = 'audit_logs' order by ends_at`,
  { not_null: ['may'] },
)

const inPartition = `created_at >= coalesce(:starts_at::timestamptz, '-infinity')
      and created_at < :ends_at::timestamptz`

export const countRows = statement(
  'audit_count_rows_of_partition',
  `select count(*) as count from audit_logs where ${inPartition}`,
  { not_null: ['count'], nullable: ['starts_at'] },
)

/** The first row of the partition after (`after_xid`, `after_id`) in an era. */
export const nextRowOfPartition = statement(
  'audit_next_row_of_partition',
  `select xid, id from audit_logs
    where ${inPartition} and (xid, id) > (:after_xid::text::xid8, :after_id::bigint)
      and id + 0 >= :first_id::bigint and id + 0 < :below_id::bigint
    order by xid, id limit 1`,
  { nullable: ['starts_at'] },
)

const archivePartition = statement(
  'audit_archive_partition',
  'select audit_archive_partition(:entry::jsonb)',
  { writes: true },
)

/** Records the archive and drops its partition. Needs the owner's rights. */
export async function storeArchive(sql: Sql, record: ArchiveRecord): Promise<void> {
  await sql.run(archivePartition, { entry: json(record) })
}
