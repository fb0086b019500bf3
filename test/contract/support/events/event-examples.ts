// Valid calls of the operations of events, and their responses.
import { type Fixture, must } from '../fixture.ts'
import { fields, flag, integer, list, moment, money, type Schema, text, words } from '../shape.ts'
import { webhookExamples, webhookShapes } from './webhook-examples.ts'

const reads = { access: 'account:read', operator: false }

export const eventExamples = {
  ...webhookExamples,
  'GET /v1/events': {
    ...reads,
    make: ({ registrar, key: token }: Fixture) => ({
      query: { limit: '1' },
      awaited: () =>
        must(
          registrar.request('POST', '/v1/support/messages', { token, body: { body: 'Hello' } }),
          201,
        ),
    }),
  },
  'GET /v1/operations/{id}/wait': {
    ...{ access: 'domains:read', operator: false },
    make: ({ order_id }: Fixture) => ({ path: { id: order_id } }),
  },
}

const event = fields({
  id: { type: 'string', pattern: '^evt_[0-9a-hjkmnp-tv-z]{26}$' },
  type: { type: 'string', pattern: '^[a-z_]+[.][a-z_]+$' },
  created_at: moment,
  audit_log_id: integer,
  subject: fields({ type: text, id: text }),
  data: { type: 'object' },
})

export const eventShapes: Record<string, Schema> = {
  ...webhookShapes,
  'GET /v1/operations/{id}/wait': fields({
    id: text,
    state: words('pending', 'succeeded', 'failed', 'unknown'),
    domain: text,
    amount: money,
  }),
  'GET /v1/events': fields({ events: list(event), next_cursor: text, has_more: flag }),
}
