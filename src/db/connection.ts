// One connection: its settings from the URL, its session (role, timeouts), and its errors in our
// words.
import pg from 'pg'
import { typeParsers } from './column-types.ts'
import {
  CommitUnknown,
  DatabaseSettingError,
  DatabaseUnavailable,
  messageOf,
  troubleOf,
} from './errors.ts'

export const connect_timeout_ms = 2_000
/**
 * How long the server works on one statement; the client waits a little longer, then gives the
 * connection up.
 */
export const statement_timeout_ms = 10_000
const answer_timeout_ms = statement_timeout_ms + 2_000
const lock_timeout_ms = 2_000
const idle_in_transaction_ms = 10_000
const oldest_server = 15

export type Target = {
  /**
   * postgres://user:password@host:port/database, `?host=/a/socket/folder`, `?sslmode=verify-full`.
   */
  url: string
  /** The role to work as; null keeps the URL's own user. */
  app_role: string | null
}

/** The URL without user and password, for messages. */
export function shownUrl(url: string): string {
  // libpq's form for a socket has no host, which the URL standard refuses.
  const readable = url.replace('@/', '@localhost/').replace(':///', '://localhost/')
  if (!URL.canParse(readable)) return '(unreadable URL)'
  const { protocol, host, pathname, searchParams } = new URL(readable)
  return `${protocol}//${searchParams.get('host') ?? host}${pathname}`
}

/**
 * What pg needs for a URL. Throws DatabaseSettingError with one line when the URL cannot be used.
 */
export function clientConfig(url: string): pg.ClientConfig {
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new DatabaseSettingError('DATABASE_URL must begin with postgres:// or postgresql://')
  // libpq's meaning of sslmode is what every manual describes; without this, pg warns at each
  // start.
  const compatible = url.includes('uselibpqcompat=')
    ? url
    : `${url}${url.includes('?') ? '&' : '?'}uselibpqcompat=true`
  const config = {
    connectionString: compatible,
    types: typeParsers,
    application_name: 'agent-registrar',
    connectionTimeoutMillis: connect_timeout_ms,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }
  try {
    // pg reads the URL when a client is made, long before it connects.
    new pg.Client(config)
    return config
  } catch (cause) {
    throw new DatabaseSettingError(`DATABASE_URL cannot be used: ${messageOf(cause)}`, cause)
  }
}

/** The settings of a session that serves requests. */
export function servingConfig(
  target: Target,
  extra: { pipeline: boolean; query_timeout?: number },
): pg.ClientConfig {
  return { ...clientConfig(target.url), query_timeout: answer_timeout_ms, ...extra }
}

/** Sets role and timeouts of a new connection in one round trip. */
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
  ]
  if (target.app_role !== null) settings.push(`set role ${pg.escapeIdentifier(target.app_role)}`)
  if (session.read_only) settings.push('set default_transaction_read_only = on')
  await client.query(settings.join('; '))
}

/** An error of `pg`, sorted: the database's answers to a statement come back as they are. */
export function inOurWords(error: unknown, url: string): unknown {
  if (error instanceof DatabaseUnavailable || error instanceof CommitUnknown) return error
  const trouble = troubleOf(error)
  if (trouble === 'setting')
    return new DatabaseSettingError(
      `The database at ${shownUrl(url)} refused: ${messageOf(error)}`,
      error,
    )
  if (trouble === 'statement') return error
  return new DatabaseUnavailable(
    `The database at ${shownUrl(url)} is not available: ${messageOf(error)}`,
    error,
  )
}

/**
 * Connects once, so that a wrong setting is one clear line at the start and no storm later. Throws
 * DatabaseUnavailable (nobody answers) or DatabaseSettingError (wrong password, role, version,
 * ...).
 */
export async function tryConnection(target: Target): Promise<void> {
  const client = new pg.Client({ ...clientConfig(target.url), query_timeout: answer_timeout_ms })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await refuseOldServer(client)
    await prepareSession(client, target, { read_only: false }).catch((cause: unknown) => {
      if (troubleOf(cause) !== 'statement') throw cause
      throw new DatabaseSettingError(
        `The database's user cannot work as ${target.app_role}: ${messageOf(cause)}. ` +
          'Run bin/migrate, or set APP_DATABASE_URL.',
        cause,
      )
    })
  } catch (error) {
    throw inOurWords(error, target.url)
  } finally {
    await client.end()
  }
}

/** Throws DatabaseSettingError when the server is too old for our SQL. */
export async function refuseOldServer(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  )
  const version = rows[0]?.version ?? ''
  if (Number.parseInt(version, 10) < oldest_server)
    throw new DatabaseSettingError(
      `PostgreSQL ${oldest_server} or newer is needed; this server is ${version}.`,
    )
}
