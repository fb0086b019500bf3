// Migrations: numbered folders of SQL, each run once, forward only, never changed afterwards; and
// repeatable files of functions.
import pg from 'pg'
import { refuseUnfitServer, translateError } from '../postgres/connection.ts'
import { clientConfig } from '../postgres/connection-config.ts'
import { DatabaseUnavailable, kindOfError, MigrationError, messageOf } from '../postgres/errors.ts'
import { createPartitions } from './create-partitions.ts'
import {
  applyFunctionFiles,
  type FunctionFile,
  own_functions,
  readFunctionFiles,
} from './function-files.ts'
import { builtIndex, type Migration, own_migrations, readMigrations } from './migration-files.ts'
import { takeMigrationLock, type WaitOptions } from './migration-lock.ts'

export type MigrationReport = {
  /** Names of the migrations that were run now. */
  applied: string[]
  /** Function files that were applied now. */
  functions: string[]
  /** Names of the migrations of a newer version, with which this one works all the same. */
  newer: string[]
  /** Number of the newest migration that the database has. */
  version: number
  /**
   * `missing` if this user may not make the app's role, so that the service would work as the
   * owner.
   */
  roles: 'ready' | 'missing'
}

// A table that a long query holds must not make the whole service wait behind a waiting ALTER.
const lock_timeout_ms = 10_000

type MigrateOptions = WaitOptions & {
  url: string
  /** The folder of another set of migrations, which has no function files unless they are named. */
  folder?: string
  functions?: string
}

/**
 * Brings a database up to date as the URL's own user, and prepares the roles. Safe to run from
 * several nodes at once. Throws MigrationError, DatabaseUnavailable or DatabaseSettingError, each
 * with one clear line; or the signal's reason, with the migration in progress rolled back.
 */
export async function migrate(options: MigrateOptions): Promise<MigrationReport> {
  const { folder = own_migrations } = options
  const functions = options.functions ?? (folder === own_migrations ? own_functions : null)
  const migrations = await readMigrations(folder)
  const files = functions === null ? [] : await readFunctionFiles(functions)
  const client = new pg.Client(clientConfig(options.url))
  // The same error also rejects the query in progress.
  client.on('error', () => undefined)
  // Every statement in progress then rejects, and the server rolls it back.
  const abort = () => client.connection.stream.destroy()
  options.signal?.addEventListener('abort', abort)
  try {
    options.signal?.throwIfAborted()
    await client.connect()
    await refuseUnfitServer(client, options.url)
    await client.query(`set time zone 'UTC'; set client_min_messages = error`)
    await takeMigrationLock(client, options)
    await client.query(`set lock_timeout = ${lock_timeout_ms}`)
    return await bringUpToDate(client, { all: migrations, files, say: options.say })
  } catch (error) {
    options.signal?.throwIfAborted()
    throw translateError(error, options.url)
  } finally {
    options.signal?.removeEventListener('abort', abort)
    await client.end()
  }
}

type Files = { all: Migration[]; files: FunctionFile[]; say: WaitOptions['say'] }

async function bringUpToDate(
  client: pg.Client,
  { all, files, say }: Files,
): Promise<MigrationReport> {
  const done = await readLedger(client)
  refuseUnreleased(done)
  const newer = newerMigrations(all, done)
  refuseWhatChanged(all, done)
  const open = all.filter((one) => !done.has(one.number))
  const version = Math.max(0, ...done.keys(), ...open.map((one) => one.number))
  // A newer version's functions stay: its nodes rely on them, and so may this one.
  const own = newer.length === 0 ? files : []
  const early = own.filter((file) => file.early)
  const functions = await applyFunctionFiles(client, early, version)
  for (const one of open) await apply(client, one)
  for (const one of all.filter(({ number }) => done.has(number)))
    await noteCompatibility(client, one, done)
  functions.push(
    ...(await applyFunctionFiles(
      client,
      own.filter((file) => !file.early),
      version,
    )),
  )
  await createPartitions(client, say)
  return {
    applied: open.map((one) => one.name),
    functions,
    newer,
    version,
    roles: await prepareRoles(client),
  }
}

// The first migration of the versions before the first release, which had no baseline.
const unreleased = '0001-roles'
const beforeRelease =
  'A database of a version before the first release cannot be upgraded. Name an empty database ' +
  '(DATABASE_URL), or for the embedded one an empty folder (DATA_DIR).'

function refuseUnreleased(done: Ledger): void {
  if (done.get(1)?.name === unreleased) throw new MigrationError(beforeRelease)
}

type Applied = Pick<Migration, 'number' | 'name' | 'sha256' | 'compatible_from'>
type Ledger = Map<number, Applied>

async function readLedger(client: pg.Client): Promise<Ledger> {
  await client.query(`create table if not exists public.schema_migrations (
    number int primary key,
    name text not null,
    sha256 text not null,
    applied_at timestamptz not null default now(),
    compatible_from int
  );
  create table if not exists public.schema_functions (
    name text primary key,
    sha256 text not null,
    -- The newest migration of the version that applied it.
    version int not null,
    applied_at timestamptz not null default now()
  )`)
  // The column is looked up first, since "add column" would lock the table at each start.
  const { rows: columns } = await client.query(
    `select from pg_attribute where attrelid = 'public.schema_migrations'::regclass
        and attname = 'compatible_from' and not attisdropped`,
  )
  if (columns.length === 0)
    await client.query('alter table schema_migrations add column if not exists compatible_from int')
  const { rows } = await client.query<Applied>(
    'select number, name, sha256, compatible_from from schema_migrations order by number',
  )
  return new Map(rows.map((row) => [row.number, row]))
}

