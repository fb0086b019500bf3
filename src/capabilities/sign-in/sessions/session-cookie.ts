// The session as a cookie (RFC 6265bis): HttpOnly, so that no script of a page can read its token.
// A browser asks for it with "X-Session: cookie".
import Type from 'typebox'
import { type App, type Call, Reply } from '../../../app.ts'
import { dateTime, nullable, oneOf } from '../../../kit/schema.ts'
import { moveBegunIn, movePushSubscriptions } from './sessions.sql.ts'
import { beginSession, stopSession } from './sessions.ts'

type Place = Pick<App['settings'], 'base_url' | 'environment'>

/**
 * Browsers send a cookie to every port of a host, so in the sandbox its name has the port of
 * PUBLIC_URL: sessions of two services on one machine stay apart.
 */
export function sessionCookieName(place: Place): string {
  return hostCookieName(place, 'session')
}

/** The name of a cookie that only this host can set, and no subdomain (prefix __Host-). */
export function hostCookieName({ base_url, environment }: Place, name: string): string {
  if (environment !== 'sandbox') return `__Host-${name}`
  const { port, protocol } = new URL(base_url)
  return `__Host-${name}-${port || (protocol === 'https:' ? '443' : '80')}`
}

/**
 * Names of the browser's cookies at the authorization server: `session` has the id of its log-in
 * there; each open page has one that begins with `interaction` and ends with its own id.
 */
export function consentCookies({ base_url }: Pick<Place, 'base_url'>) {
  const host = base_url.startsWith('https:') ? '__Host-' : ''
  return { session: `${host}oauth_session`, interaction: `${host}oauth_interaction` }
}

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'

/** The input field of an operation that creates a session, with `in: sessionField.in`. */
export const sessionField = {
  takes: {
    x_session: Type.Optional(
      oneOf(['cookie'], {
        description:
          'With "cookie" the session comes as an HttpOnly cookie, for pages of this service, and ' +
          'access_token is null.',
      }),
    ),
  },
  in: { x_session: 'header' },
} as const

/** The response fields of such an operation. */
export const sessionGiven = {
  access_token: nullable(
    Type.String({
      description:
        '"ses_" and 40 characters. It is shown only here, and is null if it is in the cookie.',
    }),
  ),
  token_type: oneOf(['Bearer']),
  expires_at: dateTime('When it expires at the latest.'),
}

type Wanted = Omit<Parameters<typeof beginSession>[2], 'agent' | 'address'> & {
  x_session: 'cookie' | undefined
}
type GivenSession = {
  session_id: bigint
  /** The fields of `sessionGiven`. */
  fields: { access_token: string | null; token_type: 'Bearer'; expires_at: string }
  headers: Record<string, string>
}

/**
 * Creates a session for the call's client, and gives it out as the request asked for it. In a
 * cookie it takes the place of that browser's session, which ends. Undefined when the password was
 * changed since it was checked.
 */
export async function giveSession(
  app: App,
  call: Call,
  { x_session, ...wanted }: Wanted,
): Promise<GivenSession | undefined> {
  const { sql, user_agent: agent, address } = call
  const session = await beginSession(app, sql, { ...wanted, agent, address })
  if (!session) return undefined
  const { session_id, access_token } = session
  const given = { token_type: 'Bearer', expires_at: session.expires_at.toISOString() } as const
  if (x_session === undefined)
    return { session_id, fields: { ...given, access_token }, headers: {} }
  if (call.by_cookie && call.caller.kind === 'customer') {
    const { customer_id, session_id: old_id } = call.caller
    // The earlier session is ended only if it is of the same account.
    if (customer_id === wanted.customer_id) {
      const moved = { customer_id, old_id, new_id: session_id }
      await sql.count(moveBegunIn, moved)
      await sql.count(movePushSubscriptions, moved)
    }
    await stopSession(app, sql, call.caller)
  }
  const cookie = `${sessionCookieName(app.settings)}=${access_token}; ${attributes}`
  const headers = { 'Set-Cookie': cookie }
  return { session_id, fields: { ...given, access_token: null }, headers }
}

/** The response to a log-out: removes the cookie, if the session was in it. */
export function loggedOutReply({ settings }: Pick<App, 'settings'>, call: Call): Reply<null> {
  const removed = `${sessionCookieName(settings)}=; Max-Age=0; ${attributes}`
  return new Reply(null, call.by_cookie ? { 'Set-Cookie': removed } : {})
}
