// The operations that list and revoke the apps connected to an account. An app with several
// consents is one.
import Type, { type Static } from 'typebox'
import { type App, type Call, operation, owner, ownerInPerson, withoutIncluded } from '../../app.ts'
import {
  freshLogInNeeded,
  lockCustomer,
  requireFreshLogIn,
  sessionRequired,
} from '../../capabilities/account/index.ts'
import { notifyAccessRevoked } from '../../capabilities/api-keys/index.ts'
import {
  appTarget,
  auditedLimits,
  changedLimits,
  type LimitsRow,
  limitFields,
  limitsBody,
  limitsOfApps,
  limitsShape,
  readLimitsOf,
  replaceLimits,
} from '../../capabilities/limits/index.ts'
import { fault } from '../../kit/fault.ts'
import { FieldReader } from '../../kit/field-reader.ts'
import { dateTime, nullable } from '../../kit/schema.ts'
import { byText } from '../../lists/cursor.ts'
import { pagesOf } from '../../lists/paging.ts'
import {
  disconnectApp,
  findGrant,
  type GrantRow,
  listConnectedApps,
} from '../storage/grants.sql.ts'

const oauthGrantNotFound = fault('oauth_grant_not_found', 'absent', {
  sentence: 'There is no connected app with this id.',
  hint: 'List the OAuth grants of the account.',
})

const grantResponse = Type.Object(
  {
    id: Type.String({ description: "Identifies the app's newest consent. It is not a secret." }),
    client_id: Type.String({ description: "The app's client id, which installations may share." }),
    client_name: Type.String({
      description: 'The name that the app gave itself, which is not verified.',
    }),
    redirect_host: Type.String({
      description:
        'The target of the redirect after the log-in: a host, or the scheme of an app ' +
        '("cursor:"), or "device code" if the device flow connected the app (RFC 8628).',
    }),
    scopes: Type.Array(Type.String(), {
      description: 'The permissions that the owner selected in all consents of the app.',
    }),
    resource: Type.String({ description: "The audience of the app's tokens." }),
    created_at: dateTime('When the owner consented.'),
    last_used_at: nullable(dateTime('When it was last used, a few seconds late.')),
    revoked_at: nullable(dateTime('When it was revoked; null while it is active.')),
    ...limitsShape,
  },
  { title: 'OAuthGrantResponse' },
)

function grantOf(
  { lastUses, clock }: Pick<App, 'lastUses' | 'clock'>,
  row: GrantRow,
  limits: LimitsRow | undefined,
): Static<typeof grantResponse> {
  return {
    ...row,
    scopes: withoutIncluded(row.scopes),
    created_at: row.created_at.toISOString(),
    last_used_at: lastUses.oauth_grants.latest(row.id, row.last_used_at)?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    ...limitsBody(limits, clock.now()),
  }
}

const targetOf = ({ client_id }: Pick<GrantRow, 'client_id'>, { customer_id }: Call) =>
  appTarget(customer_id, client_id)

const pages = pagesOf('list_oauth_grants', byText)

const listOAuthGrants = operation({
  name: 'list_oauth_grants',
  does: 'List the apps that are connected to the account by OAuth, newest first.',
  more:
    'One for each app, however often it was connected. Only those with access: not revoked, and ' +
    'with a token or API key that is still valid.',
  at: 'GET /v1/account/oauth-grants',
  area: 'Account and customers',
  who: owner('keys:read'),
  takes: Type.Object({
    ...pages.takes,
  }),
  gives: Type.Object(
    {
      oauth_grants: Type.Array(grantResponse),
      ...pages.gives,
    },
    { title: 'ListOAuthGrantsResponse' },
  ),
  fails: [],
  effect: 'none',
  async run(asked, { sql, customer_id }, app) {
    const { rows, next_cursor } = await pages.read(
      asked,
      ({ after, most: limit }) => sql.run(listConnectedApps, { customer_id, after, limit }),
      ({ id }) => id,
    )
    const ids = rows.map(({ client_id }) => client_id)
    const limits = await sql.run(limitsOfApps, { customer_id, ids })
    const limitsOf = new Map(limits.map((one) => [one.oauth_client_id, one]))
    return {
      oauth_grants: rows.map((row) => grantOf(app, row, limitsOf.get(row.client_id))),
      next_cursor,
    }
  },
})

