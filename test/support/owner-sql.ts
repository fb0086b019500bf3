// SQL as the owner of a test service's tables, to arrange and to look.
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
