// PostgreSQL client: typed statements, read at once on shared connections or together in a
// transaction.

import type pg from 'pg'
import { activeSpan, traced, type Work } from '../kit/telemetry.ts'
import { type Target, tryConnection } from './postgres/connection.ts'
import { type ChannelListener, Listener } from './postgres/listener.ts'
import { Readers } from './postgres/readers.ts'
import { type TransactionOptions, Writers } from './postgres/writers.ts'
import type { Arguments, Declared, Row, Statement, StatementName } from './statement.ts'

export {
  CommitUnknown,
  DatabaseSettingError,
  DatabaseUnavailable,
  MigrationError,
  violatedConstraint,
} from './postgres/errors.ts'

/** Where statements are run: the database itself, or one transaction of it. */
export type Sql = {
  /** All rows. */
  run<N extends StatementName>(statement: Statement<N>, ...params: Arguments<N>): Promise<Row<N>[]>
  /** The one row. Throws an Error if there is none or more. */
  one<N extends StatementName>(statement: Statement<N>, ...params: Arguments<N>): Promise<Row<N>>
  /** The one row, or undefined if there is none. Throws an Error if there are more. */
  maybe<N extends StatementName>(
    statement: Statement<N>,
    ...params: Arguments<N>
  ): Promise<Row<N> | undefined>
  /** The number of rows that it changed or returned. */
  count<N extends StatementName>(statement: Statement<N>, ...params: Arguments<N>): Promise<number>
}

/**
 * Every call may reject with DatabaseUnavailable (503: nothing was changed) or, if it changes
 * something, with CommitUnknown (503: read back). An error from the database itself is a
 * pg.DatabaseError with its SQLSTATE.
 */
export type Database = Sql & {
  /**
   * Runs the work in one transaction and commits it; an error rolls back. After a clash (40001,
   * 40P01, 55P03) the work is run again, so it must have no effect outside. Statements started
   * together travel together.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Like `transaction`, on a connection of its own that is closed afterwards, so that reports of
   * many seconds hold none of the pool.
   */
  apart<T>(work: (sql: Sql) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Listens to a channel until the returned function is called. Never NOTIFY inside
   * a money transaction.
   */
  listen(channel: string, listener: ChannelListener): Promise<() => Promise<void>>
  /**
   * Looks up one row by which a caller is authenticated, on a connection of its own: no other
   * statement delays it, and it rejects with DatabaseUnavailable after a second.
   */
  lookUp<N extends StatementName>(
    statement: Statement<N>,
    ...params: Arguments<N>
  ): Promise<Row<N> | undefined>
  /** How busy the connections for transactions are. */
  load(): PoolLoad
  /** Waits for the statements in progress, then closes all connections. */
  close(): Promise<void>
}

/** The numbers of connections (limit, open, free), and of callers that wait for one. */
type PoolLoad = { most: number; open: number; idle: number; waiting: number }

export type DatabaseOptions = {
  url: string
  /** The role to work as (SET ROLE at connect). The URL's own user, if it is null or left out. */
  app_role?: string | null
  /** Connections for transactions and changes; 8 if not given. */
  pool_size?: number
  /** After this long without an answer, a commit is CommitUnknown; 5000 if not given. */
  commit_timeout_ms?: number
}

/** Shared read-only connections. */
const shared_readers = 2
/** How long the look-up of a caller may take. */
const look_up_timeout_ms = 1_000

const writersWords = '25006'

/**
 * Opens the client, after one check of version, role and settings.
 * Throws DatabaseUnavailable or DatabaseSettingError, each with one clear line.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const target: Target = { url: options.url, app_role: options.app_role ?? null }
  await tryConnection(target)
  const readers = new Readers(target, shared_readers)
  const lookUps = new Readers(target, 1, look_up_timeout_ms)
  const commit_timeout_ms = options.commit_timeout_ms ?? 5_000
  const writers = new Writers(target, { pool_size: options.pool_size ?? 8, commit_timeout_ms })
  const listener = new Listener(target)
  const found = new Set<string>()

  const query: Query = async (statement, ...params) => {
    const config = named(statement, ...params)
    if (!statement.reads || found.has(statement.name)) return await writers.query(config)
    try {
      return await readers.query(config)
    } catch (error) {
      // A select that calls a function which writes is refused before any effect, and known from
      // then on.
      if (!isReadOnlyRefusal(error)) throw error
      found.add(statement.name)
      return await writers.query(config)
    }
  }

  const apart: Database['apart'] = async (work, transactionOptions = {}) => {
    const own = new Writers(target, { pool_size: 1, commit_timeout_ms })
    return await transactionOf(own)(work, transactionOptions).finally(() => own.close())
  }

  return {
    ...sqlOver(query),
    transaction: transactionOf(writers),
    apart,
    listen: (channel, channelListener) => listener.listen(channel, channelListener),
    lookUp: sqlOver((statement, ...params) => lookUps.query(named(statement, ...params))).maybe,
    load: () => writers.load(),
    close: async () => {
      await Promise.all([readers.close(), lookUps.close(), writers.close(), listener.close()])
    },
  }
}

function transactionOf(writers: Writers): Database['transaction'] {
  return async (work, options = {}) =>
    await writers.transaction(async ({ client }) => {
      let open = true
      try {
        return await tracedTransaction(client, () => work(sqlWhile(client, () => open)))
      } finally {
        open = false
      }
    }, options)
}

function isReadOnlyRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  return code === writersWords || isReadOnlyRefusal(error.cause)
}

type Query = <N extends StatementName>(
  statement: Statement<N>,
  ...params: Arguments<N>
) => Promise<pg.QueryResult<Row<N>>>

const postgresql = { 'db.system.name': 'postgresql' }
const transactionWork = (): Work => ({
  name: 'transaction',
  kind: 'internal',
  attributes: postgresql,
})

/** Each statement by its name: neither its text nor its parameters. */
function tracedQuery<T>({ name }: Pick<Statement, 'name'>, run: () => Promise<T>): Promise<T> {
  if (!activeSpan()) return run()
  const attributes = { ...postgresql, 'db.query.summary': name }
  return traced(() => ({ name, kind: 'client', attributes }), run)
}

/**
 * Runs the work of a transaction, and notes its trace for what it enqueues, also by a trigger: the
 * setting is the default of `tasks.traceparent`.
 */
async function tracedTransaction<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  return await traced(transactionWork, async (span) => {
    if (span) await client.query(`set local agent_registrar.traceparent = '${span.traceparent}'`)
    return await work()
  })
}

