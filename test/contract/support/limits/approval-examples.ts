// Valid calls of the operations on approvals, and their responses.
import { createECDH, randomBytes } from 'node:crypto'
import { newId } from '../../../../src/kit/random.ts'
import { rowsIn } from '../../../support/owner-sql.ts'
import { type Fixture, fresh, keyOf, must } from '../fixture.ts'
import { freshDomain } from '../fresh-domains.ts'
import { recentSession } from '../passkey-examples.ts'
import { fields, flag, list, moment, money, orNull, type Schema, text, words } from '../shape.ts'

/** A request that waits for the owner. */
async function waiting(fixture: Fixture) {
  const { id: key } = await keyOf(fixture, ['domains:purchase'])
  const [row] = await rowsIn(fixture.registrar)(
    `insert into approvals (id, customer_id, api_key_id, counted_for, asked_by, agent_identifier,
       action, domain, reason, request_digest, digest, request, input, amount, currency, created_at,
       expires_at)
     select $5, $1, $2, 'key:' || $2::bigint, 'agent', 'test', 'register_domain', $3,
            'approval_above', d, d, '{"period_years": 1}', $4, 21085, 'USD',
            now(), now() + interval '7 days'
       from (select encode(sha256($3::text::bytea), 'hex') as d) x returning id`,
    // The request is sealed with another key, so the approved request is void.
    [fixture.id, key, `${fresh('asked')}.com`, Buffer.alloc(64).toString('base64'), newId('apr')],
  )
  return { path: { id: String(row.id) } }
}

const read = { access: 'domains:read', operator: false }
const inPerson = { access: 'session', operator: false }
const decided = {
  ...inPerson,
  make: async (fixture: Fixture) => ({
    ...(await waiting(fixture)),
    ...(await recentSession(fixture)),
    body: { note: 'As agreed.' },
  }),
}

const inPersonOnDomain = {
  ...inPerson,
  make: async (fixture: Fixture) => ({
    ...(await recentSession(fixture)),
    path: { domain: await freshDomain(fixture) },
  }),
}

/** The subscription of a browser whose push service never gets a message. */
function newSubscription() {
  const browser = createECDH('prime256v1')
  const keys = {
    p256dh: browser.generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }
  return { endpoint: `https://fcm.googleapis.com/fcm/send/${fresh('browser')}`, keys }
}

async function subscribed(fixture: Fixture) {
  const { session } = await recentSession(fixture)
  const options = { token: session, body: newSubscription() }
  const at = '/v1/account/push-subscriptions'
  const { body } = await must(fixture.registrar.request('POST', at, options), 201)
  return { session, path: { id: String(body.id) } }
}

export const approvalExamples = {
  'GET /v1/approvals': { ...read, make: () => ({ query: { state: 'all' } }) },
  'GET /v1/approvals/{id}': { ...read, make: waiting },
  'GET /v1/approvals/{id}/wait': {
    ...read,
    make: async (fixture: Fixture) => ({ ...(await waiting(fixture)), query: { wait: '1' } }),
  },
  'POST /v1/approvals/{id}/approve': decided,
  'POST /v1/approvals/{id}/decline': decided,
  'GET /v1/account/approval-settings': { ...inPerson, make: recentSession },
  'PATCH /v1/account/approval-settings': {
    ...inPerson,
    make: async (fixture: Fixture) => ({
      ...(await recentSession(fixture)),
      body: { fresh_log_in_above: { amount: '200.00', currency: 'USD' } },
    }),
  },
  'GET /v1/account/push-subscriptions': { ...inPerson, make: recentSession },
  'POST /v1/account/push-subscriptions': {
    ...inPerson,
    make: async (fixture: Fixture) => ({
      ...(await recentSession(fixture)),
      body: newSubscription(),
    }),
  },
  'DELETE /v1/account/push-subscriptions/{id}': { ...inPerson, make: subscribed },
  'POST /v1/domains/{domain}/protect': inPersonOnDomain,
  'POST /v1/domains/{domain}/unprotect': inPersonOnDomain,
}

const approval = fields({
  id: { type: 'string', pattern: '^apr_' },
  state: words('pending', 'approved', 'executed', 'failed', 'declined', 'expired', 'voided'),
  ...{ action: text, domain: text, reason: text, request: { type: 'object' } },
  highest_price: orNull(fields({ amount: money, currency: text })),
  asked_by: fields({ of: words('api_key', 'app'), id: text, name: text, agent: text }),
  ...{ created_at: moment, expires_at: moment, decided_at: orNull(moment) },
  ...{ note: orNull(text), ended_at: orNull(moment), url: text },
  error: orNull(fields({ code: text, detail: orNull(text) })),
  operation: orNull(fields({ id: text, state: text })),
})

const settings = fields({
  fresh_log_in_above: orNull(fields({ amount: money, currency: words('USD', 'EUR') })),
})

const pushSubscription = fields({
  id: { type: 'string', pattern: '^psb_[0-9a-hjkmnp-tv-z]{26}$' },
  ...{ service: text, agent: text, current: flag },
  ...{ created_at: moment, last_sent_at: orNull(moment) },
})

export const approvalShapes: Record<string, Schema> = {
  'GET /v1/approvals': fields({ approvals: list(approval), next_cursor: orNull(text) }),
  'GET /v1/approvals/{id}': approval,
  'GET /v1/approvals/{id}/wait': approval,
  'POST /v1/approvals/{id}/approve': approval,
  'POST /v1/approvals/{id}/decline': approval,
  'GET /v1/account/approval-settings': settings,
  'PATCH /v1/account/approval-settings': settings,
  'GET /v1/account/push-subscriptions': fields({
    public_key: text,
    push_subscriptions: list(pushSubscription),
  }),
  'POST /v1/account/push-subscriptions': pushSubscription,
}
