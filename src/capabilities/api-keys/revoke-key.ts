// Revokes a key and its descendants at once; idempotent.
import Type from 'typebox'
import { operation, ownerOf } from '../../app.ts'
import { customerAbsent } from '../account/index.ts'
import { keyTarget, readLimitsOf } from '../limits/index.ts'
import { customerMail } from '../mail/index.ts'
import { apiKeyId, apiKeyOf, apiKeyResponse, customerId } from './api-key.ts'
import { keyOfId, notifyRevoked, revokeFamily } from './api-keys.sql.ts'
import { keyRevokedEmail } from './emails.ts'
import { apiKeyNotFound, apiKeyRevoked } from './faults.ts'
import { takeKeys } from './key-delegation.ts'

export const revokeApiKey = operation({
  name: 'revoke_api_key',
  does: 'Revoke an API key and all keys that were created with it.',
  more:
    'This cannot be undone. Webhooks and requests for approval that they made end with them. ' +
    'Transfer codes that they read stay valid for their seven days: replace them after a leak. ' +
    'Revoking a revoked key changes nothing.',
  at: 'POST /v1/customers/{customer_id}/api-keys/{api_key_id}/revoke',
  area: 'API keys',
  who: ownerOf('keys:write'),
  takes: Type.Object({ customer_id: customerId, api_key_id: apiKeyId }),
  gives: apiKeyResponse,
  fails: [apiKeyNotFound, apiKeyRevoked, customerAbsent],
  effect: 'transaction',
  target: ({ api_key_id }, key) => ({
    target_type: 'api_key',
    target: String(api_key_id),
    metadata: key ? { name: key.name, key_prefix: key.key_prefix } : {},
  }),
  async run(input, call, app) {
    const id = BigInt(input.api_key_id)
    await takeKeys(call)
    const ended = await call.sql.count(revokeFamily, {
      customer_id: call.customer_id,
      id,
      revoked_at: app.clock.now(),
    })
    if (ended > 0) {
      app.authentications.invalidate()
      await call.sql.one(notifyRevoked, { subject: call.customer_id })
    }
    const row = await call.sql.maybe(keyOfId, { customer_id: call.customer_id, id })
    if (!row) throw apiKeyNotFound()
    const target = keyTarget(call.customer_id, id)
    const limits = await readLimitsOf(call.sql, target)
    const key = apiKeyOf(row, { limits, now: app.clock.now() })
    if (ended > 0 && call.caller.kind === 'operator')
      await customerMail(call.sql, call.customer_id, keyRevokedEmail(key, app.settings.site_url))
    return key
  },
})
