// A database of its own for a test file: a clone of the migrated template.
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  type Database,
  type DatabaseOptions,
  openDatabase,
  type Sql,
} from '../../src/db/database.ts'
import { typeParsers } from '../../src/db/postgres/column-types.ts'

const connect_timeout_s = '20'

export const app_role = 'agent_registrar_app'

export type TestDatabase = {
  /** The owner's URL. */
  url: string
  /** The connection as the service has it, in the app's role. */
  database: Database
  /**
   * Any SQL as the owner, to arrange and to look: bigint, Date and the rest as `database` returns
   * them.
   */
  query(text: string, params?: unknown[]): Promise<Record<string, unknown>[]>
  /** Before the file's end, which closes it else. */
  close(): Promise<void>
}

const open: { close(): Promise<void> }[] = []

// Here, at import, it belongs to the whole file; called in a `before`, it would belong to that
// alone.
after(() => Promise.all(open.map((one) => one.close())))

/** Where the test run's PostgreSQL is; an Error when there is none. */
export function adminUrl(): string {
  const url = process.env.TEST_DATABASE_ADMIN_URL
  if (url) return url
  throw new Error('Tests that need PostgreSQL are run by bin/test, which starts one: bin/test path')
}

/**
 * Clones an empty (`template0`), a migrated (`template_of_tests`) or another database and returns
 * the URL of the clone; `icu_locale`: of its collation, which only an empty one can have. It is
 * never dropped: the run deletes the cluster.
 */
export async function newDatabase(
  template: string,
  { icu_locale }: { icu_locale?: string } = {},
): Promise<string> {
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`
  const admin = new pg.Client({ connectionString: adminUrl() })
  await admin.connect()
  const locale =
    icu_locale === undefined
      ? ''
      : `encoding 'UTF8' locale_provider icu icu_locale '${icu_locale}' locale 'C'`
  await admin.query(`create database ${name} template ${template} strategy file_copy ${locale}`)
  await admin.end()
  const url = new URL(adminUrl())
  url.pathname = `/${name}`
  // A loaded machine takes seconds to start a backend.
  url.searchParams.set('connect_timeout', connect_timeout_s)
  return url.href
}

/**
 * A migrated database for this file, about 20 ms, or a clone of another without connections. Its
 * connections are closed after the file's tests.
 */
export async function testDatabase(
  options: Partial<DatabaseOptions> = {},
  template = 'template_of_tests',
): Promise<TestDatabase> {
  const url = await newDatabase(template)
  const database = await openDatabase({ url, app_role, ...options })
  const owner = new pg.Pool({ connectionString: url, types: typeParsers, max: 2 })
  owner.on('error', () => undefined)
  owner.on('connect', (client) => client.on('error', () => undefined))
  let closed: Promise<unknown> | undefined
  const close = async () => {
    closed ??= Promise.all([database.close(), owner.end()])
    await closed
  }
  open.push({ close })
  return {
    url,
    database,
    close,
    query: async (text, params = []) => (await owner.query(text, params)).rows,
  }
}

/**
 * The same database; `note` gets the name of each statement before it runs, also of transactions:
 * for tests that two requests do the same work.
 */
export function notedStatements(db: Database, note: (name: string) => void): Database {
  const over = <T extends Sql>(sql: T): T => {
    const noted = <S extends { name: string }>(statement: S): S => {
      note(statement.name)
      return statement
    }
    return {
      ...sql,
      maybe: (statement, ...params) => sql.maybe(noted(statement), ...params),
      one: (statement, ...params) => sql.one(noted(statement), ...params),
      count: (statement, ...params) => sql.count(noted(statement), ...params),
      run: (statement, ...params) => sql.run(noted(statement), ...params),
    }
  }
  return {
    ...over(db),
    transaction: (work, options) => db.transaction((sql) => work(over(sql)), options),
  }
}

/**
 * Until so many sessions of the database in which `query` runs wait for a lock of another. An Error
 * after 20 s.
 */
export async function untilBlocked(
  query: (text: string) => Promise<readonly unknown[]>,
  sessions = 1,
): Promise<void> {
  const latest = performance.now() + 20_000
  // In a transaction the statistics of other sessions would stay as they were at first.
  const blocked = `select from pg_stat_clear_snapshot() cross join pg_stat_activity
                    where datname = current_database() and wait_event_type = 'Lock'`
  while ((await query(blocked)).length < sessions) {
    if (performance.now() > latest) throw new Error('No session waits for a lock')
    await sleep(10)
  }
}

type Lock = { url: string; query: string; params: unknown[] }

/**
 * Begins each of these while a session holds the rows that the query locks, each once the one
 * before waits for them. They get the rows in this order, then the answers come.
 */
export async function queuedForRows<T>(
  { url, query, params }: Lock,
  begin: readonly (() => Promise<T>)[],
): Promise<T[]> {
  const holder = new pg.Client(url)
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query(query, params)
    const begun: Promise<T>[] = []
    for (const one of begin) {
      begun.push(one())
      await untilBlocked(async (text) => (await holder.query(text)).rows, begun.length)
    }
    await holder.query('rollback')
    return await Promise.all(begun)
  } finally {
    await holder.end()
  }
}
