// A browser that gets web push: its fields, and the rules of its endpoint.
import Type, { type Static } from 'typebox'
import { clientUrlProblem, isLoopbackUrl } from '../../../adapters/outbound/client-url.ts'
import { arePushKeys } from '../../../adapters/push/encryption.ts'
import type { PushSubscription } from '../../../adapters/push/port.ts'
import type { Settings } from '../../../config/config.ts'
import { FieldReader } from '../../../kit/field-reader.ts'
import { dateTime, identifier, nullable } from '../../../kit/schema.ts'
import type { PushSubscriptionRow } from './push-subscriptions.sql.ts'

/** The number of browsers that an account may have. */
export const most_subscriptions = 10

export const subscriptionId = identifier('psb', 'The id of the subscription.')

export const subscriptionShape = Type.Object(
  {
    id: subscriptionId,
    service: Type.String({ description: 'The host of its push service.' }),
    agent: Type.String({ description: 'The User-Agent of the browser that made it.' }),
    current: Type.Boolean({ description: 'Whether the session of this call made it.' }),
    created_at: dateTime('When it was made.'),
    last_sent_at: nullable(
      dateTime('When its push service last took a message, or null if it never did.'),
    ),
  },
  { title: 'PushSubscription' },
)

const key = (description: string) =>
  Type.String({ minLength: 1, maxLength: 200, description: `Base64url: ${description}` })

/** The fields of PushSubscription.toJSON() in a browser (Push API). */
export const subscriptionFields = {
  endpoint: Type.String({
    minLength: 8,
    maxLength: 2_000,
    description: 'The URL at its push service. It is kept encrypted, and is never shown.',
  }),
  keys: Type.Object(
    {
      p256dh: key('its public key, a point on P-256.'),
      auth: key('its authentication secret of 16 bytes.'),
    },
    { additionalProperties: false },
  ),
}

type Given = { endpoint: string; keys: { p256dh: string; auth: string } }

/** Throws 422 for an endpoint that nothing is sent to, and for malformed keys. */
export function readSubscription(given: Given, settings: Settings): PushSubscription {
  const reading = new FieldReader()
  const url = URL.parse(given.endpoint)
  const problem = url === null ? 'is no URL' : endpointProblem(url, settings)
  if (problem !== undefined)
    reading.refuse(
      ['endpoint'],
      `Input should be the https URL of a push service; this one ${problem}`,
    )
  if (!arePushKeys(given.keys))
    reading.refuse(['keys'], 'Input should be the keys of a PushSubscription')
  reading.finish()
  return { endpoint: url?.href ?? '', ...given.keys }
}

function endpointProblem(url: URL, settings: Settings): string | undefined {
  const { push_services: services, allow_loopback_webhooks: allows_loopback } = settings
  const problem = clientUrlProblem(url, allows_loopback)
  if (problem !== undefined || (allows_loopback && isLoopbackUrl(url))) return problem
  const { hostname } = url
  const isKnown = services.some(
    (host) => host === '*' || hostname === host || hostname.endsWith(`.${host}`),
  )
  return isKnown ? undefined : 'is of a push service that this service does not send to'
}

type Shown = Static<typeof subscriptionShape>

export function shownSubscription(row: PushSubscriptionRow, session_id: bigint): Shown {
  const { id, service, agent, created_at, last_sent_at } = row
  return {
    ...{ id, service, agent },
    current: row.session_id === session_id,
    created_at: created_at.toISOString(),
    last_sent_at: last_sent_at?.toISOString() ?? null,
  }
}
