// A webhook as it is shown, the rules of its URL and of its types of events.

import Type, { type Static } from 'typebox'
import { clientUrlProblem, isLoopbackUrl } from '../../../adapters/outbound/client-url.ts'
import type { Call, Scope } from '../../../app.ts'
import type { Settings } from '../../../config/config.ts'
import { InvalidInput } from '../../../kit/fault.ts'
import type { GrantId } from '../../../kit/random.ts'
import { dateTime, identifier, nullable, oneOf, stringOf, wordOf } from '../../../kit/schema.ts'
import { allEventTypes, covers, familiesOf, matchesType, scopeOfEvent } from '../event-types.ts'
import { eventScopeMissing } from '../faults.ts'
import type { WebhookRow } from './webhooks.sql.ts'

export const webhookId = identifier('whk', 'The id of the webhook.')
export const disabledReasons = ['owner', 'gone', 'failing', 'maker_ended'] as const
const makers = ['owner', 'api_key', 'app'] as const

export const webhook = Type.Object(
  {
    id: webhookId,
    url: Type.String({ description: 'Where events are sent to.' }),
    types: Type.Array(Type.String(), {
      description: 'The types that are sent; "domain.*" is a whole family.',
    }),
    description: nullable(Type.String()),
    enabled: Type.Boolean({ description: 'Whether events are sent.' }),
    disabled_because: nullable(
      oneOf(disabledReasons, {
        description:
          'owner: the owner turned it off; gone: it answered 410; failing: all deliveries of ' +
          'three days failed; maker_ended: the key or the app that made it has ended, and the ' +
          'owner may enable it.',
      }),
    ),
    made_by: nullable(
      oneOf(makers, {
        description:
          'The maker of the webhook, or the caller that has since given it its URL. A webhook ' +
          'ends with the key or the app that made it. Null for an old webhook, whose maker is ' +
          'not known and which stays.',
      }),
    ),
    api_key_id: nullable(Type.Integer({ description: 'The key that made it.' })),
    oauth_grant_id: nullable(
      stringOf<GrantId>({ description: 'The consent of the app that made it.' }),
    ),
    failing_since: nullable(
      dateTime(
        'The time of the first failure after the last success, or null while deliveries succeed.',
      ),
    ),
    previous_secret_until: nullable(
      dateTime('Until then deliveries are signed by the previous secret as well.'),
    ),
    created_at: dateTime('When it was created.'),
    updated_at: dateTime('When it was last changed.'),
  },
  { title: 'Webhook' },
)

export const webhookWithSecret = Type.Object(
  {
    webhook,
    secret: Type.String({
      description:
        'The secret that signs each delivery (Standard Webhooks). It is shown only this once.',
    }),
  },
  { title: 'WebhookWithSecret' },
)

export const urlField = Type.String({
  minLength: 8,
  maxLength: 2_000,
  description: 'An https URL with a host name, at port 443 or above 1023.',
})
export const typesField = Type.Array(Type.String({ maxLength: 80 }), {
  minItems: 1,
  maxItems: 100,
  description:
    'Types of events; "domain.*" is a whole family. The token must be allowed to see each. If it ' +
    'is left out, the webhook gets all types that the token may see.',
})
export const descriptionField = Type.String({
  maxLength: 200,
  description: 'A name of your own for it.',
})

export function shownWebhook(row: WebhookRow): Static<typeof webhook> {
  return {
    id: row.id,
    url: row.url,
    types: [...row.types],
    description: row.description,
    enabled: row.disabled_because === null,
    disabled_because:
      row.disabled_because === null ? null : wordOf(disabledReasons, row.disabled_because),
    made_by: row.made_by === null ? null : wordOf(makers, row.made_by),
    api_key_id: row.api_key_id === null ? null : Number(row.api_key_id),
    oauth_grant_id: row.oauth_grant_id,
    failing_since: row.failing_since?.toISOString() ?? null,
    previous_secret_until: row.previous_until?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** The URL in its normal form. Throws 422 for one that events are not sent to. */
export function parseWebhookUrl(text: string, settings: Settings): string {
  const url = URL.parse(text)
  const problem = url === null ? 'is no URL' : urlProblem(url, settings)
  if (url === null || problem !== undefined)
    throw new InvalidInput([
      { path: ['url'], msg: `Input should be an https URL; this one ${problem}`, type: 'url' },
    ])
  return url.href
}

function urlProblem(url: URL, { environment, allow_loopback_webhooks }: Settings) {
  const isHinted = environment === 'sandbox' && !allow_loopback_webhooks
  const problem = clientUrlProblem(url, allow_loopback_webhooks)
  return isHinted && problem !== undefined && isLoopbackUrl(url)
    ? 'is on this machine, which only ALLOW_LOOPBACK_WEBHOOKS=true permits'
    : problem
}

/** The types that a webhook gets, or all families that the token may see if none are given. */
export function parseTypes(types: readonly string[] | undefined, call: Call): string[] {
  const held: ReadonlySet<Scope> = 'scopes' in call.caller ? call.caller.scopes : new Set()
  if (types === undefined) return familiesOf(held)
  const unknown = types.filter((word) => !allEventTypes.some((type) => matchesType(word, type)))
  if (unknown.length > 0)
    throw new InvalidInput([
      {
        path: ['types'],
        msg: `Input should be types of events; unknown: ${unknown.slice(0, 5).join(', ')}`,
        type: 'event_type',
      },
    ])
  requireSeen([...types], held)
  return [...new Set(types)]
}

/** A token must not get by a webhook what it may not read. */
export function requireSeen(types: readonly string[], held: ReadonlySet<Scope>): void {
  const wanted = allEventTypes.filter((type) => types.some((word) => matchesType(word, type)))
  const missing = wanted.map(scopeOfEvent).find((scope) => !covers(held, scope))
  if (missing !== undefined) throw eventScopeMissing({ facts: { required_scope: missing } })
}
