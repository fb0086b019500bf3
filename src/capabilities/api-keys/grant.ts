// What every change of a customer's keys begins with: the customer's row taken, and the calling key
// read again.
import type { Call } from '../../app.ts'
import { lockCustomer } from '../account/index.ts'
import { type Grant, grantOf, scopesOf } from './domain.ts'
import { apiKeyRevoked } from './faults.ts'
import { keyOfId } from './store.ts'

/**
 * Takes the customer's row, so that a key which is being revoked cannot make another meanwhile, and
 * answers what the caller may pass on as the database has it now: a caller may be a few seconds
 * old. Throws customerAbsent for an operator's wrong id, and apiKeyRevoked when the calling key was
 * revoked meanwhile.
 */
export async function takeKeys(call: Call): Promise<Grant> {
  await lockCustomer(call.sql, call.customer_id)
  if (call.caller.kind !== 'api_key') return grantOf(call.caller)
  const own = await call.sql.maybe(keyOfId, [call.customer_id, call.caller.key_id])
  if (!own || own.revoked_at !== null)
    throw apiKeyRevoked({ detail: 'The key that you call with was revoked meanwhile.' })
  return { scopes: scopesOf(own), expires_at: own.expires_at }
}
