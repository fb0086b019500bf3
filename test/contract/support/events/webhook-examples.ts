// Valid calls of the operations of webhooks, and their responses.
import { newSigningSecret } from '../../../../src/capabilities/events/webhooks/sending/signature.ts'
import { newId } from '../../../../src/kit/random.ts'
import { rowsIn } from '../../../support/owner-sql.ts'
import type { Example, Fixture } from '../fixture.ts'
import { fields, flag, integer, list, moment, orNull, type Schema, text, words } from '../shape.ts'

const reads = { access: 'account:read', operator: false }
const writes = { access: 'account:write', operator: false }
const operators = { access: 'operator', operator: true }
// A reserved name (RFC 2606), to which nothing is ever sent.
const url = 'https://hooks.registrar.example/events'

/** Made without a call, so that calls of many files at once keep within the limit of ten. */
async function insertedWebhook({ registrar, id, key_id }: Fixture): Promise<string> {
  const webhook = newId('whk')
  await rowsIn(registrar)(
    `insert into webhooks (id, customer_id, url, types, sealed_secret, made_by, api_key_id)
     values ($1, $2, $3, '{webhook.test}', $4, 'api_key', $5)`,
    [webhook, id, url, registrar.service.app.encryption.seal(newSigningSecret()), key_id],
  )
  return webhook
}

async function freshDelivery(fixture: Fixture) {
  const id = await insertedWebhook(fixture)
  const delivery_id = id.replace('whk_', 'dlv_')
  await rowsIn(fixture.registrar)(
    `insert into webhook_deliveries
       (id, webhook_id, customer_id, event_id, event_type, pos, state, next_at, created_at)
     values ($1, $2, $3, 'evt_' || repeat('0', 26), 'webhook.test', 1, 'failed', now(), now())`,
    [delivery_id, id, fixture.id],
  )
  return { path: { id, delivery_id } }
}

const fresh = async (fixture: Fixture) => ({ path: { id: await insertedWebhook(fixture) } })

/** An account has at most ten, and no other example needs the earlier ones. */
async function created(fixture: Fixture): Promise<Example> {
  await rowsIn(fixture.registrar)(
    `delete from webhooks where customer_id = $1 and description is not null`,
    [fixture.id],
  )
  return { body: { url, types: ['account.*', 'webhook.*'], description: 'Our agent' } }
}

export const webhookExamples = {
  'POST /v1/webhooks': { ...writes, make: created },
  'GET /v1/webhooks': { ...reads, make: () => ({}) },
  'GET /v1/webhooks/{id}': { ...reads, make: fresh },
  'PATCH /v1/webhooks/{id}': {
    ...writes,
    make: async (fixture: Fixture) => ({ ...(await fresh(fixture)), body: { enabled: false } }),
  },
  'DELETE /v1/webhooks/{id}': { ...writes, make: fresh },
  'POST /v1/webhooks/{id}/secret/rotate': { ...writes, make: fresh },
  'POST /v1/webhooks/{id}/test': { ...writes, make: fresh },
  'GET /v1/webhooks/{id}/deliveries': { ...reads, make: fresh },
  'POST /v1/webhooks/{id}/deliveries/{delivery_id}/redeliver': { ...writes, make: freshDelivery },
  'GET /v1/internal/webhook-deliveries': {
    ...operators,
    make: async (fixture: Fixture) => {
      await freshDelivery(fixture)
      return { query: { limit: '1' } }
    },
  },
  'POST /v1/internal/webhook-deliveries/{delivery_id}/redeliver': {
    ...operators,
    make: async (fixture: Fixture) => {
      const { path } = await freshDelivery(fixture)
      return { path: { delivery_id: path.delivery_id } }
    },
  },
}

const id = (prefix: string) => ({
  type: 'string',
  pattern: `^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`,
})
const webhook = fields({
  id: id('whk'),
  url: text,
  types: list(text),
  description: orNull(text),
  enabled: flag,
  disabled_because: orNull(words('owner', 'gone', 'failing', 'maker_ended')),
  made_by: orNull(words('owner', 'api_key', 'app')),
  api_key_id: orNull(integer),
  oauth_grant_id: orNull(text),
  failing_since: orNull(moment),
  previous_secret_until: orNull(moment),
  created_at: moment,
  updated_at: moment,
})
const withSecret = fields({
  webhook,
  secret: { type: 'string', pattern: '^whsec_[A-Za-z0-9+/]{43}=$' },
})
const delivery = fields({
  id: id('dlv'),
  webhook_id: id('whk'),
  event_id: id('evt'),
  event_type: text,
  state: words('pending', 'delivered', 'failed'),
  attempts: integer,
  next_attempt_at: orNull(moment),
  last_attempt_at: orNull(moment),
  last_status: orNull(integer),
  last_error: orNull(text),
  duration_ms: orNull(integer),
  created_at: moment,
})

export const webhookShapes: Record<string, Schema> = {
  'POST /v1/webhooks': withSecret,
  'GET /v1/webhooks': fields({ webhooks: list(webhook) }),
  'GET /v1/webhooks/{id}': webhook,
  'PATCH /v1/webhooks/{id}': webhook,
  'POST /v1/webhooks/{id}/secret/rotate': withSecret,
  'POST /v1/webhooks/{id}/test': fields({ webhook_id: id('whk'), event_type: text }),
  'GET /v1/webhooks/{id}/deliveries': fields({
    deliveries: list(delivery),
    next_cursor: orNull(text),
  }),
  'POST /v1/webhooks/{id}/deliveries/{delivery_id}/redeliver': delivery,
  'GET /v1/internal/webhook-deliveries': fields({
    deliveries: list(
      fields({
        id: id('dlv'),
        customer_id: text,
        customer_name: text,
        webhook_id: id('whk'),
        host: orNull(text),
        disabled_because: orNull(words('owner', 'gone', 'failing')),
        event_type: text,
        attempts: integer,
        last_error: orNull(text),
        created_at: moment,
      }),
    ),
    next_cursor: orNull(text),
  }),
  'POST /v1/internal/webhook-deliveries/{delivery_id}/redeliver': delivery,
}
