// Who shows this access token, and whether it is good here: one indexed look-up of its SHA-256.
import type { App, Caller, EntryPoint } from '../../app.ts'
import { accessOf } from '../../capabilities/api-keys/index.ts'
import type { Database } from '../../db/database.ts'
import { hashSecret } from '../../kit/secret.ts'
import { mcpResource, restResource, serviceScopesIn } from '../provider/audiences.ts'
import { displayName } from '../shared/display-name.ts'
import { findAccessTokenByHash } from '../storage/models.sql.ts'

export type AccessParts = Pick<App, 'db' | 'clock' | 'settings'>

// What oidc-provider makes of 256 bits. Codes and refresh tokens look the same, but are no rows of
// the model that is searched.
const form = /^[\w-]{43}$/

const allUses = new WeakMap<Database, Map<string, Date>>()

/** Consents used since the last flush, with the moment of the last use. */
export function pendingGrantUses(db: Database): Map<string, Date> {
  const known = allUses.get(db) ?? new Map<string, Date>()
  allUses.set(db, known)
  return known
}

/**
 * Reads access tokens. Undefined for one that is unknown, over, revoked, of another resource than
 * the one it is shown at, bound to a key that it would have to prove, or whose account is closed.
 * Rejects with DatabaseUnavailable.
 */
export function authenticateAccessTokens(parts: AccessParts) {
  const { db, clock, settings } = parts
  const access = accessOf(db)
  return async (token: string, at: { entry_point: EntryPoint }): Promise<Caller | undefined> => {
    if (!form.test(token)) return undefined
    const resource = at.entry_point === 'mcp' ? mcpResource(settings) : restResource(settings)
    // Remembered for its resource alone.
    const remembered = hashSecret(`${resource} ${token}`)
    const found = await access.authenticate(remembered, async () => {
      const shown = await findAccessToken(parts, token, resource)
      return shown && { caller: shown.caller, expires_at: shown.expires_at }
    })
    const now = clock.now()
    if (!found || (found.expires_at !== null && found.expires_at <= now)) return undefined
    if (found.caller.kind === 'oauth_client') pendingGrantUses(db).set(found.caller.grant_id, now)
    return found.caller
  }
}

export type AccessToken = {
  caller: Caller
  customer_id: string
  scope: string
  expires_at: Date
}

/** The token as the database has it, for one resource. */
export async function findAccessToken(
  { db }: Pick<AccessParts, 'db'>,
  token: string,
  resource: string,
): Promise<AccessToken | undefined> {
  if (!form.test(token)) return undefined
  const row = await db.lookUp(findAccessTokenByHash, [hashSecret(token), resource])
  if (!row) return undefined
  const scope = row.scope ?? ''
  const caller: Caller = {
    kind: 'oauth_client',
    customer_id: row.customer_id,
    suspended: row.suspended,
    grant_id: row.grant_id,
    label: displayName(row.client_name),
    scopes: new Set(serviceScopesIn(scope, row.scopes)),
  }
  return { caller, customer_id: row.customer_id, scope, expires_at: row.expires_at }
}
