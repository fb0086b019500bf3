// SQL of the audit log: rows, blocks and eras.
import type { AuditRow } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { type Row, statement } from '../../../db/statement.ts'
import type { Block } from './block.ts'

const append = statement('audit_append', 'select audit_append(:row::text::jsonb) as id', {
  not_null: ['id'],
})

/**
 * Stores the row in the transaction of its effect, if `sql` is one. Returns its id.
 */
export async function storeAuditRow(sql: Sql, row: AuditRow): Promise<bigint> {
  return (await sql.one(append, { row: JSON.stringify(row) })).id
}

/** The columns of an entry, except its hash and place. */
export const shown = `id, entry_point, action, actor_type, actor_label, agent_identifier,
  api_key_id, customer_id, target_type, target, result, status_code, error_code, metadata,
  created_at`

export const rowPosition = statement(
  'audit_row_position',
  'select xid, row_hash from audit_logs where id = :id',
)

export const acquireSealerLock = statement(
  'audit_acquire_sealer_lock',
  'select pg_try_advisory_xact_lock(7316402) as taken',
  { not_null: ['taken'] },
)

/**
 * One reading of the chain, without a lock: its newest link, the hash of the link with
 * `noted_number`, whether the newest block's era is known, whether an alarm stops sealing, and
 * whether there may be rows to seal (rather once too often). The newest row is compared, as
 * "exists" would be planned as a scan that hopes for an early hit, and reads the whole table when
 * there is none.
 */
export const headState = statement(
  'audit_head_state',
  `select l.number as newest_number, l.hash as newest_hash,
          (select hash from (select number, block_hash as hash from audit_blocks
                             union all select number, record_hash from audit_restorations) n
            where n.number = :noted_number limit 1) as noted_hash,
          exists (select from audit_eras where h.number is null or era = h.era) as era_known,
          exists (select from audit_alarms
                   where stops_sealing
                     and seen_at > clock_timestamp() - interval '10 seconds') as alarmed,
          h.number is null or h.era < (select max(era) from audit_eras)
          or h.to_xid >= pg_snapshot_xmax(pg_current_snapshot())
          or coalesce((select (a.xid, a.id) > (h.to_xid, h.to_id) from audit_logs a
                        order by a.xid desc, a.id desc limit 1), false) as may
     from (select 1) as one
     left join lateral (select number, era, to_xid, to_id from audit_blocks
                         order by number desc limit 1) h on true
     left join lateral
          (select number, hash
             from ((select number, block_hash as hash from audit_blocks
                     order by number desc limit 1)
                   union all
                   (select number, record_hash from audit_restorations
                     order by number desc limit 1)) as links
            order by number desc limit 1) l on true`,
  { not_null: ['era_known', 'alarmed', 'may'] },
)

/** The block or restoration with this number, as a head. */
export const linkAt = statement(
  'audit_link_at',
  `select 'block' as kind, number, block_hash as hash, era, created_at from audit_blocks
    where number = :number
   union all
   select 'restoration', number, record_hash, era, created_at from audit_restorations
    where number = :number`,
  { not_null: ['kind', 'number', 'hash', 'era', 'created_at'] },
)

export const blockColumns = `number, era, first_id, highest_id, from_xid, from_id, to_xid, to_id,
  row_count, merkle_root, previous_hash, key_id, created_at, block_hash, signature, public_key`

export const newestBlock = statement(
  'audit_newest_block',
  `select ${blockColumns} from audit_blocks order by number desc limit 1`,
)

/** Up to `limit` blocks after the number `after`. */
export const blocksAfter = statement(
  'audit_blocks_after',
  `select ${blockColumns} from audit_blocks
    where number > :after
    order by number limit :limit::int`,
)

/** The block that seals the row at (xid, id) in the order of rows, by the eras' ids. */
export const blockOfRow = statement(
  'audit_block_of_row',
  `select ${blockColumns} from audit_blocks
    where (to_xid, to_id) >= (:xid::text::xid8, :id::bigint)
      and era = (select max(era) from audit_eras where first_id <= :id::bigint)
    order by to_xid, to_id limit 1`,
)

export const readEras = statement('audit_eras', 'select era, first_id from audit_eras order by era')

/**
 * Where the ids of a new era begin, if the transaction counter is behind the newest block;
 * otherwise no row.
 */
