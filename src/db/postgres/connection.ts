// One connection: its settings from the URL, its session (role, timeouts), and its errors in our
// words.
import pg from 'pg'
import { clientConfig, shownUrl } from './connection-config.ts'
import {
  CommitUnknown,
  DatabaseSettingError,
  DatabaseUnavailable,
  kindOfError,
  messageOf,
} from './errors.ts'
import { refuseSharedSessions } from './pooler.ts'

/**
 * How long the server works on one statement; the client waits a little longer, then gives the
 * connection up.
 */
const statement_timeout_ms = 10_000
const answer_timeout_ms = statement_timeout_ms + 2_000
const lock_timeout_ms = 2_000
const idle_in_transaction_ms = 10_000
const oldest_server = 15

export type Target = {
  /**
   * postgres://user:password@host:port/database, `?host=/a/socket/folder`, `?sslmode=verify-full`,
   * `?connect_timeout=5`.
   */
  url: string
  /** The role to work as, or null to keep the URL's own user. */
  app_role: string | null
}

/** The settings of a session that serves requests. */
export function servingConfig(
  target: Target,
  extra: { pipeline: boolean; query_timeout?: number },
): pg.ClientConfig {
  return { ...clientConfig(target.url), query_timeout: answer_timeout_ms, ...extra }
}

/**
 * Sets role, timeouts and planning of a new connection in one round trip. Plans are generic, as
 * test/reads measures them, and made once for each connection: for a page of a partitioned table
 * the planner would make a custom plan, over all partitions, for each execution (decision 37). As a
 * generic plan does not know its limit, its cost would start JIT compilation.
 */
export async function prepareSession(
  client: pg.ClientBase,
  target: Target,
  session: { read_only: boolean; timeout_ms?: number },
): Promise<void> {
  const timeout_ms = session.timeout_ms ?? statement_timeout_ms
  const settings = [
    `set time zone 'UTC'`,
    `set statement_timeout = ${timeout_ms}`,
    `set lock_timeout = ${Math.min(lock_timeout_ms, timeout_ms)}`,
    `set idle_in_transaction_session_timeout = ${idle_in_transaction_ms}`,
    'set plan_cache_mode = force_generic_plan',
    'set jit = off',
  ]
  if (target.app_role !== null) settings.push(`set role ${pg.escapeIdentifier(target.app_role)}`)
  if (session.read_only) settings.push('set default_transaction_read_only = on')
  await client.query(settings.join('; '))
}

/** Classifies an error of `pg`. The database's answers to a statement come back unchanged. */
export function translateError(error: unknown, url: string): unknown {
  if (error instanceof DatabaseUnavailable || error instanceof CommitUnknown) return error
  const kind = kindOfError(error)
  if (kind === 'setting')
    return new DatabaseSettingError(
      `The database at ${shownUrl(url)} refused: ${messageOf(error)}`,
      error,
    )
  if (kind === 'statement') return error
  return new DatabaseUnavailable(
    `The database at ${shownUrl(url)} is not available: ${messageOf(error)}`,
    error,
  )
}

/**
 * Connects once, so that a wrong setting is one clear line at the start and no storm later. Throws
 * DatabaseUnavailable (no answer) or DatabaseSettingError (wrong password, role, version,
 * ...).
 */
export async function tryConnection(target: Target): Promise<void> {
  const client = new pg.Client({ ...clientConfig(target.url), query_timeout: answer_timeout_ms })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await refuseUnfitServer(client, target.url)
    await prepareSession(client, target, { read_only: false }).catch((cause: unknown) => {
      if (kindOfError(cause) !== 'statement') throw cause
      throw new DatabaseSettingError(
        `The database's user cannot work as ${target.app_role}: ${messageOf(cause)}. ` +
          'Run bin/migrate, or set APP_DATABASE_URL.',
        cause,
      )
    })
  } catch (error) {
    throw translateError(error, target.url)
  } finally {
    await client.end()
  }
}

/** Throws DatabaseSettingError for a server that is too old for our SQL, or shared sessions. */
export async function refuseUnfitServer(client: pg.ClientBase, url: string): Promise<void> {
  const { rows } = await client.query<{ version: string; pid: number }>(
    `select current_setting('server_version') as version, pg_backend_pid() as pid`,
  )
  const { version = '', pid = 0 } = rows[0] ?? {}
  if (Number.parseInt(version, 10) < oldest_server)
    throw new DatabaseSettingError(
      `PostgreSQL ${oldest_server} or newer is needed; this server is ${version}.`,
    )
  await refuseSharedSessions(client, { url, pid })
}
