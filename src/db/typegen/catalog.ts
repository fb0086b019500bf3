// Catalog queries: tables, triggers, functions and grants of a migrated database.
import type pg from 'pg'

type Rule = { name: string; text: string }
export type Trigger = { name: string; when: string; condition: string; calls: string }
type Column = { name: string; type: string; nullable: boolean; value: string }
export type Relation = {
  name: string
  /** A sentence on a view, an unlogged or a partitioned table, else empty. */
  kind: string
  columns: Column[]
  constraints: Rule[]
  indexes: Rule[]
  triggers: Trigger[]
  /** The privileges of the service's role. */
  grants: string
}
export type Fn = {
  name: string
  args: string
  returns: string
  language: string
  definer: boolean
  callers: string
}
export type Catalog = { relations: Relation[]; functions: Fn[] }

const app = 'agent_registrar_app'

const relations = `
  select c.oid::int as id, c.relname as name,
         case when c.relkind = 'v' then 'A view.'
              when c.relkind = 'p' then 'Partitioned by ' || pg_get_partkeydef(c.oid) || '.'
              when c.relpersistence = 'u' then 'Unlogged.' else '' end as kind,
         (select coalesce(string_agg(p, ', ' order by i), 'nothing')
            from unnest('{select,insert,update,delete,truncate}'::text[]) with ordinality x (p, i)
           where has_table_privilege('${app}', c.oid, p)) as whole,
         (select coalesce(string_agg(a.attname, ', ' order by a.attnum), '') from pg_attribute a
           where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
             and has_column_privilege('${app}', c.oid, a.attnum, 'update')
             and not has_table_privilege('${app}', c.oid, 'update')) as updates,
         (select coalesce(string_agg(a.attname, ', ' order by a.attnum), '') from pg_attribute a
           where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
             and has_column_privilege('${app}', c.oid, a.attnum, 'insert')
             and not has_table_privilege('${app}', c.oid, 'insert')) as inserts
    from pg_class c
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
     and not c.relispartition
   order by c.relname`

const columns = `
  select a.attrelid::int as of, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
         not a.attnotnull as nullable,
         case when a.attidentity <> '' then 'identity'
              when a.attgenerated <> '' then 'generated: ' || pg_get_expr(d.adbin, d.adrelid)
              else coalesce(pg_get_expr(d.adbin, d.adrelid), '') end as value
    from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
   where a.attnum > 0 and not a.attisdropped order by a.attrelid, a.attnum`

const constraints = `
  select conrelid::int as of, conname as name, pg_get_constraintdef(oid) as text
    from pg_constraint where contype in ('p', 'u', 'c', 'f', 'x')
   order by position(contype::text in 'pufcx'), conname`

const indexes = `
  select i.indrelid::int as of, c.relname as name,
         case when i.indisunique then 'unique ' else '' end
           || regexp_replace(pg_get_indexdef(i.indexrelid), '^.*? USING ', '') as text
    from pg_index i join pg_class c on c.oid = i.indexrelid
   where not exists (select from pg_constraint k where k.conindid = i.indexrelid)
   order by c.relname`

const triggers = `
  select t.tgrelid::int as of, t.tgname as name,
         (select lower(m[1]) from regexp_matches(pg_get_triggerdef(t.oid),
            '(?:TRIGGER) \\S+ (.*?) ON ') m)
           || case when t.tgtype & 1 = 1 then ', each row' else ', each statement' end
           || case when t.tgdeferrable then ', deferred' else '' end as when,
         coalesce((select m[1] from regexp_matches(pg_get_triggerdef(t.oid),
            ' WHEN \\((.*)\\) EXECUTE ') m), '') as condition,
         p.proname as calls
    from pg_trigger t join pg_proc p on p.oid = t.tgfoid
   where not t.tgisinternal and t.tgparentid = 0 order by t.tgname`

const functions = `
  select p.proname as name, pg_get_function_arguments(p.oid) as args,
         pg_get_function_result(p.oid) as returns, l.lanname as language,
         p.prosecdef as definer,
         concat_ws(', ',
           case when has_function_privilege('public', p.oid, 'execute') then 'everyone' end,
           case when has_function_privilege('${app}', p.oid, 'execute') then 'service' end,
           case when has_function_privilege('agent_registrar_inspector', p.oid, 'execute')
                then 'inspector' end) as callers
    from pg_proc p join pg_language l on l.oid = p.prolang
   where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
   order by p.proname`

/** Reads it all, in an order that depends on names alone. */
export async function readCatalog(client: pg.Client): Promise<Catalog> {
  type Of = { of: number }
  const read = async <T extends pg.QueryResultRow>(text: string) =>
    (await client.query<T>(text)).rows
  const all = {
    columns: await read<Column & Of>(columns),
    constraints: await read<Rule & Of>(constraints),
    indexes: await read<Rule & Of>(indexes),
    triggers: await read<Trigger & Of>(triggers),
  }
  type Row = { id: number; name: string; kind: string } & Grants
  const tables = await read<Row>(relations)
  return {
    relations: tables.map(({ id, name, kind, ...grants }) => ({
      name,
      kind,
      columns: all.columns.filter(({ of }) => of === id),
      constraints: all.constraints.filter(({ of }) => of === id),
      indexes: all.indexes.filter(({ of }) => of === id),
      triggers: all.triggers.filter(({ of }) => of === id),
      grants: grantsOf(grants),
    })),
    functions: (await read<Fn>(functions)).map((fn) => ({
      ...fn,
      callers: fn.callers === '' ? 'owner' : fn.callers,
    })),
  }
}

/** Privileges on a whole table, and on single columns of it. */
type Grants = { whole: string; inserts: string; updates: string }

function grantsOf({ whole, inserts, updates }: Grants): string {
  const some = [
    inserts === '' ? [] : [`insert of ${inserts}`],
    updates === '' ? [] : [`update of ${updates}`],
  ]
  return [whole, ...some.flat()].join('; ')
}
