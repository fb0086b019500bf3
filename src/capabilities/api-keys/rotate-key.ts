// Rotates a key in place: a new secret, the old one is rejected at once, the id stays.
import Type from 'typebox'
import { foldScopes, operation, ownerOf } from '../../app.ts'
import { FieldReader } from '../../kit/field-reader.ts'
import { newSecret } from '../../kit/random.ts'
import { nullable } from '../../kit/schema.ts'
import { customerAbsent, freshLogInNeeded, requireFreshSession } from '../account/index.ts'
import { keyTarget, limitNotHeld, readLimitsOf } from '../limits/index.ts'
import { noticesLimited } from '../mail/index.ts'
import {
  apiKeyCreateResponse,
  apiKeyId,
  apiKeyOf,
  apiKeyPrefix,
  customerId,
  keyName,
  requireWithin,
  scopeList,
  scopesOf,
} from './api-key.ts'
import { keyOfId, narrowDescendants, notifyRevoked, replaceSecret } from './api-keys.sql.ts'
import { apiKeyNotFound, apiKeyNotOwn, apiKeyRevoked, scopeNotHeld } from './faults.ts'
import { requireOwnKey, requireScopesOfOrigin, takeKeys } from './key-delegation.ts'
import { notifyOfRotation } from './notify-of-rotation.ts'

export const rotateApiKey = operation({
  name: 'rotate_api_key',
  does: 'Give an API key a new secret. The old one is rejected immediately.',
  more:
    'A key or an app rotates itself and the keys that it created; the owner rotates any key. The ' +
    'owner gets a mail, unless the key rotates itself. The id, limits and their use stay. "name" ' +
    'and "scopes" stay if they are left out or null. Keys that it created stay valid, but lose ' +
    'the scopes that it loses. A session needs a log-in within the last ten minutes.',
  at: 'POST /v1/customers/{customer_id}/api-keys/{api_key_id}/rotate',
  area: 'API keys',
  who: ownerOf('keys:write', { operator: false }),
  takes: Type.Object(
    {
      customer_id: customerId,
      api_key_id: apiKeyId,
      name: Type.Optional(nullable(keyName)),
      scopes: Type.Optional(nullable(scopeList)),
    },
    { title: 'ApiKeyRotateRequest' },
  ),
  gives: apiKeyCreateResponse,
  fails: [
    apiKeyNotFound,
    apiKeyNotOwn,
    apiKeyRevoked,
    freshLogInNeeded,
    scopeNotHeld,
    limitNotHeld,
    noticesLimited,
    customerAbsent,
  ],
  effect: 'transaction',
  target: ({ api_key_id }, output) => ({
    target_type: 'api_key',
    target: String(api_key_id),
    metadata: output
      ? {
          ...{ name: output.key.name, key_prefix: output.key.key_prefix },
          scopes: output.key.scopes,
        }
      : {},
  }),
  async run(input, call, app) {
    const reading = new FieldReader()
    const name = reading.optionalLine('name', input.name)
    reading.finish()
    const id = BigInt(input.api_key_id)
    const grant = await takeKeys(call)
    const old = await call.sql.maybe(keyOfId, { customer_id: call.customer_id, id })
    if (!old) throw apiKeyNotFound()
    if (old.revoked_at !== null) throw apiKeyRevoked()
    requireFreshSession(app, call)
    const held = scopesOf(old)
    const scopes = foldScopes(input.scopes ?? held)
    // Checked before and after, since a narrow key could otherwise take over a wide one and its
    // limits.
    const { expires_at, oauth_grant_id } = old
    requireWithin(grant, { scopes: foldScopes([...held, ...scopes]), expires_at, oauth_grant_id })
    requireOwnKey(call, old)
    await requireScopesOfOrigin(call, old, scopes)
    const secret = newSecret(apiKeyPrefix(app.settings.environment))
    const row = await call.sql.one(replaceSecret, {
      customer_id: call.customer_id,
      id,
      key_hash: secret.hash,
      key_prefix: secret.shown_prefix,
      name,
      scopes,
    })
    await call.sql.count(narrowDescendants, {
      customer_id: call.customer_id,
      parent_key_id: id,
      scopes,
    })
    app.authentications.invalidate()
    await call.sql.one(notifyRevoked, { subject: call.customer_id })
    const target = keyTarget(call.customer_id, id)
    const limits = await readLimitsOf(call.sql, target)
    const key = apiKeyOf(row, { limits, now: app.clock.now() })
    await notifyOfRotation(app, call, key)
    return { api_key: secret.value, key }
  },
})
