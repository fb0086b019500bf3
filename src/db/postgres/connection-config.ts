// A connection's settings from its URL.
import pg from 'pg'
import { typeParsers } from './column-types.ts'
import { DatabaseSettingError, messageOf } from './errors.ts'

const usual_connect_timeout_s = 2

/**
 * How long to wait for a connection, also for one of the pool: libpq's `connect_timeout` of the
 * URL, in seconds. 0 would be endless there, and is the usual time here.
 */
export function connectTimeoutMs(url: string): number {
  const seconds = Number(/[?&]connect_timeout=(\d{1,4})(?:&|$)/.exec(url)?.[1] ?? 0)
  return 1_000 * (seconds || usual_connect_timeout_s)
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
 * The configuration of pg for a URL. Throws DatabaseSettingError with one line when the URL cannot
 * be used.
 */
export function clientConfig(url: string): pg.ClientConfig {
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new DatabaseSettingError('DATABASE_URL must begin with postgres:// or postgresql://')
  // Manuals describe libpq's meaning of sslmode; without this, pg warns at each
  // start.
  const compatible = url.includes('uselibpqcompat=')
    ? url
    : `${url}${url.includes('?') ? '&' : '?'}uselibpqcompat=true`
  const config = {
    connectionString: compatible,
    types: typeParsers,
    application_name: 'agent-registrar',
    connectionTimeoutMillis: connectTimeoutMs(url),
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