export const newEraStart = statement(
  'audit_new_era_start',
  `select greatest(:highest_id::bigint, coalesce(max(id), 0)) + 1 as first_id
     from audit_logs where xid >= pg_snapshot_xmax(pg_current_snapshot())
   having pg_snapshot_xmax(pg_current_snapshot()) <= :newest_xid::text::xid8`,
  { not_null: ['first_id'] },
)

export const beginEra = statement(
  'audit_begin_era',
  'insert into audit_eras (era, first_id) values (:era, :first_id)',
)

// "id + 0": the order of (xid, id) is the only index that may serve here; a plan by id would read
// the whole era.
const inEra = 'id + 0 >= :first_id::bigint and id + 0 < :below_id::bigint'

/**
 * Up to `limit` rows whose era has ids from `first_id` and below `below_id`. Unless `era_closed`,
 * only rows whose transaction is older than every running one: no row can come before them any
 * more.
 */
export const rowsToSeal = statement(
  'audit_rows_to_seal',
  `select id, xid, row_hash from audit_logs
    where (xid, id) > (:after_xid::text::xid8, :after_id::bigint) and ${inEra}
      and (:era_closed::boolean or xid < pg_snapshot_xmin(pg_current_snapshot()))
    order by xid, id limit :limit::int`,
)

/** Like `rowsToSeal`, with the contents of the rows. */
export const rowsToRead = statement(
  'audit_rows_to_read',
  `select ${shown}, xid from audit_logs
    where (xid, id) > (:after_xid::text::xid8, :after_id::bigint) and ${inEra}
      and (:era_closed::boolean or xid < pg_snapshot_xmin(pg_current_snapshot()))
    order by xid, id limit :limit::int`,
)

/**
 * Up to `limit` rows after (`after_xid`, `after_id`) and not after (`to_xid`, `to_id`), as they
 * were hashed; ids from `first_id` and below `below_id`.
 */
export const rowsInOrder = statement(
  'audit_rows_in_order',
  `select ${shown}, xid, row_hash from audit_logs
    where (xid, id) > (:after_xid::text::xid8, :after_id::bigint) and ${inEra}
      and (xid, id) <= (:to_xid::text::xid8, :to_id::bigint)
    order by xid, id limit :limit::int`,
)

const insertBlock = statement(
  'audit_insert_block',
  `insert into audit_blocks (${blockColumns})
   values (:number, :era, :first_id, :highest_id, :from_xid::text::xid8, :from_id,
           :to_xid::text::xid8, :to_id, :row_count, :merkle_root, :previous_hash, :key_id,
           :created_at, :block_hash, :signature, :public_key)`,
)

export async function storeBlock(sql: Sql, block: Block): Promise<void> {
  await sql.run(insertBlock, {
    number: BigInt(block.number),
    era: block.era,
    first_id: BigInt(block.first_id),
    highest_id: BigInt(block.highest_id),
    from_xid: block.from_xid,
    from_id: BigInt(block.from_id),
    to_xid: block.to_xid,
    to_id: BigInt(block.to_id),
    row_count: block.row_count,
    merkle_root: Buffer.from(block.merkle_root, 'hex'),
    previous_hash: Buffer.from(block.previous_hash, 'hex'),
    key_id: block.key_id,
    created_at: new Date(block.created_at),
    block_hash: Buffer.from(block.block_hash, 'hex'),
    signature: Buffer.from(block.signature, 'base64'),
    public_key: Buffer.from(block.public_key, 'base64'),
  })
}

/** A stored block in its hashed form. */
export function blockOf(row: Row<'audit_newest_block'>): Block {
  return {
    number: String(row.number),
    era: row.era,
    first_id: String(row.first_id),
    highest_id: String(row.highest_id),
    from_xid: row.from_xid,
    from_id: String(row.from_id),
    to_xid: row.to_xid,
    to_id: String(row.to_id),
    row_count: row.row_count,
    merkle_root: row.merkle_root.toString('hex'),
    previous_hash: row.previous_hash.toString('hex'),
    key_id: row.key_id,
    created_at: row.created_at.toISOString(),
    block_hash: row.block_hash.toString('hex'),
    signature: row.signature.toString('base64'),
    public_key: row.public_key.toString('base64'),
  }
}
