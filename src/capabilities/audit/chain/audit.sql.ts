// SQL of the audit log: rows, blocks and eras.
import type { AuditRow } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { type Row, statement } from '../../../db/statement.ts'
import type { Block } from './block.ts'

const append = statement('audit_append', 'select audit_append($1::text::jsonb) as id', {
  not_null: ['id'],
})

/**
 * Stores the row in the transaction of its effect, if `sql` is one. Returns its id.
 */
export async function storeAuditRow(sql: Sql, row: AuditRow): Promise<bigint> {
  return (await sql.one(append, [JSON.stringify(row)])).id
}

const shown = `id, entry_point, action, actor_type, actor_label, agent_identifier, api_key_id,
  customer_id, target_type, target, result, status_code, error_code, metadata, created_at`

const endless = 9_223_372_036_854_775_807n
// One statement for each set of filters: a generic plan applies "$2 is null or action = $2" to row
// after row of the whole account.
const below = (number: number) => `id < coalesce($${number}::bigint, ${endless})`

/** $2 only ids below it, $3 how many. */
export const rowsOfCustomer = statement(
  'audit_of_customer',
  `select ${shown} from audit_logs where customer_id = $1 and ${below(2)}
    order by id desc limit $3::int`,
  { nullable: [2] },
)

/** $2 entry point, $3 only ids below it, $4 how many. */
export const rowsOfEntryPoint = statement(
  'audit_of_customer_by_entry_point',
  `select ${shown} from audit_logs where customer_id = $1 and entry_point = $2 and ${below(3)}
    order by id desc limit $4::int`,
  { nullable: [3] },
)

/** $2 action, $3 entry points, $4 only ids below it, $5 how many. A page of each, merged. */
export const rowsOfAction = statement(
  'audit_of_customer_by_action',
  `select ${shown.replaceAll(/\w+/g, 'a.$&')}
     from unnest($3::text[]) as e (entry_point)
    cross join lateral (
      select ${shown} from audit_logs l
       where l.customer_id = $1 and l.action = $2 and l.entry_point = e.entry_point
         and l.${below(4)}
       order by l.id desc limit $5::int) a
    order by a.id desc limit $5::int`,
  { nullable: [4] },
)

const ofDomains = `customer_id = $1 and target_type = 'domain'`

/** $2 only ids below it, $3 how many. */
export const rowsOfDomains = statement(
  'audit_of_domains',
  `select ${shown} from audit_logs where ${ofDomains} and ${below(2)}
    order by id desc limit $3::int`,
  { nullable: [2] },
)

/**
 * $2 domain, $3 action, $4 from and $5 to a moment (both inclusive), $6 only ids below it, $7 how
 * many. Reads at most the rows of this domain.
 */
export const rowsOfDomain = statement(
  'audit_of_domain',
  `select ${shown} from audit_logs
    where ${ofDomains} and target = $2 and ($3::text is null or action = $3::text)
      and ($4::timestamptz is null or created_at >= $4::timestamptz)
      and ($5::timestamptz is null or created_at <= $5::timestamptz)
      and ${below(6)}
    order by id desc limit $7::int`,
  { nullable: [3, 4, 5, 6] },
)

/**
 * Pages of a time go by time, and by id within a moment: ids alone are not quite in the order of
 * time. A cursor is an id all the same; it stands for the time of its row. `top` is the last place
 * that a page may begin at, as one bound: of two, the index would follow the wrong one.
 */
const byTime = (action: string, from: number) => `
  select ${shown.replaceAll(/\w+/g, 'a.$&')}
    from (
      select case when c.before is null or c.at > c.until then c.until else c.at end as at,
             case when c.before is null or c.at > c.until then ${endless}
                  else c.before - 1 end as id
        from (
          select $${from + 2}::bigint as before,
                 coalesce($${from + 1}::timestamptz, 'infinity') as until,
                 (select l.created_at from audit_logs l
                   where l.customer_id = $1 and l.target_type = 'domain'
                     and l.id <= $${from + 2}::bigint
                   order by l.id desc limit 1) as at) c) top
   cross join lateral (
     select ${shown} from audit_logs
      where ${ofDomains} ${action}
        and created_at >= coalesce($${from}::timestamptz, '-infinity')
        and (created_at, id) <= (top.at, top.id)
      order by created_at desc, id desc limit $${from + 3}::int) a
   order by a.created_at desc, a.id desc`

/** $2 from and $3 to a moment (both inclusive), $4 only rows after the one with it, $5 how many. */
export const rowsOfDomainsByTime = statement('audit_of_domains_by_time', byTime('', 2), {
  nullable: [2, 3, 4],
})

/** $2 action, then as above. */
export const rowsOfDomainsByAction = statement(
  'audit_of_domains_by_action',
  byTime('and action = $2', 3),
  { nullable: [3, 4, 5] },
)

export const rowOfCustomer = statement(
  'audit_row_of_customer',
  `select ${shown} from audit_logs where customer_id = $1 and id = $2`,
)

export const rowPosition = statement(
  'audit_row_position',
  'select xid, row_hash from audit_logs where id = $1',
)

