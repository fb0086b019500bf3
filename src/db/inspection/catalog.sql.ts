// SQL of the catalog, as the role of the inspection sees it: the schemas that are open, their
// relations with at least one readable column, and the columns and indexes of one of them.
import { statement } from '../statement.ts'

/** Everything else is closed: the system's catalogs, and the schemas of others. */
const open_schemas = `array['public']::name[]`

// Partitions are read through their table, so they are no relations of their own here.
const readable = `c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition
      and n.nspname = any (${open_schemas}) and has_any_column_privilege(c.oid, 'select')`

const kind = `case c.relkind when 'v' then 'view' when 'm' then 'materialized_view'
       when 'p' then 'partitioned_table' else 'table' end`

/** The number by the last analyze, or null for a view and a table that has not been analyzed. */
const estimated = `case c.relkind
    when 'p' then (select sum(nullif(l.reltuples, -1))::bigint from pg_partition_tree(c.oid) p
                     join pg_class l on l.oid = p.relid where p.isleaf)
    when 'v' then null
    else nullif(c.reltuples, -1)::bigint end`

export const inspectedSchemas = statement(
  'inspection_schemas',
  `select n.nspname as name, obj_description(n.oid, 'pg_namespace') as description,
          (select count(*)::int from pg_class c
            where c.relnamespace = n.oid and ${readable}) as tables
     from pg_namespace n
    where n.nspname = any (${open_schemas}) and has_schema_privilege(n.oid, 'usage')
    order by n.nspname`,
  { not_null: ['name', 'tables'] },
)

export const inspectedTables = statement(
  'inspection_tables',
  `select c.relname as name, ${kind} as kind, ${estimated} as estimated_rows,
          obj_description(c.oid, 'pg_class') as description,
          (select count(*)::int from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
              and not a.attisdropped and has_column_privilege(c.oid, a.attnum, 'select'))
            as shown_columns,
          (select count(*)::int from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
              and not a.attisdropped and not has_column_privilege(c.oid, a.attnum, 'select'))
            as hidden_columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = :schema and ${readable}
    order by c.relname collate "C"`,
  { not_null: ['name', 'kind', 'shown_columns', 'hidden_columns'] },
)

export const inspectedTable = statement(
  'inspection_table',
  `select c.oid, c.relname as name, ${kind} as kind, ${estimated} as estimated_rows,
          obj_description(c.oid, 'pg_class') as description,
          case when c.relkind = 'p' then (select count(*)::int from pg_partition_tree(c.oid) p
                                           where p.isleaf) end as partitions
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = :schema and c.relname = :name and ${readable}`,
  { not_null: ['oid', 'name', 'kind'] },
)

// Types without an order, which no "order by" takes.
const unordered = `'{json,xml,xid,cid,point,lseg,path,box,polygon,line,circle,aclitem,jsonpath,
  refcursor,pg_snapshot,txid_snapshot}'::name[]`

/** `key_position` is its place in the primary key, from one, or null if it is not part of it. */
export const inspectedColumns = statement(
  'inspection_columns',
  `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
          not a.attnotnull as nullable, col_description(a.attrelid, a.attnum) as description,
          not has_column_privilege(a.attrelid, a.attnum, 'select') as hidden,
          (case when t.typcategory = 'A' then e.typname else t.typname end)
            <> all (${unordered}) as sortable,
          (select k.position::int from pg_index i
             cross join unnest(i.indkey::int2[]) with ordinality k (attnum, position)
            where i.indrelid = a.attrelid and i.indisprimary and k.attnum = a.attnum)
            as key_position
     from pg_attribute a join pg_type t on t.oid = a.atttypid
     left join pg_type e on e.oid = t.typelem
    where a.attrelid = :oid and a.attnum > 0 and not a.attisdropped
    order by a.attnum`,
  { not_null: ['name', 'type', 'nullable', 'hidden', 'sortable'] },
)

export const inspectedIndexes = statement(
  'inspection_indexes',
  `select c.relname as name, i.indisunique as is_unique, i.indisprimary as is_primary,
          array(select pg_get_indexdef(i.indexrelid, k, true)
                  from generate_series(1, i.indnkeyatts) k) as columns,
          pg_get_expr(i.indpred, i.indrelid, true) as condition
     from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = :oid order by not i.indisprimary, c.relname collate "C"`,
  { not_null: ['name', 'columns'] },
)
