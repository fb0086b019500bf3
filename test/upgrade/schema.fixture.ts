// The schema of a database, a line for each thing: for comparing one that was upgraded with one
// that was made from scratch.
import { rows } from '../programs/deploy/debian-postgres.fixture.ts'

/** Partitions are left out: which there are depends on the day. */
const ours = `relnamespace = 'public'::regnamespace and not relispartition`

const lines = `
select format('column %s.%s %s%s default %s', c.relname, a.attname,
              format_type(a.atttypid, a.atttypmod), case when a.attnotnull then ' not null' end,
              pg_get_expr(d.adbin, d.adrelid)) as line
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
 where ${ours} and c.relkind in ('r', 'p', 'v', 'c') and a.attnum > 0 and not a.attisdropped
union all
select format('constraint %s %s %s', c.relname, k.conname, pg_get_constraintdef(k.oid))
  from pg_constraint k join pg_class c on c.oid = k.conrelid where ${ours} and k.contype <> 'n'
union all
select format('index %s', pg_get_indexdef(i.indexrelid))
  from pg_index i join pg_class c on c.oid = i.indexrelid where ${ours}
union all
select format('trigger %s', pg_get_triggerdef(t.oid))
  from pg_trigger t join pg_class c on c.oid = t.tgrelid where ${ours} and not t.tgisinternal
union all
select format('function %s(%s) returns %s security definer %s %s %s', p.proname,
              pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), p.prosecdef,
              p.provolatile, md5(p.prosrc))
  from pg_proc p where p.pronamespace = 'public'::regnamespace
union all
select format('grant on %s to %s: %s', c.relname, g.grantee::regrole, g.privilege_type)
  from pg_class c, aclexplode(c.relacl) g
 where ${ours} and g.grantee::regrole::text like 'agent_registrar%'
union all
select format('grant on %s.%s to %s: %s', c.relname, a.attname, g.grantee::regrole,
              g.privilege_type)
  from pg_class c join pg_attribute a on a.attrelid = c.oid, aclexplode(a.attacl) g
 where ${ours} and g.grantee::regrole::text like 'agent_registrar%'
union all
select format('execute %s by %s', p.proname, g.grantee::regrole)
  from pg_proc p, aclexplode(p.proacl) g
 where p.pronamespace = 'public'::regnamespace
   and g.grantee::regrole::text like 'agent_registrar%'
order by 1`

/** Without parentheses: a restored expression has others than the one that was written. */
export async function schemaOf(url: string): Promise<string[]> {
  return (await rows(url, lines)).map(({ line }) => String(line).replaceAll(/[()]/g, ''))
}

/** How many rows each table has, by its name. */
export async function countsOf(url: string): Promise<Map<string, number>> {
  const counted = await rows(
    url,
    `select c.relname as name,
            (xpath('/row/n/text()', query_to_xml(
              format('select count(*) as n from public.%I', c.relname), false, true, '')))[1]::text
              as n
       from pg_class c where ${ours} and c.relkind in ('r', 'p') order by c.relname`,
  )
  return new Map(counted.map(({ name, n }) => [String(name), Number(n)]))
}
