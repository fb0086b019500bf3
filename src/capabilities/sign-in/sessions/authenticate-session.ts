// Session authentication: checks the token's checksum, then looks its SHA-256 up, cached for 3 s as
// API keys are.
import { type App, type Caller, scopes } from '../../../app.ts'
import { hashSecret, isWellFormedSecret } from '../../../kit/random.ts'
import type { RefusalReader, TokenReader } from '../../api-keys/index.ts'
import { sessionOfHash, sessionRefusalOfHash } from './sessions.sql.ts'
import { endOf, sessionPrefix } from './sessions.ts'

type SessionParts = Pick<App, 'db' | 'clock' | 'authentications' | 'lastUses'>

/**
 * Authenticates session tokens. Undefined for one that is mistyped (no query is made), unknown,
 * revoked, expired, idle for a day, or of a closed account. Rejects with DatabaseUnavailable.
 */
export function authenticateSessions(parts: SessionParts): TokenReader {
  const { db, clock, authentications, lastUses } = parts
  return async (token) => {
    if (!isWellFormedSecret(sessionPrefix, token)) return undefined
    const hash = hashSecret(token)
    const found = await authentications.authenticate(hash, async () => {
      const row = await db.lookUp(sessionOfHash, { token_hash: hash })
      if (!row) return undefined
      const caller: Caller = {
        kind: 'customer',
        customer_id: row.customer_id,
        suspended: row.suspended,
        session_id: row.id,
        signed_in_at: row.signed_in_at,
        scopes: new Set(scopes),
      }
      return { caller, expires_at: endOf(row) }
    })
    if (!found) return undefined
    const now = clock.now()
    if (found.expires_at !== null && found.expires_at <= now) return undefined
    if (found.caller.kind === 'customer') lastUses.sessions.note(found.caller.session_id, now)
    return found.caller
  }
}

const again = 'Log in again.'

/** Why authenticateSessions refuses a session token. It makes a query of its own. */
export function explainSessions({ db }: Pick<App, 'db'>): RefusalReader {
  return async (token) => {
    if (!isWellFormedSecret(sessionPrefix, token))
      return {
        detail: 'The session token is mistyped or cut off: its checksum is wrong.',
        hint: 'Send the whole access_token that the log-in returned.',
      }
    const row = await db.lookUp(sessionRefusalOfHash, { token_hash: hashSecret(token) })
    if (!row) return { detail: 'The session is unknown here, or ended long ago.', hint: again }
    if (row.closed)
      return { detail: 'The account of this session is closed.', hint: 'Contact support.' }
    const detail = row.ended
      ? 'The session was ended: by a log-out, a new password or its owner.'
      : 'The session has expired.'
    return { detail, hint: again }
  }
}
