// Authenticates OAuth access tokens by one indexed look-up of their SHA-256, for the audiences of
// the resource that they are presented at.
import type { App, Caller, EntryPoint } from '../../app.ts'
import type { TokenRefusal } from '../../capabilities/api-keys/index.ts'
import { callerLimitsOf } from '../../capabilities/limits/index.ts'
import { type CustomerId, hashSecret } from '../../kit/random.ts'
import { displayName } from '../shared/display-name.ts'
import { findAccessTokenByHash, findAccessTokenRefusal } from '../storage/models.sql.ts'
import { audiencesAt, resourcesOf, serviceScopesIn } from './audiences.ts'

type AccessTokenParts = Pick<App, 'db' | 'clock' | 'settings' | 'authentications' | 'lastUses'>

// The form that oidc-provider gives to 256 bits. Codes and refresh tokens have the same, but are
// not rows of the model that is searched.
const tokenForm = /^[\w-]{43}$/

/**
 * Authenticates access tokens. Undefined for a token that is unknown, expired, revoked, issued for
 * another resource than the one it is presented at, bound to a key that would have to be proven, or
 * of a closed account. Rejects with DatabaseUnavailable.
 */
export function authenticateAccessTokens(parts: AccessTokenParts) {
  const { clock, settings, authentications, lastUses } = parts
  return async (token: string, at: At): Promise<Caller | undefined> => {
    if (!tokenForm.test(token)) return undefined
    const audiences = audiencesAt(settings, at.entry_point)
    // The result is cached for this resource only.
    const cacheKey = hashSecret(`${audiences[0]} ${token}`)
    const found = await authentications.authenticate(cacheKey, async () => {
      const record = await findAccessTokenFor(parts, token, audiences)
      return record && { caller: record.caller, expires_at: record.expires_at }
    })
    const now = clock.now()
    if (!found || (found.expires_at !== null && found.expires_at <= now)) return undefined
    if (found.caller.kind === 'oauth_client') lastUses.oauth_grants.note(found.caller.grant_id, now)
    return found.caller
  }
}

type At = { entry_point: EntryPoint }

const page = '/connected-apps'
const reconnect = 'Refresh it; where that is refused, too, have the owner connect the app again.'

/** Why authenticateAccessTokens refuses a token; costs a query of its own. */
export function explainAccessTokens({ db, settings }: Pick<App, 'db' | 'settings'>) {
  return async (token: string, at: At): Promise<TokenRefusal | undefined> => {
    if (!tokenForm.test(token)) return undefined
    const row = await db.lookUp(findAccessTokenRefusal, { id_hash: hashSecret(token) })
    if (!row)
      return {
        detail: 'The access token is unknown here: its app was disconnected, or it expired.',
        hint: reconnect,
        page,
      }
    const { expired, revoked, closed, audience } = row
    if (closed) return { detail: 'The account of this token is closed.', hint: 'Contact support.' }
    if (revoked)
      return {
        detail: 'The owner has disconnected the app of this access token.',
        hint: 'Ask the owner to connect the app again.',
        page,
      }
    if (expired) return { detail: 'The access token has expired.', hint: reconnect, page }
    const accepted = audiencesAt(settings, at.entry_point)
    if (audience === null || accepted.includes(audience)) return undefined
    const [resource] = accepted
    return {
      detail: `The access token is for ${audience}, and this is ${resource}.`,
      hint: `Send it to ${audience}, or request another with "resource=${resource}".`,
    }
  }
}

type AccessToken = {
  caller: Caller
  customer_id: CustomerId
  scope: string
  expires_at: Date
}

/** The token as stored in the database, for any resource of ours. */
export function findAccessToken(
  parts: Pick<AccessTokenParts, 'db' | 'settings'>,
  token: string,
): Promise<AccessToken | undefined> {
  return findAccessTokenFor(parts, token, resourcesOf(parts.settings))
}

async function findAccessTokenFor(
  { db }: Pick<AccessTokenParts, 'db'>,
  token: string,
  audiences: readonly string[],
): Promise<AccessToken | undefined> {
  if (!tokenForm.test(token)) return undefined
  const row = await db.lookUp(findAccessTokenByHash, {
    id_hash: hashSecret(token),
    audiences: [...audiences],
  })
  if (!row) return undefined
  const scope = row.scope ?? ''
  const caller: Caller = {
    kind: 'oauth_client',
    customer_id: row.customer_id,
    suspended: row.suspended,
    grant_id: row.grant_id,
    client_id: row.client_id,
    label: displayName(row.client_name),
    scopes: new Set(serviceScopesIn(scope, row.scopes)),
    limits: callerLimitsOf(row.limits),
  }
  return { caller, customer_id: row.customer_id, scope, expires_at: row.expires_at }
}
