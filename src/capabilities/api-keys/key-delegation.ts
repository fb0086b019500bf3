// Delegation: every change of keys first locks the customer's row and re-reads the caller's grant.
import {
  type Call,
  type Caller,
  foldScopes,
  holdsScope,
  type Scope,
  sharedScopes,
} from '../../app.ts'
import { lockCustomer } from '../account/index.ts'
import { limitedBy, limitNotHeld, type StoredLimits, widerThanCaller } from '../limits/index.ts'
import { type Grant, type KeyMaker, scopesOf } from './api-key.ts'
import { holdConsent, type KeyRow, keyOfId } from './api-keys.sql.ts'
import { apiKeyNotOwn, apiKeyRevoked, scopeNotHeld } from './faults.ts'

/**
 * Locks the customer's row, so that a key which is being revoked cannot create another meanwhile,
 * and returns what the caller may delegate, read from the database: the authenticated caller may be
 * seconds old. Throws customerAbsent for an operator's wrong id, and apiKeyRevoked when the
 * caller's key or consent was revoked meanwhile.
 */
export async function takeKeys(call: Call): Promise<Grant> {
  const { caller } = call
  await lockCustomer(call.sql, call.customer_id)
  switch (caller.kind) {
    case 'api_key':
      return grantOfKey(call, caller.key_id)
    case 'oauth_client': {
      const { ends_at, scopes: given } = await consentOf(call, caller.grant_id)
      return {
        scopes: sharedScopes(caller.scopes, given),
        expires_at: ends_at,
        oauth_grant_id: caller.grant_id,
      }
    }
    case 'customer':
      return { scopes: [...caller.scopes], expires_at: null, oauth_grant_id: null }
    case 'operator':
      return unlimited
    case 'customer_tool':
    case 'anonymous':
      return { scopes: [], expires_at: null, oauth_grant_id: null }
  }
}

/**
 * Throws limitNotHeld for a limit that is wider than one of the caller, or than what is left of it.
 */
export async function requireLimitsWithin(call: Call, wanted: StoredLimits): Promise<void> {
  const wider = await widerThanCaller(call, limitedBy(call.caller), wanted)
  if (wider.length === 0) return
  throw limitNotHeld({
    detail: 'A limit of the new key is wider than your own, or than what is left of it.',
    hint: 'Leave limits out: yours also apply to your keys. get_limits shows what is left.',
    facts: { limits_not_held: [...new Set(wider.map((name) => fieldOf[name]))] },
  })
}

const fieldOf: Readonly<Record<keyof StoredLimits, string>> = {
  spend_amount: 'spend_limit',
  spend_currency: 'spend_limit',
  spend_window: 'spend_limit',
  price_amount: 'max_price',
  price_currency: 'max_price',
  approval_amount: 'approval_above',
  approval_currency: 'approval_above',
  outside_allowed: 'outside_allowed',
  allowed_tlds: 'allowed_tlds',
  allowed_domains: 'allowed_domains',
  allowed_ips: 'allowed_ips',
  dns_hosts: 'dns',
  dns_types: 'dns',
  dns_in_person: 'dns',
}

/**
 * Throws apiKeyNotOwn for a key that a key or an app may not rotate, since its new secret would not
 * end with the caller. A key may rotate itself and its descendants.
 */
export function requireOwnKey({ caller }: Call, key: KeyRow): void {
  if (isOwnKey(caller, key)) return
  throw apiKeyNotOwn()
}

function isOwnKey(caller: Caller, { id, ancestors, oauth_grant_id }: KeyRow): boolean {
  switch (caller.kind) {
    case 'api_key':
      return id === caller.key_id || ancestors.includes(caller.key_id)
    case 'oauth_client':
      return oauth_grant_id === caller.grant_id
    case 'customer':
      return true
    case 'operator':
    case 'customer_tool':
    case 'anonymous':
      return false
  }
}

/** The maker that is stored with a key. */
export function makerOf({ kind }: Caller): KeyMaker {
  switch (kind) {
    case 'api_key':
    case 'operator':
      return kind
    case 'oauth_client':
      return 'app'
    case 'customer':
    case 'customer_tool':
    case 'anonymous':
      return 'owner'
  }
}

const unlimited: Grant = { scopes: null, expires_at: null, oauth_grant_id: null }

/**
 * The parent of a key, or the consent of the app that made it. Not even its owner can give the key
 * other scopes, or let it outlive them. Call it after `takeKeys`.
 */
export async function originOf(call: Call, key: KeyRow): Promise<Grant> {
  const { customer_id, sql } = call
  const { parent_key_id, oauth_grant_id } = key
  if (parent_key_id !== null) {
    const parent = await sql.one(keyOfId, { customer_id, id: parent_key_id })
    return { scopes: scopesOf(parent), expires_at: parent.expires_at, oauth_grant_id }
  }
  if (oauth_grant_id === null) return unlimited
  const consent = await sql.maybe(holdConsent, { customer_id, grant_id: oauth_grant_id })
  return {
    scopes: foldScopes(consent?.scopes ?? []),
    // If the consent has ended, the key keeps the expiry that it has.
    expires_at: consent?.ends_at ?? key.expires_at,
    oauth_grant_id,
  }
}

/** Throws scopeNotHeld for a new scope that the origin of the key lacks. */
export async function requireScopesOfOrigin(
  call: Call,
  key: KeyRow,
  wanted: readonly Scope[],
): Promise<void> {
  const { scopes: most } = await originOf(call, key)
  if (most === null) return
  const allowed = new Set([...key.scopes, ...most])
  const missing = wanted.filter((one) => !holdsScope(allowed, one))
  if (missing.length === 0) return
  throw scopeNotHeld({
    detail: `The key or app that created this one does not hold ${missing.join(', ')}.`,
    hint: 'Leave those scopes out, or create another key.',
    facts: { scopes_not_held: missing },
  })
}

async function grantOfKey(call: Call, id: bigint): Promise<Grant> {
  const own = await call.sql.maybe(keyOfId, { customer_id: call.customer_id, id })
  if (!own || own.revoked_at !== null) throw revokedMeanwhile('key')
  const { expires_at, oauth_grant_id } = own
  const held = scopesOf(own)
  if (oauth_grant_id === null) return { scopes: held, expires_at, oauth_grant_id }
  const { scopes: given } = await consentOf(call, oauth_grant_id)
  return { scopes: sharedScopes(held, given), expires_at, oauth_grant_id }
}

/** When the consent expires, and its scopes, of which its owner may have withdrawn some. */
async function consentOf(
  call: Call,
  id: string,
): Promise<{ ends_at: Date; scopes: readonly string[] }> {
  const consent = await call.sql.maybe(holdConsent, { customer_id: call.customer_id, grant_id: id })
  if (!consent?.ends_at) throw revokedMeanwhile('consent')
  return { ends_at: consent.ends_at, scopes: consent.scopes }
}

function revokedMeanwhile(what: 'key' | 'consent') {
  return apiKeyRevoked({ detail: `The ${what} that you call with has been revoked.` })
}
