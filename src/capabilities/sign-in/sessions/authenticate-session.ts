// Session authentication: checks the token's checksum, then looks its SHA-256 up, cached for 3 s as
// API keys are.
import { type Caller, scopes } from '../../../app.ts'
import type { Database } from '../../../db/database.ts'
import { hashSecret, isWellFormedSecret } from '../../../kit/secret.ts'
import { type AuthenticatorParts, accessOf, type TokenReader } from '../../api-keys/index.ts'
import { sessionOfHash } from './sessions.sql.ts'
import { endOf, sessionPrefix } from './sessions.ts'

const uses = new WeakMap<Database, Map<bigint, Date>>()

/** Sessions used on this node since the last flush, with the moment of the last use. */
export function usesOf(db: Database): Map<bigint, Date> {
  const known = uses.get(db)
  if (known) return known
  const made = new Map<bigint, Date>()
  uses.set(db, made)
  return made
}

/**
 * Authenticates session tokens. Undefined for one that is mistyped (no query is made), unknown,
 * revoked, expired, idle for a day, or of a closed account. Rejects with DatabaseUnavailable.
 */
export function authenticateSessions({ db, clock }: AuthenticatorParts): TokenReader {
  const access = accessOf(db)
  const noted = usesOf(db)
  return async (token) => {
    if (!isWellFormedSecret(sessionPrefix, token)) return undefined
    const hash = hashSecret(token)
    const found = await access.authenticate(hash, async () => {
      const row = await db.lookUp(sessionOfHash, [hash])
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
    if (found.caller.kind === 'customer') noted.set(found.caller.session_id, now)
    return found.caller
  }
}
