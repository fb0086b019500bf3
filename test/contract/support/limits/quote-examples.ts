// Valid calls of the operations on quotes and receipts, and their responses.
import type { Fixture } from '../fixture.ts'
import { freshDomain } from '../fresh-domains.ts'
import { recentSession } from '../passkey-examples.ts'
import {
  currency,
  fields,
  flag,
  integer,
  list,
  moment,
  money,
  orNull,
  text,
  words,
} from '../shape.ts'

export const quoteExamples = {
  'POST /v1/account/reserve': {
    access: 'session',
    operator: false,
    make: async (fixture: Fixture) => ({
      ...(await recentSession(fixture)),
      body: { amount: '0.50' },
    }),
  },
  'POST /v1/domains/{domain}/reserve': {
    access: 'session',
    operator: false,
    make: async (fixture: Fixture) => ({
      ...(await recentSession(fixture)),
      path: { domain: await freshDomain(fixture) },
      body: { from_reserve: true },
    }),
  },
  'POST /v1/quotes': {
    access: 'domains:read',
    operator: false,
    make: () => ({ body: { action: 'register', domain: 'my-quoted-agent.com', period_years: 2 } }),
  },
  'GET /v1/operations/{id}/receipt': {
    access: 'domains:read',
    operator: false,
    make: ({ order_id }: Fixture) => ({ path: { id: order_id } }),
  },
  'GET /v1/operations/{id}/receipt/pdf': {
    access: 'domains:read',
    operator: false,
    make: ({ order_id }: Fixture) => ({ path: { id: order_id } }),
  },
  'GET /v1/document-keys': { access: 'public', operator: true, make: () => ({}) },
}

const action = words('register', 'renew', 'transfer', 'restore')
const jws = { type: 'string', pattern: '^[\\w-]+\\.[\\w-]+\\.[\\w-]{86}$' }
const entry = orNull(fields({ id: text, row_hash: { type: 'string', pattern: '^[0-9a-f]{64}$' } }))

export const quoteShapes = {
  'POST /v1/account/reserve': fields({ currency, reserved: money, available: money }),
  'POST /v1/domains/{domain}/reserve': fields({ domain: text, from_reserve: flag }),
  'POST /v1/quotes': fields({
    quote_id: { type: 'string', pattern: '^quo_' },
    ...{ action, domain: text, period_years: integer, jws },
    price: fields({ currency, amount: money, renewal_amount: money, items: list(fields({})) }),
    created_at: moment,
    expires_at: moment,
  }),
  'GET /v1/operations/{id}/receipt': fields({
    operation_id: { type: 'string', pattern: '^ord_' },
    ...{ action, domain: text, period_years: integer, currency, amount: money, jws },
    request_sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    quote_id: orNull(text),
    placed_at: moment,
    paid_at: moment,
    transfers: fields({ hold: text, capture: text }),
    audit: fields({ placed: entry, settled: entry }),
  }),
  'GET /v1/operations/{id}/receipt/pdf': { type: 'string', pattern: '^%PDF-' },
  'GET /v1/document-keys': fields({
    keys: list(fields({ kty: words('EC'), crv: words('P-256'), x: text, y: text, kid: text })),
  }),
}