const revokeOAuthGrant = operation({
  name: 'revoke_oauth_grant',
  does: 'Disconnect an app: its tokens and the API keys it created are revoked immediately.',
  more:
    'All consents of the app end, also of its other installations, and with them its webhooks ' +
    'and requests for approval. It cannot be undone. A grant ' +
    'that is already revoked is returned unchanged.',
  at: 'DELETE /v1/account/oauth-grants/{id}',
  area: 'Account and customers',
  who: owner('keys:write'),
  takes: Type.Object({ id: Type.String({ maxLength: 200, description: 'The id from the list.' }) }),
  gives: grantResponse,
  fails: [oauthGrantNotFound],
  effect: 'transaction',
  target: ({ id }, grant) => ({
    target_type: 'oauth_grant',
    target: id,
    metadata: grant ? { client_id: grant.client_id, client_name: grant.client_name } : {},
  }),
  async run({ id }, call, app) {
    // All changes of keys lock in this order, which prevents deadlocks.
    await lockCustomer(call.sql, call.customer_id)
    const ended = await call.sql.count(disconnectApp, {
      customer_id: call.customer_id,
      id,
      revoked_at: app.clock.now(),
    })
    if (ended > 0) app.authentications.invalidate()
    const row = await call.sql.maybe(findGrant, { customer_id: call.customer_id, id })
    if (!row) throw oauthGrantNotFound()
    return grantOf(app, row, await readLimitsOf(call.sql, targetOf(row, call)))
  },
})

const updateOAuthGrant = operation({
  name: 'update_oauth_grant',
  does: 'Change the limits of a connected app.',
  more:
    'They apply to all connections of the app, and to the API keys that it created. Fields that ' +
    'are left out stay; null removes a limit. A new limit counts what was already spent in its ' +
    'window. Only the owner may, in a session with a log-in within the last ten minutes.',
  at: 'PATCH /v1/account/oauth-grants/{id}',
  area: 'Account and customers',
  who: ownerInPerson(),
  takes: Type.Object({
    id: Type.String({ maxLength: 200, description: 'The id from the list.' }),
    ...limitFields,
  }),
  at_least_one_of: Object.keys(limitFields),
  gives: grantResponse,
  fails: [oauthGrantNotFound, freshLogInNeeded, sessionRequired],
  effect: 'transaction',
  target: ({ id }, grant) => ({
    target_type: 'oauth_grant',
    target: id,
    metadata: grant
      ? { client_id: grant.client_id, client_name: grant.client_name, ...auditedLimits(grant) }
      : {},
  }),
  async run({ id, ...fields }, call, app) {
    const { sql, customer_id } = call
    await lockCustomer(sql, customer_id)
    const row = await sql.maybe(findGrant, { customer_id, id })
    if (!row || row.revoked_at !== null) throw oauthGrantNotFound()
    const target = targetOf(row, call)
    const reading = new FieldReader()
    const { idn_exceptions } = app.registries
    const limitReading = { reader: reading, idn_exceptions, in_person: true }
    const limits = changedLimits(limitReading, await readLimitsOf(sql, target), fields)
    reading.finish()
    requireFreshLogIn(app, call)
    const own = await replaceLimits(sql, target, { limits, now: app.clock.now() })
    app.authentications.invalidate()
    await notifyAccessRevoked(sql, customer_id)
    return grantOf(app, row, own)
  },
})

export const grantOperations = [listOAuthGrants, updateOAuthGrant, revokeOAuthGrant]
