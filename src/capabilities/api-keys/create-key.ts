// Creates an API key: its secret is returned once, and it is never wider than its creator.
import Type from 'typebox'
import { type Call, foldScopes, operation, ownerOf } from '../../app.ts'
import { FieldReader } from '../../kit/field-reader.ts'
import { newSecret } from '../../kit/random.ts'
import { dateTime, nullable } from '../../kit/schema.ts'
import { customerAbsent, freshLogInNeeded, requireFreshSession } from '../account/index.ts'
import {
  addLimits,
  auditedLimits,
  keyTarget,
  limitFields,
  limitNotHeld,
  readLimits,
} from '../limits/index.ts'
import { customerMail } from '../mail/index.ts'
import {
  apiKeyCreateResponse,
  apiKeyOf,
  apiKeyPrefix,
  customerId,
  keyName,
  requireWithin,
  scopeList,
  usualScopes,
} from './api-key.ts'
import { countActiveKeys, insertKey } from './api-keys.sql.ts'
import { keyCreatedEmail } from './emails.ts'
import { apiKeyRevoked, scopeNotHeld, tooManyApiKeys } from './faults.ts'
import { makerOf, requireLimitsWithin, takeKeys } from './key-delegation.ts'

/** The number of active keys that an account may have. */
const most_active = 1_000

export const createApiKey = operation({
  name: 'create_api_key',
  does: 'Create an API key.',
  more:
    'Without "scopes" it gets all except account:write, keys:write, billing:write and ' +
    'domains:transfer. A key, or a connected program, creates only keys that are no wider than ' +
    'itself. They end with it, and count against its limits in addition to their own. A session ' +
    'needs a log-in within the last ten minutes.',
  at: 'POST /v1/customers/{customer_id}/api-keys',
  area: 'API keys',
  who: ownerOf('keys:write'),
  takes: Type.Object(
    {
      customer_id: customerId,
      name: Type.Optional(nullable(keyName)),
      scopes: Type.Optional(scopeList),
      expires_at: Type.Optional(
        nullable(
          dateTime(
            'When it expires. If it is left out, it expires with the calling key, if that expires.',
          ),
        ),
      ),
      ...limitFields,
    },
    { title: 'ApiKeyCreateRequest' },
  ),
  gives: apiKeyCreateResponse,
  status: 201,
  fails: [
    freshLogInNeeded,
    scopeNotHeld,
    limitNotHeld,
    apiKeyRevoked,
    customerAbsent,
    tooManyApiKeys,
  ],
  effect: 'transaction',
  target: (_input, output) => ({
    target_type: 'api_key',
    target: output ? String(output.key.id) : null,
    metadata: output
      ? {
          ...{ key_prefix: output.key.key_prefix, scopes: output.key.scopes },
          ...{ name: output.key.name, ...auditedLimits(output.key) },
        }
      : {},
  }),
  async run(input, call, app) {
    const now = app.clock.now()
    const reading = new FieldReader()
    const name = reading.optionalLine('name', input.name)
    const limits = readLimits(
      {
        ...{ reader: reading, idn_exceptions: app.registries.idn_exceptions },
        in_person: call.caller.kind === 'customer',
      },
      input,
    )
    const given = input.expires_at ? new Date(input.expires_at) : null
    // Negated, so that it also rejects a leap second, which no Date can represent.
    if (given && !(given > now)) reading.refuse(['expires_at'], 'Input should be in the future')
    reading.finish()
    requireFreshSession(app, call)
    const grant = await takeKeys(call)
    const scopes = foldScopes(input.scopes ?? usualScopes)
    const expires_at = given ?? grant.expires_at
    const { oauth_grant_id } = grant
    requireWithin(grant, { scopes, expires_at, oauth_grant_id })
    await requireLimitsWithin(call, limits)
    await refuseTooMany(call, now)
    const secret = newSecret(apiKeyPrefix(app.settings.environment))
    const row = await call.sql.one(insertKey, {
      customer_id: call.customer_id,
      parent_key_id: call.caller.kind === 'api_key' ? call.caller.key_id : null,
      key_hash: secret.hash,
      key_prefix: secret.shown_prefix,
      name,
      scopes,
      expires_at,
      oauth_grant_id,
      for_mcp: false,
      made_by: makerOf(call.caller),
      created_at: now,
    })
    const target = keyTarget(call.customer_id, row.id)
    const own = await addLimits(call.sql, target, { limits, now })
    const key = apiKeyOf(row, { limits: own, now })
    if (call.caller.kind === 'operator')
      await customerMail(call.sql, call.customer_id, keyCreatedEmail(key, app.settings.site_url))
    return { api_key: secret.value, key }
  },
})

/** Call it under the lock of the account. An account that already has more keys keeps them. */
async function refuseTooMany({ sql, customer_id }: Call, now: Date): Promise<void> {
  const { active } = await sql.one(countActiveKeys, { customer_id, now, limit: most_active })
  if (active >= most_active) throw tooManyApiKeys({ facts: { limit: most_active } })
}
