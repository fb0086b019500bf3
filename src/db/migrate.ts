// Migrations: numbered folders of SQL, each run once, forward only, never changed afterwards.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { clientConfig, inOurWords, refuseOldServer } from './connection.ts'
import { DatabaseUnavailable, MigrationError, messageOf, troubleOf } from './errors.ts'
import { takeMigrationLock, type WaitOptions } from './migration-lock.ts'

export type Migration = { number: number; name: string; sql: string; sha256: string }
export type MigrationReport = {
  /** Names of the migrations that were run now. */
  applied: string[]
  /** Number of the newest migration that the database has. */
  version: number
  /** missing: this user may not make the app's role, so the service would work as the owner. */
  roles: 'ready' | 'missing'
}

const own_folder = join(import.meta.dirname, 'migrations')
// A table that a long query holds must not make the whole service wait behind a waiting ALTER.
const lock_timeout_ms = 10_000

/**
 * The migrations of a folder, in order. Throws MigrationError when a name or a number does not
 * fit.
 */
export async function readMigrations(folder: string = own_folder): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  const read = await Promise.all(names.sort().map((name) => readMigration(folder, name)))
  const migrations = read.filter((one) => one !== null)
  for (const [i, one] of migrations.entries()) {
    const before = migrations[i - 1]
    if (before?.number === one.number)
      throw new MigrationError(`Migrations ${before.name} and ${one.name} have the same number.`)
  }
  return migrations
}

async function readMigration(folder: string, name: string): Promise<Migration | null> {
  // Git leaves empty folders behind when it goes to another version.
  if ((await readdir(join(folder, name))).length === 0) return null
  const number = /^(\d{4})-[a-z0-9-]+$/.exec(name)?.[1]
  if (number === undefined)
    throw new MigrationError(`Migration folder "${name}" must be named like 0007-holdings.`)
  const file = join(folder, name, 'up.sql')
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new MigrationError(`Migration ${name} has no readable up.sql.`, cause)
  })
  // Git on Windows may have turned the line ends, which is no change.
  const sql = text.replaceAll('\r\n', '\n')
  const sha256 = createHash('sha256').update(sql).digest('hex')
  return { number: Number(number), name, sql, sha256 }
}

export type MigrateOptions = WaitOptions & { url: string; folder?: string }

/**
 * Brings a database up to date as the URL's own user, and prepares the roles. Safe to run from
 * several nodes at once. Throws MigrationError, DatabaseUnavailable or DatabaseSettingError, each
 * with one clear line; or the signal's reason, with the migration under way rolled back.
 */
export async function migrate(options: MigrateOptions): Promise<MigrationReport> {
  const migrations = await readMigrations(options.folder)
  const client = new pg.Client(clientConfig(options.url))
  // What it would report also rejects the query under way.
  client.on('error', () => undefined)
  // Whatever is under way then rejects, and the server rolls it back.
  const abort = () => client.connection.stream.destroy()
  options.signal?.addEventListener('abort', abort)
  try {
    options.signal?.throwIfAborted()
    await client.connect()
    await refuseOldServer(client)
    await client.query(`set time zone 'UTC'; set client_min_messages = error`)
    await takeMigrationLock(client, options)
    return await bringUpToDate(client, migrations)
  } catch (error) {
    options.signal?.throwIfAborted()
    throw inOurWords(error, options.url)
  } finally {
    options.signal?.removeEventListener('abort', abort)
    await client.end()
  }
}

async function bringUpToDate(client: pg.Client, all: Migration[]): Promise<MigrationReport> {
  const done = await readLedger(client)
  refuseWhatChanged(all, done)
  const open = all.filter((one) => !done.has(one.number))
  for (const one of open) await apply(client, one)
  return {
    applied: open.map((one) => one.name),
    version: Math.max(0, ...done.keys(), ...open.map((one) => one.number)),
    roles: await prepareRoles(client),
  }
}

type Ledger = Map<number, { name: string; sha256: string }>

async function readLedger(client: pg.Client): Promise<Ledger> {
  await client.query(`create table if not exists public.schema_migrations (
    number int primary key,
    name text not null,
    sha256 text not null,
    applied_at timestamptz not null default now()
  )`)
  const { rows } = await client.query<{ number: number; name: string; sha256: string }>(
    'select number, name, sha256 from schema_migrations',
  )
  return new Map(rows.map(({ number, name, sha256 }) => [number, { name, sha256 }]))
}

function refuseWhatChanged(all: Migration[], done: Ledger): void {
  const known = new Map(all.map((one) => [one.number, one]))
  const newest = Math.max(0, ...done.keys())
  for (const [number, { name, sha256 }] of done) {
    const here = known.get(number)
    if (!here)
      throw new MigrationError(
        `The database has migration ${name}, which this version does not know. Run the newer one.`,
      )
    if (here.sha256 !== sha256)
      throw new MigrationError(
        `Migration ${name} was changed after it was run. Undo the change and add a new migration.`,
      )
  }
  const late = all.find((one) => one.number < newest && !done.has(one.number))
  if (late)
    throw new MigrationError(
      `Migration ${late.name} comes before ${newest}, which is run already. Renumber it.`,
    )
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = ${lock_timeout_ms}`)
    await client.query(migration.sql)
    if (client.getTransactionStatus() !== 'T')
      throw new Error('its SQL ends the transaction that it runs in')
    await client.query('insert into schema_migrations (number, name, sha256) values ($1, $2, $3)', [
      migration.number,
      migration.name,
      migration.sha256,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    const trouble = troubleOf(error)
    if (trouble === 'unavailable') throw error
    if (trouble === 'retry')
      throw new DatabaseUnavailable(
        `Migration ${migration.name} waited too long, and changed nothing: ${messageOf(error)}`,
        error,
      )
    throw new MigrationError(
      `Migration ${migration.name} failed${placeOf(error, migration.sql)}: ${messageOf(error)}`,
      error,
    )
  }
}

function placeOf(error: unknown, sql: string): string {
  if (!(error instanceof pg.DatabaseError) || error.position === undefined) return ''
  return ` at up.sql:${sql.slice(0, Number(error.position)).split('\n').length}`
}

async function prepareRoles(client: pg.Client): Promise<MigrationReport['roles']> {
  const { rows: there } = await client.query(
    `select from pg_proc where proname = 'prepare_roles' and pronamespace = 'public'::regnamespace`,
  )
  // Only a folder of a test has no 0001-roles.
  if (there.length === 0) return 'missing'
  const { rows } = await client.query<{ roles: string }>('select prepare_roles() as roles')
  return rows[0]?.roles === 'ready' ? 'ready' : 'missing'
}
