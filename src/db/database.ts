// PostgreSQL client: typed statements, read at once on shared connections or together in a
// transaction.

import { type Target, tryConnection } from './postgres/connection.ts'
import { Readers, type TransactionOptions, Writers } from './postgres/connections.ts'
import { type ChannelListener, Listener } from './postgres/listener.ts'
import { named, type Query, type Sql, sqlOver, sqlWhile, tracedTransaction } from './sql.ts'
import type { Arguments, Row, Statement, StatementName } from './statement.ts'

export type { Isolation, TransactionOptions } from './postgres/connections.ts'
export {
  CommitUnknown,
  DatabaseSettingError,
  DatabaseUnavailable,
  EmbeddedDatabaseError,
  MigrationError,
  violatedConstraint,
} from './postgres/errors.ts'
export type { ChannelListener } from './postgres/listener.ts'
export { type Sql, valuesOf } from './sql.ts'

/**
 * Every call may reject with DatabaseUnavailable (503: nothing was changed) or, where something
 * was to be changed, with CommitUnknown (503: read back). An error from the database itself is a
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
   * As `transaction`, on a connection of its own that is closed afterwards: for reports that take
   * many seconds, so that they hold none of the pool.
   */
  apart<T>(work: (sql: Sql) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Listens to a channel until the answered function is called. Never NOTIFY inside
   * a money transaction.
   */
  listen(channel: string, listener: ChannelListener): Promise<() => Promise<void>>
  /**
   * Looks up one row by which a caller is authenticated, on a connection of its own: no other
   * statement holds it up, and after a second it is DatabaseUnavailable.
   */
  lookUp<N extends StatementName>(
    statement: Statement<N>,
    ...params: Arguments<N>
  ): Promise<Row<N> | undefined>
  /** How busy the connections for transactions are. */
  load(): PoolLoad
  /** Waits for what is under way, then closes all connections. */
  close(): Promise<void>
}

/** Connections: the limit, those that exist, free ones; and callers that wait for one. */
type PoolLoad = { most: number; open: number; idle: number; waiting: number }

export type DatabaseOptions = {
  url: string
  /** The role to work as (SET ROLE at connect); null or left out: the URL's own user. */
  app_role?: string | null
  /** Connections for transactions and changes; 8 if not given. */
  pool_size?: number
  /** Shared read-only connections; 2 if not given. */
  readers?: number
  /** How long the look-up of a caller may take; 1000 if not given. */
  look_up_timeout_ms?: number
  /** After this long without an answer, a commit is CommitUnknown; 5000 if not given. */
  commit_timeout_ms?: number
}

const writersWords = '25006'

/**
 * Opens the client, after one check of version, role and settings.
 * Throws DatabaseUnavailable or DatabaseSettingError, each with one clear line.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const target: Target = { url: options.url, app_role: options.app_role ?? null }
  await tryConnection(target)
  const readers = new Readers(target, options.readers ?? 2)
  const lookUps = new Readers(target, 1, options.look_up_timeout_ms ?? 1_000)
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
      // A select of a function that writes: refused before any effect, and known from now on.
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
