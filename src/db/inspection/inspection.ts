// Read-only inspection of the database in a role of its own: column grants decide what can be read,
// each reading is one read-only transaction, and a slow statement ends after two seconds.
import pg from 'pg'
import { type Sql, sqlWhile } from '../database.ts'
import { servingConfig, type Target, translateError } from '../postgres/connection.ts'
import { connectTimeoutMs } from '../postgres/connection-config.ts'
import { kindOfError } from '../postgres/errors.ts'

const inspector_role = 'agent_registrar_inspector'
const usual_timeout_ms = 2_000
const lock_timeout_ms = 500
const temp_file_limit = '64MB'

/**
 * The server ended a statement that was too slow, wrote too many temporary files, or met a held
 * lock.
 */
export class InspectionTimedOut extends Error {
  constructor(cause: unknown) {
    super('A statement of the inspection was ended', { cause })
    this.name = 'InspectionTimedOut'
  }
}

/** No connection may work in the role. */
export class InspectionRefused extends Error {
  constructor(cause: unknown) {
    super(`No user of the settings can work as ${inspector_role}`, { cause })
    this.name = 'InspectionRefused'
  }
}

/** The database as one reading sees it: one snapshot. */
export type InspectionSql = Sql & {
  /**
   * Rows of a generated query of one statement without parameters, every value as PostgreSQL's own
   * text: nothing is lost in a number or a date of JavaScript.
   */
  texts(query: string): Promise<(string | null)[][]>
}

export type Inspection = {
  /**
   * Runs the work in a read-only transaction. Rejects with InspectionTimedOut, InspectionRefused or
   * DatabaseUnavailable, or with the database's own answer.
   */
  read<T>(work: (sql: InspectionSql) => Promise<T>): Promise<T>
  close(): Promise<void>
}

type InspectionOptions = {
  /** The first URL is used whose user may work in the role; null ones are passed over. */
  urls: readonly (string | null)[]
  /** How long a statement may take; 2000 if not given. */
  timeout_ms?: number
  /** The maximum number of connections; 3 if not given. None is open while nothing is read. */
  pool_size?: number
}

const asText = { getTypeParser: () => (text: string) => text }

/** Connects at the first reading. */
export function openInspection(options: InspectionOptions): Inspection {
  let chosen: Promise<Chosen> | undefined

  /**
   * A failure is not kept, since the role may be made, or the server be back, before the next
   * reading.
   */
  function ready() {
    chosen ??= choose(options).catch((error: unknown) => {
      chosen = undefined
      throw error
    })
    return chosen
  }

  async function attempt<T>(work: (sql: InspectionSql) => Promise<T>): Promise<T> {
    const { pool, url } = await ready()
    const client = await pool.connect().catch((error: unknown) => {
      throw isRefusal(error) ? new InspectionRefused(error) : translateError(error, url)
    })
    let open = true
    let sound = false
    try {
      // It is stated each time, since a session could reset its default.
      await client.query('begin isolation level repeatable read read only')
      const value = await work(sqlOf(client, () => open))
      await client.query('commit')
      sound = true
      return value
    } catch (error) {
      if (isEnded(error)) throw new InspectionTimedOut(error)
      throw error
    } finally {
      open = false
      // A connection whose transaction failed is not used again: such a reading is rare.
      client.release(!sound)
    }
  }

  return {
    async read(work) {
      try {
        return await attempt(work)
      } catch (error) {
        const kind = kindOfError(error)
        if (kind === 'stale') return await attempt(work)
        if (kind === 'unavailable' && chosen) throw translateError(error, (await chosen).url)
        throw error
      }
    },
    async close() {
      const opened = await chosen?.catch(() => undefined)
      await opened?.pool.end()
    },
  }
}

type Chosen = { pool: pg.Pool; url: string }

/** The pool of the first URL whose user may work in the role. */
async function choose(options: InspectionOptions): Promise<Chosen> {
  const { timeout_ms = usual_timeout_ms, pool_size = 3 } = options
  let refused: unknown = new Error('There is no URL')
  for (const url of options.urls.filter((one) => one !== null)) {
    const pool = poolOf({ url, timeout_ms, pool_size })
    try {
      const client = await pool.connect()
      client.release()
      return { pool, url }
    } catch (error) {
      await pool.end()
      if (!isRefusal(error)) throw translateError(error, url)
      refused = error
    }
  }
  throw new InspectionRefused(refused)
}

type PoolOptions = { url: string; timeout_ms: number; pool_size: number }

function poolOf({ url, timeout_ms, pool_size }: PoolOptions): pg.Pool {
  const target: Target = { url, app_role: inspector_role }
  const pool = new pg.Pool({
    ...servingConfig(target, { pipeline: true, query_timeout: 2 * timeout_ms + 1_000 }),
    max: pool_size,
    connectionTimeoutMillis: connectTimeoutMs(url),
    idleTimeoutMillis: 10_000,
    allowExitOnIdle: true,
    onConnect: (client) => prepareInspection(client, timeout_ms),
  })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/**
 * Formats that lose nothing, limits, and last the role. Plans are made for the values: filters and
 * limits differ widely, and calls are rare.
 */
async function prepareInspection(client: pg.ClientBase, timeout_ms: number): Promise<void> {
  const settings = [
    `set time zone 'UTC'`,
    `set datestyle = 'ISO, YMD'`,
    `set intervalstyle = 'iso_8601'`,
    `set bytea_output = 'hex'`,
    'set extra_float_digits = 1',
    `set statement_timeout = ${timeout_ms}`,
    `set lock_timeout = ${Math.min(lock_timeout_ms, timeout_ms)}`,
    `set idle_in_transaction_session_timeout = ${5 * timeout_ms}`,
    'set plan_cache_mode = force_custom_plan',
    'set jit = off',
    // Only some users may set it; without it the statement's time alone limits its files.
    `select set_config('temp_file_limit', '${temp_file_limit}', false)
       where has_parameter_privilege('temp_file_limit', 'SET')`,
    `set role ${inspector_role}`,
    'set default_transaction_read_only = on',
  ]
  await client.query(settings.join('; '))
}

function sqlOf(client: pg.ClientBase, open: () => boolean): InspectionSql {
  return {
    ...sqlWhile(client, open),
    async texts(query) {
      if (!open()) throw new Error('A query of the inspection came after its transaction')
      // The extended protocol takes one statement, whatever the text.
      const config = {
        text: query,
        rowMode: 'array' as const,
        types: asText,
        queryMode: 'extended',
      }
      const { rows } = await client.query<(string | null)[]>(config)
      return rows
    },
  }
}

/** The role does not exist, this user may not take it, or the user itself is refused. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(22023|42501|28...)$/.test(error.code ?? '')
}

/** query_canceled, configuration_limit_exceeded (temporary files), lock_not_available. */
function isEnded(error: unknown): boolean {
  const code = error instanceof pg.DatabaseError ? error.code : undefined
  return code === '57014' || code === '53400' || code === '55P03'
}