/** The four ways to run a statement, over one way to send it. */
function sqlOver(send: Query): Sql {
  const query: Query = (statement, ...params) =>
    tracedQuery(statement, () => send(statement, ...params))
  const atMostOne = <N extends StatementName>(statement: Statement<N>, rows: Row<N>[]) => {
    if (rows.length > 1)
      throw new Error(`Statement "${statement.name}" answered ${rows.length} rows, not one`)
    return rows[0]
  }
  return {
    run: async (statement, ...params) => (await query(statement, ...params)).rows,
    count: async (statement, ...params) => (await query(statement, ...params)).rowCount ?? 0,
    maybe: async (statement, ...params) =>
      atMostOne(statement, (await query(statement, ...params)).rows),
    one: async (statement, ...params) => {
      const row = atMostOne(statement, (await query(statement, ...params)).rows)
      if (row === undefined) throw new Error(`Statement "${statement.name}" answered no row`)
      return row
    },
  }
}

/** The values of `$1, $2, ...`, read by their names. */
export function valuesOf(
  { name, params }: Pick<Declared, 'name' | 'params'>,
  given: Readonly<Record<string, unknown>> = {},
): unknown[] {
  return params.map((param) => {
    const value = given[param]
    if (value === undefined) throw new Error(`Statement "${name}" got no value for :${param}`)
    return value
  })
}

/** The query as pg sends it. */
const named = <N extends StatementName>(statement: Statement<N>, ...[params]: Arguments<N>) => {
  return { name: statement.name, text: statement.text, values: valuesOf(statement, params) }
}

/**
 * Statements of one transaction; after its end they are refused, since another caller then has the
 * connection.
 */
export function sqlWhile(client: pg.ClientBase, open: () => boolean): Sql {
  return sqlOver(
    async <N extends StatementName>(statement: Statement<N>, ...params: Arguments<N>) => {
      if (open()) return await client.query<Row<N>>(named(statement, ...params))
      throw new Error(`Statement "${statement.name}" came after its transaction`)
    },
  )
}

/** A subscription to a channel: opened by its first use, and by the next one after a failure. */
export class Subscription {
  readonly #source: Pick<Database, 'listen'>
  readonly #channel: string
  readonly #listener: ChannelListener
  #open: Promise<() => Promise<void>> | null = null

  /** `reconnected` is also called once it listens, since nothing before that was notified. */
  constructor(source: Pick<Database, 'listen'>, channel: string, listener: ChannelListener) {
    this.#source = source
    this.#channel = channel
    this.#listener = listener
  }

  /** Resolves when it listens. Rejects when there is no connection; the next call tries again. */
  async ensure(): Promise<void> {
    this.#open ??= this.#listen().catch((error) => {
      this.#open = null
      throw error
    })
    await this.#open
  }

  /** The same without waiting, for a caller that also notices a change without a notification. */
  begin(): void {
    this.ensure().catch(() => undefined)
  }

  async close(): Promise<void> {
    const end = await this.#open?.catch(() => null)
    await end?.()
  }

  async #listen(): Promise<() => Promise<void>> {
    const end = await this.#source.listen(this.#channel, this.#listener)
    this.#listener.reconnected()
    return end
  }
}
