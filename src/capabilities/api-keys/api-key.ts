// API keys: response schema, default scopes, the rule that delegation only narrows, and their list.

import Type, { type Static } from 'typebox'
import {
  type App,
  type Call,
  foldScopes,
  holdsScope,
  operation,
  ownerOf,
  type Scope,
  scopes,
} from '../../app.ts'
import type { CustomerId, GrantId } from '../../kit/random.ts'
import { dateTime, nullable, oneOf, stringOf, wordOf } from '../../kit/schema.ts'
import { items_at_once, pageOf, wholeList } from '../../replies/listing.ts'
import {
  type LimitsRow,
  limitNotHeld,
  limitsBody,
  limitsOfKeys,
  limitsShape,
} from '../limits/index.ts'
import { type KeyRow, keysOfCustomer } from './api-keys.sql.ts'
import { scopeNotHeld } from './faults.ts'

/** The prefix shows whether a key spends real money. */
export function apiKeyPrefix(environment: 'sandbox' | 'production'): string {
  return environment === 'production' ? 'ar_live_' : 'ar_test_'
}

/** Scopes that a key has only if `scopes` names them. */
export const askedForScopes: readonly Scope[] = [
  'account:write',
  'keys:write',
  'billing:write',
  'domains:transfer',
]
/** The scopes of a key that is created without `scopes`. */
export const usualScopes: readonly Scope[] = foldScopes(
  scopes.filter((scope) => !askedForScopes.includes(scope)),
)

export const keyName = Type.String({ maxLength: 100, description: 'The purpose of the key.' })
export const scopeList = Type.Array(oneOf(scopes), {
  maxItems: 100,
  description:
    'The permissions of the key. Duplicates are ignored, and so is dns:write beside domains:write.',
})
export const customerId = stringOf<CustomerId>({ description: 'The customer.' })
export const apiKeyId = Type.Integer({ description: 'The id of the key, from the list of keys.' })

const makers = ['owner', 'api_key', 'app', 'operator', 'service'] as const
export type KeyMaker = (typeof makers)[number]

export const apiKeyResponse = Type.Object(
  {
    id: Type.Integer({ description: 'Stays the same when the key is rotated.' }),
    customer_id: stringOf<CustomerId>({ description: 'The customer that the key belongs to.' }),
    key_prefix: Type.String({ description: 'The first characters of the key, to identify it.' }),
    name: nullable(Type.String({ description: 'The purpose of the key.' })),
    scopes: Type.Array(oneOf(scopes), { description: 'The permissions of the key.' }),
    parent_key_id: nullable(
      Type.Integer({
        description:
          'The key that created it, and whose limits also apply to it, or null if no key did.',
      }),
    ),
    oauth_grant_id: nullable(
      stringOf<GrantId>({
        description:
          'The connected program whose disconnection revokes it, or null if there is none.',
      }),
    ),
    made_by: nullable(
      oneOf(makers, {
        description:
          'What created the key. One that an api_key (see parent_key_id) or an app (see ' +
          'oauth_grant_id) created ends with it; the service creates one with each account. ' +
          'Null for an old key, whose maker is not known.',
      }),
    ),
    expires_at: nullable(dateTime('When it expires, or null if it never does.')),
    revoked_at: nullable(dateTime('When it was revoked, or null if it is active.')),
    last_used_at: nullable(dateTime('When it was last used, a few seconds late.')),
    created_at: dateTime('When it was created.'),
    ...limitsShape,
  },
  { title: 'ApiKeyResponse' },
)
export const apiKeyCreateResponse = Type.Object(
  {
    api_key: Type.String({ description: 'The whole key. It is shown only in this response.' }),
    key: apiKeyResponse,
  },
  { title: 'ApiKeyCreateResponse' },
)
export type ApiKey = Static<typeof apiKeyResponse>

type Limited = { limits: LimitsRow | undefined; now: Date }

/** The response for a row, with its own limits. */
export function apiKeyOf(row: KeyRow, { limits, now }: Limited): ApiKey {
  return {
    id: Number(row.id),
    customer_id: row.customer_id,
    key_prefix: row.key_prefix,
    name: row.name,
    scopes: scopesOf(row),
    parent_key_id: row.parent_key_id === null ? null : Number(row.parent_key_id),
    oauth_grant_id: row.oauth_grant_id,
    made_by: row.made_by === null ? null : wordOf(makers, row.made_by),
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    ...limitsBody(limits, now),
  }
}

export function scopesOf(row: Pick<KeyRow, 'scopes'>): Scope[] {
  return row.scopes.map((scope) => wordOf(scopes, scope))
}

/**
 * The limits of delegation, or null if there are none. A caller that ends with a consent delegates
 * only to keys that end with it, too.
 */
export type Grant = {
  scopes: readonly Scope[] | null
  expires_at: Date | null
  oauth_grant_id: GrantId | null
}

type Wanted = { scopes: readonly Scope[]; expires_at: Date | null; oauth_grant_id: GrantId | null }

/**
 * Throws scopeNotHeld (naming the scopes) or limitNotHeld when the wanted key is wider than the
 * grant.
 */
export function requireWithin(grant: Grant, wanted: Wanted): void {
  const held = grant.scopes && new Set(grant.scopes)
  const missing = wanted.scopes.filter((scope) => held && !holdsScope(held, scope))
  if (missing.length > 0)
    throw scopeNotHeld({
      detail: `The caller does not hold ${missing.join(', ')}.`,
      facts: { scopes_not_held: missing },
    })
  if (grant.oauth_grant_id !== null && wanted.oauth_grant_id !== grant.oauth_grant_id)
    throw limitNotHeld({
      detail:
        'Your access ends when the owner disconnects your program; that of the key would not.',
      hint: 'Create a key of your own, or ask the owner.',
      facts: { oauth_grant_id: grant.oauth_grant_id },
    })
  if (grant.expires_at === null) return
  if (wanted.expires_at === null || wanted.expires_at > grant.expires_at)
    throw limitNotHeld({
      detail: `The caller expires at ${grant.expires_at.toISOString()}; its keys expire no later.`,
      facts: { expires_at: grant.expires_at.toISOString() },
    })
}

/** Lists the newest first, and revoked ones as well. */
export const listApiKeys = operation({
  name: 'list_api_keys',
  does: 'List the API keys, newest first.',
  at: 'GET /v1/customers/{customer_id}/api-keys',
  area: 'API keys',
  who: ownerOf('keys:read'),
  takes: Type.Object({ customer_id: customerId }),
  gives: Type.Array(apiKeyResponse),
  fails: [],
  effect: 'none',
  run: (_input, call, app) => wholeList((before) => readKeys(app, call, before)),
})

const endless = 9_223_372_036_854_775_807n

async function readKeys(app: App, { sql, customer_id }: Call, before: bigint | null) {
  const wanted = { customer_id, before: before ?? endless, limit: items_at_once + 1 }
  const { items, next } = pageOf(await sql.run(keysOfCustomer, wanted))
  const ids = items.map(({ id }) => id)
  const limits = await sql.run(limitsOfKeys, { customer_id, ids })
  const limitsOf = new Map(limits.map((one) => [one.api_key_id, one]))
  const now = app.clock.now()
  const shown = items.map((row) =>
    apiKeyOf(
      { ...row, last_used_at: app.lastUses.api_keys.latest(row.id, row.last_used_at) },
      { limits: limitsOf.get(row.id), now },
    ),
  )
  return { items: shown, next }
}