export const takeSealersTurn = statement(
  'audit_take_turn',
  'select pg_try_advisory_xact_lock(7316402) as taken',
  { not_null: ['taken'] },
)

/**
 * One reading of the chain, without a lock: its newest link, the hash of the noted link ($1),
 * whether the newest block's era is known, whether an alarm stops sealing, and whether there may be
 * rows to seal (rather once too often). The newest row is compared, as "exists" would be
 * planned as a scan that hopes for an early hit, and reads the whole table when there is none.
 */
export const headState = statement(
  'audit_head_state',
  `select l.number as newest_number, l.hash as newest_hash,
          (select hash from (select number, block_hash as hash from audit_blocks
                             union all select number, record_hash from audit_restorations) n
            where n.number = $1 limit 1) as noted_hash,
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

/** The block or restoration with number $1, as a head. */
export const linkAt = statement(
  'audit_link_at',
  `select 'block' as kind, number, block_hash as hash, era, created_at from audit_blocks
    where number = $1
   union all
   select 'restoration', number, record_hash, era, created_at from audit_restorations
    where number = $1`,
  { not_null: ['kind', 'number', 'hash', 'era', 'created_at'] },
)

const blockColumns = `number, era, first_id, highest_id, from_xid, from_id, to_xid, to_id,
  row_count, merkle_root, previous_hash, key_id, created_at, block_hash, signature, public_key`

export const newestBlock = statement(
  'audit_newest_block',
  `select ${blockColumns} from audit_blocks order by number desc limit 1`,
)

/** Up to $2 blocks after number $1. */
export const blocksAfter = statement(
  'audit_blocks_after',
  `select ${blockColumns} from audit_blocks where number > $1 order by number limit $2::int`,
)

/** The block that seals the row at ($1, $2) in the order of rows, by the eras' ids. */
export const blockOfRow = statement(
  'audit_block_of_row',
  `select ${blockColumns} from audit_blocks
    where (to_xid, to_id) >= ($1::text::xid8, $2::bigint)
      and era = (select max(era) from audit_eras where first_id <= $2::bigint)
    order by to_xid, to_id limit 1`,
)

export const readEras = statement('audit_eras', 'select era, first_id from audit_eras order by era')

/**
 * When the transaction counter is behind the newest block (xid $1): where the ids of a new era
 * begin, else none.
 */
export const newEraStart = statement(
  'audit_new_era_start',
  `select greatest($2::bigint, coalesce(max(id), 0)) + 1 as first_id
     from audit_logs where xid >= pg_snapshot_xmax(pg_current_snapshot())
   having pg_snapshot_xmax(pg_current_snapshot()) <= $1::text::xid8`,
  { not_null: ['first_id'] },
)

export const beginEra = statement(
  'audit_begin_era',
  'insert into audit_eras (era, first_id) values ($1, $2)',
)

// "id + 0": the order of (xid, id) is the only index that may serve here; a plan by id would read
// the whole era.
const inEra = 'id + 0 >= $3::bigint and id + 0 < $4::bigint'

/**
 * Up to $6 rows after ($1, $2) whose era has ids from $3 and below $4. Unless the era is closed
 * ($5), only rows whose transaction is older than every running one: no row can come before them
 * any more.
 */
export const rowsToSeal = statement(
  'audit_rows_to_seal',
  `select id, xid, row_hash from audit_logs
    where (xid, id) > ($1::text::xid8, $2::bigint) and ${inEra}
      and ($5::boolean or xid < pg_snapshot_xmin(pg_current_snapshot()))
    order by xid, id limit $6::int`,
)

/**
 * Up to $7 rows after ($1, $2) and not after ($5, $6), as they were hashed; ids from $3 and below
 * $4.
 */
export const rowsInOrder = statement(
  'audit_rows_in_order',
  `select ${shown}, xid, row_hash from audit_logs
    where (xid, id) > ($1::text::xid8, $2::bigint) and ${inEra}
      and (xid, id) <= ($5::text::xid8, $6::bigint)
    order by xid, id limit $7::int`,
)

const insertBlock = statement(
  'audit_insert_block',
  `insert into audit_blocks (${blockColumns})
   values ($1, $2, $3, $4, $5::text::xid8, $6, $7::text::xid8, $8, $9, $10, $11, $12, $13, $14,
           $15, $16)`,
)

export async function storeBlock(sql: Sql, block: Block): Promise<void> {
  await sql.run(insertBlock, [
    BigInt(block.number),
    block.era,
    BigInt(block.first_id),
    BigInt(block.highest_id),
    block.from_xid,
    BigInt(block.from_id),
    block.to_xid,
    BigInt(block.to_id),
    block.row_count,
    Buffer.from(block.merkle_root, 'hex'),
    Buffer.from(block.previous_hash, 'hex'),
    block.key_id,
    new Date(block.created_at),
    Buffer.from(block.block_hash, 'hex'),
    Buffer.from(block.signature, 'base64'),
    Buffer.from(block.public_key, 'base64'),
  ])
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
