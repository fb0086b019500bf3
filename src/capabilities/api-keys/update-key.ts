// Updates an API key: its owner changes the name, the expiry and the limits; the secret stays.
import Type from 'typebox'
import { operation, ownerOfInPerson } from '../../app.ts'
import { FieldReader } from '../../kit/field-reader.ts'
import { dateTime, nullable } from '../../kit/schema.ts'
import {
  customerAbsent,
  freshLogInNeeded,
  requireFreshLogIn,
  sessionRequired,
} from '../account/index.ts'
import {
  auditedLimits,
  changedLimits,
  keyTarget,
  limitFields,
  readLimitsOf,
  replaceLimits,
} from '../limits/index.ts'
import { apiKeyId, apiKeyOf, apiKeyResponse, customerId, keyName } from './api-key.ts'
import { keyOfId, notifyRevoked, shortenDescendants, updateKey } from './api-keys.sql.ts'
import { apiKeyNotFound, apiKeyRevoked } from './faults.ts'
import { originOf, takeKeys } from './key-delegation.ts'

export const updateApiKey = operation({
  name: 'update_api_key',
  does: 'Change the name, the expiry or the limits of an API key. Its secret stays.',
  more:
    'Fields that are left out stay; null removes a limit. A new limit counts what was already ' +
    'spent in its window. A key ends no later than the key, or the consent of an app, that it ' +
    'was made with. Only the owner may do this, in a session with a log-in within the last ten ' +
    'minutes.',
  at: 'PATCH /v1/customers/{customer_id}/api-keys/{api_key_id}',
  area: 'API keys',
  who: ownerOfInPerson(),
  takes: Type.Object({
    customer_id: customerId,
    api_key_id: apiKeyId,
    name: Type.Optional(nullable(keyName)),
    expires_at: Type.Optional(
      nullable(
        dateTime(
          'When it expires. Null lets it expire with the key or the consent that it was made ' +
            'with, or never.',
        ),
      ),
    ),
    ...limitFields,
  }),
  gives: apiKeyResponse,
  fails: [apiKeyNotFound, apiKeyRevoked, freshLogInNeeded, sessionRequired, customerAbsent],
  effect: 'transaction',
  at_least_one_of: ['name', 'expires_at', ...Object.keys(limitFields)],
  target: ({ api_key_id }, key) => ({
    target_type: 'api_key',
    target: String(api_key_id),
    metadata: key
      ? {
          name: key.name,
          key_prefix: key.key_prefix,
          expires_at: key.expires_at,
          ...auditedLimits(key),
        }
      : {},
  }),
  async run({ customer_id, api_key_id, ...fields }, call, app) {
    const { sql } = call
    const now = app.clock.now()
    const id = BigInt(api_key_id)
    const target = keyTarget(customer_id, id)
    await takeKeys(call)
    const old = await sql.maybe(keyOfId, { customer_id, id })
    if (!old) throw apiKeyNotFound()
    if (old.revoked_at !== null) throw apiKeyRevoked()
    const reading = new FieldReader()
    const name = fields.name === undefined ? old.name : reading.optionalLine('name', fields.name)
    const given = fields.expires_at ? new Date(fields.expires_at) : null
    if (given && !(given > now)) reading.refuse(['expires_at'], 'Input should be in the future')
    const origin = await originOf(call, old)
    const latest = origin.expires_at
    if (given && latest && given > latest) {
      const problem = `Input should not be after ${latest.toISOString()}, when its maker ends`
      reading.refuse(['expires_at'], problem)
    }
    const { idn_exceptions } = app.registries
    const limitReading = { reader: reading, idn_exceptions, in_person: true }
    const limits = changedLimits(limitReading, await readLimitsOf(sql, target), fields)
    reading.finish()
    requireFreshLogIn(app, call)
    const expires_at = fields.expires_at === undefined ? old.expires_at : (given ?? latest)
    const row = await sql.one(updateKey, { customer_id, id, name, expires_at })
    if (expires_at) await sql.count(shortenDescendants, { customer_id, id, expires_at })
    const own = await replaceLimits(sql, target, { limits, now })
    app.authentications.invalidate()
    await sql.one(notifyRevoked, { subject: customer_id })
    return apiKeyOf(row, { limits: own, now })
  },
})
