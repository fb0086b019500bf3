// SQL of exports: an account's rows up to a block of the chain, with the blocks that seal them.
import { columns, statement } from '../../../db/statement.ts'
import { blockColumns, shown } from '../chain/audit.sql.ts'

/**
 * Lists, by id and after a page, the rows that are sealed by this block of the era with these ids,
 * or by the blocks before it. The set is final: a row that commits later is in a later block.
 */
export const rowsToExport = statement(
  'audit_export_rows',
  `select ${shown}, xid, row_hash from audit_logs
    where customer_id = :customer_id and entry_point <> ''
      and id > :after and id < :below_id::bigint
      and (id < :first_id::bigint or (xid, id) <= (:to_xid::text::xid8, :to_id::bigint))
    order by id limit :limit::int`,
)

export const blocksOfRows = statement(
  'audit_export_blocks',
  `select r.id as row_id, ${columns(blockColumns, 'b')}
     from unnest(:ids::bigint[], :xids::text[]) as r (id, xid)
    cross join lateral (
      select * from audit_blocks
       where (to_xid, to_id) >= (r.xid::xid8, r.id)
         and era = (select max(era) from audit_eras where first_id <= r.id)
       order by to_xid, to_id limit 1) b`,
  { not_null: ['row_id'] },
)

/** Rows up to this id may be in an archive, and no longer here. Null if no row is in one. */
export const archivedTo = statement(
  'audit_export_archived_to',
  'select max(last_id) as last_id from audit_archives',
)
