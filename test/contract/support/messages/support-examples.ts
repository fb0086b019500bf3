// Valid calls of support, and their answers by the contract.
import { type Fixture, fresh, must } from '../fixture.ts'
import { fields, integer, list, moment, orNull, text, words } from '../shape.ts'

const mine = (access: string) => ({ access, operator: false })
const operators = { access: 'operator', operator: true }

/** A message from the customer, so that there is a conversation. */
async function asked({ registrar, id }: Fixture): Promise<string> {
  const body = { customer_id: id, body: fresh('message') }
  const options = { token: registrar.operatorKey, body }
  await must(registrar.request('POST', '/v1/internal/support/messages', options), 201)
  return id
}

export const supportExamples = {
  'GET /v1/support/messages': {
    ...mine('support:read'),
    make: async (fixture: Fixture) => {
      await asked(fixture)
      return { query: { limit: '2' } }
    },
  },
  'POST /v1/support/messages': {
    ...mine('support:write'),
    make: () => ({
      body: { body: 'Please look at our transfer.' },
      headers: { 'idempotency-key': fresh('question') },
    }),
  },
  'POST /v1/support/messages/read': {
    ...mine('support:write'),
    make: async (fixture: Fixture) => {
      await asked(fixture)
      return {}
    },
  },
  'GET /v1/support/events': {
    ...mine('support:read'),
    make: () => ({ query: { after: '0' } }),
  },
  'GET /v1/internal/support/threads': {
    ...operators,
    make: () => ({ query: { state: 'answered', limit: '2' } }),
  },
  'GET /v1/internal/support/threads/{customer_id}': {
    ...operators,
    make: async (fixture: Fixture) => ({ path: { customer_id: await asked(fixture) } }),
  },
  'POST /v1/internal/support/messages': {
    ...operators,
    make: ({ id }: Fixture) => ({ body: { customer_id: id, body: 'The registry has replied.' } }),
  },
  'POST /v1/internal/support/messages/read': {
    ...operators,
    make: ({ id }: Fixture) => ({ body: { customer_id: id } }),
  },
  'POST /v1/internal/support/test': { ...operators, make: () => ({}) },
}

const messageFields = {
  id: { type: 'string', pattern: '^msg_[0-9a-hjkmnp-tv-z]{26}$' },
  sender: words('customer', 'operator', 'system'),
  body: text,
  created_at: moment,
  read_at: orNull(moment),
}
const message = fields(messageFields)
const operatorMessage = fields({ ...messageFields, operator: orNull(text) })
const pageOf = (of: typeof message) =>
  fields({
    messages: list(of),
    unread: integer,
    last_event_id: { type: 'string', pattern: '^[0-9]+$' },
    next_cursor: orNull(text),
  })
const read = fields({ marked: integer, unread: integer })

export const supportShapes = {
  'GET /v1/support/messages': pageOf(message),
  'POST /v1/support/messages': message,
  'POST /v1/support/messages/read': read,
  'GET /v1/support/events': text,
  'GET /v1/internal/support/threads': fields({
    threads: list(
      fields({
        customer_id: text,
        name: text,
        email: text,
        waiting_since: orNull(moment),
        unread: integer,
        unread_by_customer: integer,
        last_message: operatorMessage,
      }),
    ),
    next_cursor: orNull(text),
  }),
  'GET /v1/internal/support/threads/{customer_id}': pageOf(operatorMessage),
  'POST /v1/internal/support/messages': operatorMessage,
  'POST /v1/internal/support/messages/read': read,
  'POST /v1/internal/support/test': fields({
    transports: list(
      fields({
        transport: words('smtp', 'webhook'),
        result: words('ok', 'refused', 'unreachable', 'not_configured'),
        detail: orNull(text),
        ms: { type: 'number' },
      }),
    ),
  }),
}
