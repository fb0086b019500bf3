// Connection poolers: detects one that gives a session to another client between two transactions,
// as PgBouncer does in transaction and statement mode. SET, LISTEN, advisory locks and prepared
// statements of a session would then be lost, or found by others.
import pg from 'pg'
import { clientConfig } from './connection-config.ts'
import { DatabaseSettingError } from './errors.ts'

const rounds = 3
const answer_timeout_ms = 5_000

function isShared(cause?: unknown): DatabaseSettingError {
  return new DatabaseSettingError(
    'DATABASE_URL leads to a pooler that shares sessions between clients (PgBouncer in ' +
      'transaction or statement mode). Set pool_mode = session there, or use PostgreSQL directly.',
    cause,
  )
}

async function processOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

/** The server process of another client of the same pooler, in the middle of its transaction. */
async function inTransaction<T>(url: string, work: (pid: number) => Promise<T>): Promise<T> {
  const other = new pg.Client({ ...clientConfig(url), query_timeout: answer_timeout_ms })
  other.on('error', () => undefined)
  try {
    await other.connect()
    await other.query('begin').catch((error) => {
      throw /statement pooling/.test(String(error)) ? isShared(error) : error
    })
    const value = await work(await processOf(other))
    await other.query('rollback')
    return value
  } finally {
    await other.end()
  }
}

/**
 * Throws DatabaseSettingError when this session is shared; sets nothing. `pid` is the server
 * process that the server reports. PostgreSQL names the same one at connect (BackendKeyData), and
 * there
 * the check ends; a pooler names a number of its own.
 */
export async function refuseSharedSessions(
  client: pg.ClientBase,
  { url, pid }: { url: string; pid: number },
): Promise<void> {
  if ('processID' in client && client.processID === pid) return
  let own = pid
  for (let round = 0; round < rounds; round += 1)
    own = await inTransaction(url, async (theirs) => {
      // Between our statements the session is idle: a pooler that shares gives it away, or gives
      // us another one now.
      if (theirs === own) throw isShared()
      const now = await processOf(client)
      if (now !== own) throw isShared()
      return now
    })
}
