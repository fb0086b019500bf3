// Creation of the cluster's files (initdb), and the settings that its server is started with.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { EmbeddedDatabaseError } from '../postgres/errors.ts'
import { embedded_major } from './binaries.ts'
import type { Place } from './data-paths.ts'
import { giveTo } from './system-account.ts'

const superuser = 'postgres'
const onWindows = process.platform === 'win32'
const program = (home: string, name: string) => join(home, 'bin', onWindows ? `${name}.exe` : name)

/** Clean and small, so that no PG* variable, language or zone of the caller reaches the server. */
export function serverEnvironment(): NodeJS.ProcessEnv | undefined {
  // Windows starts no program without some of its own: everything is inherited there.
  return onWindows ? undefined : { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}

/**
 * Throws EmbeddedDatabaseError if the data is of another major version, whose files this one cannot
 * read, or is incomplete.
 */
export function refuseOtherMajor(cluster: string): void {
  const file = join(cluster, 'PG_VERSION')
  if (!existsSync(file)) {
    if (!existsSync(cluster) || readdirSync(cluster).length === 0) return
    throw new EmbeddedDatabaseError(
      `The data in ${cluster} is incomplete: PG_VERSION is missing.`,
      'Restore the folder from a backup; only if nothing in it is needed, remove it.',
    )
  }
  const major = readFileSync(file, 'utf8').trim()
  if (major === embedded_major) return
  throw new EmbeddedDatabaseError(
    `The data in ${cluster} is of PostgreSQL ${major}, and this brings ${embedded_major}.`,
    `Dump it with the version that wrote it, or set DATABASE_URL to a PostgreSQL ${major}.`,
  )
}

/**
 * Makes the cluster, once. It is made beside its place and moved there when whole, so that an
 * interrupted first start leaves nothing that looks like data.
 */
export function makeCluster(place: Place, home: string, fast: boolean): void {
  if (existsSync(join(place.cluster, 'PG_VERSION'))) return
  const unfinished = `${place.cluster}.${process.pid}`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  giveTo(place.account, unfinished)
  const passwordFile = onWindows ? makePassword(place) : null
  const flags = [
    ...['-D', unfinished, '-U', superuser, '-E', 'UTF8'],
    // The built-in provider, since a collation of the system's libraries may change and corrupt
    // indexes.
    ...['--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...(passwordFile
      ? ['--auth=scram-sha-256', `--pwfile=${passwordFile}`]
      : ['--auth-local=trust', '--auth-host=reject']),
    ...(fast ? ['--no-sync'] : []),
  ]
  const { status, stderr, error } = spawnSync(program(home, 'initdb'), flags, {
    cwd: place.data_dir,
    env: serverEnvironment(),
    encoding: 'utf8',
    ...place.account,
  })
  if (status !== 0) {
    rmSync(unfinished, { recursive: true, force: true })
    throw databaseStartError('The database cannot be created', error?.message ?? stderr, error)
  }
  try {
    renameSync(unfinished, place.cluster)
  } catch (cause) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another start at the same moment may have been first.
    if (!existsSync(join(place.cluster, 'PG_VERSION'))) throw cause
  }
}

/** One line for a program that failed: its own last words. */
export function databaseStartError(
  what: string,
  words: string,
  cause?: unknown,
): EmbeddedDatabaseError {
  const lines = words.split('\n').map((line) => line.trim())
  const problem = lines.findLast((line) => /error|fatal|could not|cannot|EACCES|ENOENT/i.test(line))
  const hint = /EACCES|ENOENT|Permission denied/i.test(words)
    ? 'The folder may be noexec or closed to the account: set DATA_DIR elsewhere, or DATABASE_URL.'
    : 'Set DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL of your own.'
  return new EmbeddedDatabaseError(
    `${what}: ${problem ?? lines.at(-1) ?? 'no reason given'}.`,
    hint,
    cause,
  )
}

function passwordPath(place: Place): string {
  return join(place.data_dir, 'password')
}

function makePassword(place: Place): string {
  const file = passwordPath(place)
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 })
  return file
}

/**
 * How to reach the server: over the socket, or on Windows over loopback with the password of the
 * data folder.
 */
export function serverUrl(place: Place, port: number, database: string): string {
  const socket = place.socket_dir
  if (!onWindows)
    return `postgres://${superuser}@localhost/${database}?host=${encodeURIComponent(socket)}`
  const password = readFileSync(passwordPath(place), 'utf8').trim()
  return `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`
}

const usual = {
  max_connections: '100',
  shared_buffers: '128MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  jit: 'off',
  // All statements are short, and a container's /dev/shm is too small for parallel ones.
  max_parallel_workers_per_gather: '0',
}

// Only for tests, in which nothing needs to survive a power cut.
const careless = {
  max_connections: '300',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  // Files in memory are read at once; a worker's help is a change of process.
  io_method: 'sync',
}

/** The server's command line after the program's name. */
export function serverFlags(place: Place, port: number, fast: boolean): string[] {
  const settings = {
    ...usual,
    ...(fast ? careless : {}),
    ...(onWindows
      ? { listen_addresses: '127.0.0.1', port: String(port) }
      : { listen_addresses: '', unix_socket_directories: place.socket_dir, port: '5432' }),
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', place.cluster, ...flags]
}
