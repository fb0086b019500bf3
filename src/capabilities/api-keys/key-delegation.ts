// What every change of a customer's keys begins with: the customer's row taken, and what the caller
// shows read again.
import type { Call } from '../../app.ts'
import { lockCustomer } from '../account/index.ts'
import { type Grant, scopesOf } from './api-key.ts'
import { holdConsent, keyOfId } from './api-keys.sql.ts'
import { apiKeyRevoked } from './faults.ts'

/**
 * Takes the customer's row, so that a key which is being revoked cannot make another meanwhile, and
 * answers what the caller may pass on as the database has it now: a caller may be a few seconds
 * old. Throws customerAbsent for an operator's wrong id, and apiKeyRevoked when what the caller
 * calls with was revoked meanwhile.
 */
export async function takeKeys(call: Call): Promise<Grant> {
  const { caller } = call
  await lockCustomer(call.sql, call.customer_id)
  switch (caller.kind) {
    case 'api_key':
      return grantOfKey(call, caller.key_id)
    case 'oauth_client':
      return {
        scopes: [...caller.scopes],
        expires_at: await consentEnd(call, caller.grant_id),
        oauth_grant_id: caller.grant_id,
      }
    case 'customer':
      return { scopes: [...caller.scopes], expires_at: null, oauth_grant_id: null }
    case 'operator':
      return { scopes: null, expires_at: null, oauth_grant_id: null }
    case 'anonymous':
      return { scopes: [], expires_at: null, oauth_grant_id: null }
  }
}

async function grantOfKey(call: Call, id: bigint): Promise<Grant> {
  const own = await call.sql.maybe(keyOfId, [call.customer_id, id])
  if (!own || own.revoked_at !== null) throw revokedMeanwhile('key')
  const { expires_at, oauth_grant_id } = own
  if (oauth_grant_id !== null) await consentEnd(call, oauth_grant_id)
  return { scopes: scopesOf(own), expires_at, oauth_grant_id }
}

/** When the consent ends by itself. */
async function consentEnd(call: Call, id: string): Promise<Date> {
  const consent = await call.sql.maybe(holdConsent, [call.customer_id, id])
  if (!consent?.ends_at) throw revokedMeanwhile('consent')
  return consent.ends_at
}

function revokedMeanwhile(what: 'key' | 'consent') {
  return apiKeyRevoked({ detail: `The ${what} that you call with was revoked meanwhile.` })
}
