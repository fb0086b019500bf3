// The database of a benchmark: the embedded PostgreSQL as the product starts it, durable, on a
// disk.
import pg from 'pg'
import { startEmbedded } from '../../src/db/embedded/index.ts'
import type { Bench } from './bench.ts'
import { parentOf } from './processes.ts'

export type BenchDatabase = {
  /** The superuser's URL of the service's database. */
  url: string
  /** The measured server: version, and whether a commit waits for the disk. */
  words: string
  /** The process id of the postmaster. */
  pid: number
  /** The URL of another database on the same server, which must exist. */
  urlOf: (name: string) => string
  query: (text: string) => Promise<Record<string, unknown>[]>
}

export async function startDatabase(bench: Bench): Promise<BenchDatabase> {
  const embedded = await startEmbedded({
    data_dir: `${bench.folder}/data`,
    log: { info: () => undefined },
  })
  bench.atEnd(() => embedded.stop())
  const pool = new pg.Pool({ connectionString: embedded.url, max: 1 })
  pool.on('error', () => undefined)
  bench.atEnd(() => pool.end())
  const query = async (text: string) => (await pool.query(text)).rows
  const [row = {}] = await query(
    `select pg_backend_pid() as pid, current_setting('server_version') as version,
       current_setting('fsync') as fsync, current_setting('synchronous_commit') as waits`,
  )
  const durable = row.fsync === 'on' && row.waits === 'on'
  return {
    url: embedded.url,
    words:
      `PostgreSQL ${row.version}, embedded, ${durable ? 'durable' : 'NOT durable'} ` +
      `(fsync ${row.fsync}, synchronous_commit ${row.waits})`,
    pid: parentOf(Number(row.pid)),
    urlOf: (name) => embedded.url.replace(/\/agent_registrar\?/, `/${name}?`),
    query,
  }
}
