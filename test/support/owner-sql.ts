// SQL as the owner of a test service's tables, for set-up and assertions.
import pg from 'pg'
import type { TestService } from './service.ts'

const pools = new WeakMap<TestService['service'], pg.Pool>()

/** Connections are kept until the file's tests have ended: one costs more than most statements. */
function poolOf({ service, closers }: TestService): pg.Pool {
  const known = pools.get(service)
  if (known !== undefined) return known
  const pool = new pg.Pool({ connectionString: service.settings.database_url ?? '', max: 2 })
  // The server may end first.
  pool.on('error', () => undefined)
  pools.set(service, pool)
  closers.push(async () => {
    pools.delete(service)
    await pool.end()
  })
  return pool
}

/** Rows of any statement; each may get another connection. */
export function rowsIn(registrar: TestService) {
  return async (text: string, params: unknown[] = []) =>
    (await poolOf(registrar).query(text, params)).rows
}

/** Copies a holding that was bought, with all its columns, under other names. */
export async function copyHolding(
  registrar: TestService,
  from: string,
  names: readonly string[],
): Promise<void> {
  const rows = rowsIn(registrar)
  const [row] = await rows(
    `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
      where attrelid = 'domains'::regclass and attnum > 0 and not attisdropped
        and attname not in ('id', 'name')`,
  )
  await rows(
    `insert into domains (name, ${row.columns})
     select n.name, ${row.columns} from domains, unnest($2::text[]) as n (name)
      where domains.name = $1 and ended_at is null`,
    [from, names],
  )
}
