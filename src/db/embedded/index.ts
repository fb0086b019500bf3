// Our own PostgreSQL: started beside the service from an npm package, found again after a crash,
// stopped with it.
import { spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../kit/net/free-port.ts'
import { clientConfig } from '../postgres/connection-config.ts'
import { EmbeddedDatabaseError } from '../postgres/errors.ts'
import { copyPrograms, platformPackage } from './binaries.ts'
import {
  databaseStartError,
  makeCluster,
  refuseOtherMajor,
  serverEnvironment,
  serverFlags,
  serverUrl,
} from './cluster.ts'
import { type Place, preparePlace } from './data-paths.ts'
import {
  becomesReady,
  findRunning,
  isAlive,
  type Postmaster,
  purgeReusedPid,
  stopPostmaster,
} from './postmaster.ts'
import { serverAccount } from './system-account.ts'

export { EmbeddedDatabaseError }

type Log = { info(line: string): void }

type EmbeddedOptions = {
  /** The service's own folder; the database lives in its subfolder `postgresql`. */
  data_dir: string
  /** Settings for tests, which are quick and do not survive a power cut. */
  fast?: boolean
  /** Called with one line for each event. */
  log: Log
}

export type EmbeddedDatabase = {
  /** The superuser's URL of the service's database. */
  url: string
  /** The folder that is really used. As root it may differ from the requested one. */
  data_dir: string
  /** Whether a server that ran already was taken over. */
  adopted: boolean
  /** Stops the server, unless another living process started it. */
  stop(): Promise<void>
}

const database = 'agent_registrar'
const lock_retries = 40
const lock_pause_ms = 250
const largest_log = 10_000_000

/**
 * Starts PostgreSQL 18 on a folder, or takes over the server that a killed process left there.
 * Throws EmbeddedDatabaseError: one line, with what to do about it.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { log, fast = false } = options
  const place = preparePlace(options.data_dir, serverAccount())
  if (!place.data_dir.startsWith(resolve(options.data_dir)))
    log.info(
      `The database's account cannot enter ${options.data_dir}: the data is in ${place.data_dir}`,
    )
  refuseOtherMajor(place.cluster)
  const { server, adopted } = await adoptOrStart(place, { fast, log })
  const mine = becomeOwner(place)
  if (adopted)
    log.info(`${mine ? 'Took over' : 'Using'} the database that is running in ${place.data_dir}`)
  return {
    url: serverUrl(place, server.port, database),
    data_dir: place.data_dir,
    adopted,
    stop: async () => {
      if (!mine) return
      rmSync(place.owner_file, { force: true })
      await stopPostmaster(place.cluster, server.pid)
    },
  }
}

async function adoptOrStart(place: Place, how: How) {
  for (;;) {
    const running = await adopt(place)
    const server = running ?? (await startServer(place, how))
    try {
      await ensureDatabase(place, server.port)
      return { server, adopted: running !== null }
    } catch (error) {
      // A killed server can look alive for one more moment; that one is not taken over but
      // replaced.
      if (!running || findRunning(place.cluster)?.pid === running.pid) throw error
    }
  }
}

async function adopt(place: Place): Promise<Postmaster | null> {
  const found = findRunning(place.cluster)
  if (!found) return null
  const alive = () => findRunning(place.cluster)?.pid === found.pid
  return (await becomesReady(place.cluster, found.pid, alive)) ? found : null
}

/** Whether this process may stop the server. It may not while another one that started it lives. */
function becomeOwner(place: Place): boolean {
  const owner = existsSync(place.owner_file) ? Number(readFileSync(place.owner_file, 'utf8')) : 0
  if (owner > 0 && owner !== process.pid && isAlive(owner)) return false
  writeFileSync(place.owner_file, `${process.pid}\n`)
  return true
}

type How = { fast: boolean; log: Log }

async function startServer(place: Place, how: How): Promise<Postmaster> {
  const home = copyPrograms(platformPackage(), place.data_dir)
  makeCluster(place, home, how.fast)
  for (let tries = 0; ; tries += 1) {
    const result = await tryToStart(place, home, how)
    if (typeof result !== 'string') return result
    // The lock of a crashed server stays until its last process is gone.
    const locked = /lock file .* already exists|shared memory block .* is still in use/.test(result)
    if (!locked || tries >= lock_retries)
      throw databaseStartError('The database does not start', result)
    if (purgeReusedPid(place.cluster)) continue
    if (tries === 0) how.log.info('Waiting for the last process of a crashed database to end')
    await sleep(lock_pause_ms)
    const other = await adopt(place)
    if (other) return other
  }
}

/** The running server, or the last lines that it wrote before it gave up. */
async function tryToStart(place: Place, home: string, how: How): Promise<Postmaster | string> {
  trimLog(place.log_file)
  const log = openSync(place.log_file, 'a', 0o600)
  const before = statSync(place.log_file).size
  const words = () => readFileSync(place.log_file).subarray(before).toString()
  try {
    if (process.platform === 'win32') return await startOnWindows(place, home, how)
    // It is detached, and its log is no pipe, so that it outlives a crashed node and the next one
    // adopts it.
    const child = spawn(join(home, 'bin', 'postgres'), serverFlags(place, 5432, how.fast), {
      cwd: place.data_dir,
      env: serverEnvironment(),
      detached: true,
      stdio: ['ignore', log, log],
      ...place.account,
    })
    let failure: string | null = null
    child.on('error', (error) => {
      failure = error.message
    })
    child.unref()
    const alive = () => failure === null && child.exitCode === null && child.signalCode === null
    const { pid = 0 } = child
    if (await becomesReady(place.cluster, pid, alive)) return { pid, port: 5432, ready: true }
    return failure ?? words()
  } finally {
    closeSync(log)
  }
}

/** postgres.exe refuses an administrator's shell; pg_ctl starts it with fewer rights. */
async function startOnWindows(place: Place, home: string, how: How): Promise<Postmaster | string> {
  const port = await freePort()
  const flags = serverFlags(place, port, how.fast).slice(2).join(' ')
  const { status, stderr } = spawnSync(
    join(home, 'bin', 'pg_ctl.exe'),
    ['start', '-w', '-D', place.cluster, '-l', place.log_file, '-o', flags],
    { env: serverEnvironment(), encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const found = findRunning(place.cluster)
  return status === 0 && found ? found : `could not start: ${stderr}`
}

function trimLog(file: string): void {
  if (existsSync(file) && statSync(file).size > largest_log) renameSync(file, `${file}.1`)
}

async function ensureDatabase(place: Place, port: number): Promise<void> {
  const client = new pg.Client(clientConfig(serverUrl(place, port, 'postgres')))
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ data_dir: string; there: boolean }>(
      `select current_setting('data_directory') as data_dir,
         exists (select from pg_database where datname = $1) as there`,
      [database],
    )
    if (rows[0]?.data_dir !== place.cluster && process.platform !== 'win32')
      throw new EmbeddedDatabaseError(
        `Another database answers in ${place.socket_dir}: that of ${rows[0]?.data_dir}.`,
        'Stop it, or set DATA_DIR to another folder.',
      )
    if (!rows[0]?.there) await client.query(`create database ${database}`)
  } finally {
    await client.end()
  }
}