/** A version from before the column wrote the row without it. */
async function noteCompatibility(client: pg.Client, one: Migration, done: Ledger): Promise<void> {
  if (one.compatible_from === null || done.get(one.number)?.compatible_from !== null) return
  await client.query('update schema_migrations set compatible_from = $2 where number = $1', [
    one.number,
    one.compatible_from,
  ])
}

/**
 * The database's migrations that come after all of this version's own. Throws MigrationError for
 * one that this version does not work with.
 */
function newerMigrations(all: Migration[], done: Ledger): string[] {
  const known = new Set(all.map(({ number }) => number))
  const own = all.at(-1)?.number ?? 0
  const unknown = [...done.values()].filter(({ number }) => !known.has(number))
  for (const { number, name, compatible_from } of unknown) {
    if (number < own)
      throw new MigrationError(
        `The database has migration ${name}, which this version does not know. Run the newer one.`,
      )
    const least = compatible_from ?? number
    if (least > own)
      throw new MigrationError(
        `The database has migration ${name}, which needs version ${numbered(least)} or newer; ` +
          `this one ends at ${numbered(own)}. Run the newer one.`,
      )
  }
  return unknown.map(({ name }) => name)
}

function numbered(number: number): string {
  return String(number).padStart(4, '0')
}

function refuseWhatChanged(all: Migration[], done: Ledger): void {
  const changed = all.find(({ number, sha256 }) => (done.get(number)?.sha256 ?? sha256) !== sha256)
  // The baseline was edited until it was frozen, before the first release.
  const advice = changed?.number === 1 ? beforeRelease : 'Undo the change and add a new migration.'
  if (changed)
    throw new MigrationError(`Migration ${changed.name} was changed after it was run. ${advice}`)
  const newest = Math.max(0, ...done.keys())
  const late = all.find((one) => one.number < newest && !done.has(one.number))
  if (late)
    throw new MigrationError(
      `Migration ${late.name} comes before ${newest}, which has already run. Renumber it.`,
    )
}

const insertRow =
  'insert into schema_migrations (number, name, sha256, compatible_from) values ($1, $2, $3, $4)'

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const { number, name, sha256, compatible_from } = migration
  try {
    // Built beside writers, it waits for their transactions: that may take long.
    if (migration.apart) {
      await client.query('set lock_timeout = 0')
      await buildIndexes(client, migration.apart)
      await client.query(`set lock_timeout = ${lock_timeout_ms}`)
    }
    await client.query('begin')
    if (!migration.apart) await runParts(client, migration)
    if (client.getTransactionStatus() !== 'T')
      throw new Error('its SQL ends the transaction that it runs in')
    await client.query(insertRow, [number, name, sha256, compatible_from])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw inWordsOf(migration, error)
  }
}

function inWordsOf(migration: Migration, error: unknown): unknown {
  const kind = kindOfError(error)
  if (kind === 'unavailable') return error
  const words = messageOf(error)
  if (kind !== 'retry')
    return new MigrationError(
      `Migration ${migration.name} failed${placeOf(error)}: ${words}`,
      error,
    )
  const left = migration.apart ? 'continues at the next start' : 'changed nothing'
  return new DatabaseUnavailable(
    `Migration ${migration.name} waited too long, and ${left}: ${words}`,
    error,
  )
}

/**
 * Runs each separately. A concurrent build stops no writer, and may take hours. One that was
 * interrupted leaves an invalid index, which every write maintains and no query uses: it is dropped
 * first.
 */
async function buildIndexes(client: pg.Client, statements: string[]): Promise<void> {
  for (const statement of statements) {
    const name = builtIndex(statement)
    if (name !== null) {
      const { rows } = await client.query<{ valid: boolean }>(
        `select indisvalid and indisready as valid from pg_index
          where indexrelid = to_regclass('public.' || $1)`,
        [name],
      )
      if (rows[0]?.valid) continue
      if (rows[0]) await client.query(`drop index concurrently public.${name}`)
    }
    await client.query(statement)
  }
}

/** An error of the database gets its `place`. */
async function runParts(client: pg.Client, { parts }: Migration): Promise<void> {
  for (const { file, sql } of parts) {
    await client.query(sql).catch((error: unknown) => {
      if (!(error instanceof pg.DatabaseError) || error.position === undefined) throw error
      const line = sql.slice(0, Number(error.position)).split('\n').length
      throw Object.assign(error, { place: ` at ${file}:${line}` })
    })
  }
}

function placeOf(error: unknown): string {
  const place = error instanceof pg.DatabaseError && 'place' in error ? error.place : undefined
  return typeof place === 'string' ? place : ''
}

async function prepareRoles(client: pg.Client): Promise<MigrationReport['roles']> {
  const { rows: there } = await client.query(
    `select from pg_proc where proname = 'prepare_roles' and pronamespace = 'public'::regnamespace`,
  )
  // Only a folder of a test has no function files.
  if (there.length === 0) return 'missing'
  const { rows } = await client.query<{ roles: string }>('select prepare_roles() as roles')
  return rows[0]?.roles === 'ready' ? 'ready' : 'missing'
}
