// Authentication of operators by the session cookie of their pages: it ends after 30 minutes
// without a call, after eight hours, at the log-out, and with its key.
import type { Caller } from '../../../app.ts'
import { hashSecret, isWellFormedSecret } from '../../../kit/random.ts'
import type { TokenReader } from '../../api-keys/index.ts'
import { type OperatorParts, use_step_ms } from '../keys/authenticate-key.ts'
import { noteSessionUse, operatorSessionOfHash } from './sessions.sql.ts'

/** The token is valid in the cookie alone, and not as a bearer token. */
export const operatorSessionPrefix = 'ops_'
const idle_ms = 30 * 60_000
export const longest_ms = 8 * 3_600_000

/** When a session expires if it is not used again. */
export function endOf({ expires_at, last_used_at }: { expires_at: Date; last_used_at: Date }) {
  return new Date(Math.min(expires_at.getTime(), last_used_at.getTime() + idle_ms))
}

/**
 * Undefined for a token that is mistyped (no query is made), unknown, ended, expired, idle for too
 * long, or of a revoked key. Rejects with DatabaseUnavailable.
 */
export function authenticateOperatorSessions(parts: OperatorParts): TokenReader {
  const { db, clock, authentications } = parts
  return async (token) => {
    if (!isWellFormedSecret(operatorSessionPrefix, token)) return undefined
    const hash = hashSecret(token)
    const found = await authentications.authenticate(hash, async () => {
      const row = await db.lookUp(operatorSessionOfHash, { token_hash: hash })
      const now = clock.now()
      if (!row || endOf(row) <= now) return undefined
      const { id, label, operator_key_id: key_id } = row
      if (now.getTime() - row.last_used_at.getTime() > use_step_ms)
        await db.count(noteSessionUse, { id, now })
      const caller: Caller = { kind: 'operator', key_id, label, session_id: id }
      return { caller, expires_at: row.expires_at }
    })
    if (!found) return undefined
    return found.expires_at !== null && found.expires_at <= clock.now() ? undefined : found.caller
  }
}
