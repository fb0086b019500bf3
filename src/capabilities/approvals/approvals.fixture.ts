// For tests: owners, keys of agents that need approval, their requests and the answers to them.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { rowsIn } from '../../../test/support/owner-sql.ts'
import { type Answer, sharedService, type TestCustomer } from '../../../test/support/service.ts'
import { recentSessionOf } from '../../../test/support/sign-in.ts'

export const registrar = await sharedService()
export const query = rowsIn(registrar)
const all = [
  ...['account:read', 'contacts:read', 'contacts:write', 'domains:read', 'domains:write'],
  ...['domains:purchase', 'keys:write'],
]
/** Each file of a process counts from one, in the same registries. */
const file_tag = randomBytes(3).toString('hex')
let names = 0
export const nextName = (tld = 'com') => {
  names += 1
  return `approved-${file_tag}-${names}.${tld}`
}

export const request = (token: string, path: string, body?: object) =>
  registrar.request(body ? 'POST' : 'GET', path, { token, ...(body && { body }) })
export const buy = (token: string, domain: string, more: object = {}) =>
  request(token, '/v1/domains', { domain, ...more })
export const read = async (token: string, id: string) =>
  (await request(token, `/v1/approvals/${id}`)).body

/** How it ended, once the order that it became has ended, too. */
export async function ended(token: string, id: string): Promise<Answer['body']> {
  for (;;) {
    const { body } = await request(token, `/v1/approvals/${id}/wait?wait=20`)
    if (body.operation?.state !== 'pending') return body
    await sleep(20)
  }
}

/** An owner with a session, and a key of the agent that asks above 5.00 USD. */
export async function pair(
  limits: object = { approval_above: { amount: '5.00' } },
  funds = 10_000,
) {
  const person = await registrar.customer({ funds_cents: funds, scopes: all })
  const key = await keyOf(person, limits)
  const session = await recentSessionOf(registrar, person)
  const answer = (id: string, verb: 'approve' | 'decline', body: object = {}) =>
    request(session, `/v1/approvals/${id}/${verb}`, body)
  return { person, session, answer, ...key }
}

export async function keyOf(person: TestCustomer, limits: object) {
  const body = { name: 'agent', scopes: all, ...limits }
  const made = await request(person.key, `/v1/customers/${person.id}/api-keys`, body)
  assert.equal(made.status, 201, made.text)
  return { token: String(made.body.api_key), key_id: Number(made.body.key.id) }
}

/** The request is refused for want of approval: its id. */
export async function asked(token: string, domain: string, more: object = {}): Promise<string> {
  const refused = await buy(token, domain, more)
  assert.deepEqual([refused.status, refused.body.code], [403, 'approval_required'], refused.text)
  assert.equal(refused.body.next_action.type, 'ask_owner')
  const { id, state, expires_at, url } = refused.body.approval
  assert.ok(url.endsWith(`/approvals/${id}`) && refused.body.next_action.url === url)
  assert.ok(Date.parse(expires_at) > Date.now())
  assert.equal(state, 'pending')
  return String(id)
}

export const holds = async (customer: string) =>
  query('select id from orders where customer_id = $1', [customer])
