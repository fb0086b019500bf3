// The spending limit of an app, from the consent page on: a cap unless the owner types another, one
// for all connections of the app, changed later by the owner alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newOwner, type Owner } from '../../../test/support/owner.ts'
import { rowsIn } from '../../../test/support/owner-sql.ts'
import { sharedService } from '../../../test/support/service.ts'
import { recentSessionOf } from '../../../test/support/sign-in.ts'
import { scopes as everything } from '../../app.ts'
import { systemCall } from '../../capabilities/audit/index.ts'
import { purgeClients } from '../clients/purge-clients.job.ts'
import {
  formIn,
  isPage,
  newClient,
  newVisitor,
  type TestClient,
} from '../consent/consent.fixture.ts'

const registrar = await sharedService()
const { app } = registrar.service
const query = rowsIn(registrar)
const scopes = ['account:read', 'domains:read', 'domains:purchase', 'keys:write']
const newAccount = () => newOwner(registrar, { scopes: [...everything] })
let names = 0

type Typed = { amount?: string; currency?: string; window?: string }
async function decide(client: TestClient, owner: Owner, typed: Typed = {}) {
  const visitor = newVisitor(registrar)
  const asked = { resource: registrar.url, scope: scopes.join(' ') }
  const { form } = await visitor.page(client.url(asked))
  const more = Object.entries(typed).map(([name, value]): [string, string] => [
    `spend_${name}`,
    value,
  ])
  return { visitor, answer: await visitor.decide(form, owner, { scopes, more }) }
}

async function connect(client: TestClient, owner: Owner, typed: Typed = {}): Promise<string> {
  const { visitor, answer } = await decide(client, owner, typed)
  const away = await visitor.leave(answer)
  const { status, body } = await client.redeem(away.searchParams.get('code'))
  assert.equal(status, 200, JSON.stringify(body))
  return String(body.access_token)
}

const buy = (token: string) => {
  names += 1
  const domain = `by-app-${process.pid}-${names}.com`
  return registrar.request('POST', '/v1/domains', { token, body: { domain } })
}
const limitsOf = async (token: string) =>
  (await registrar.request('GET', '/v1/account/limits', { token })).body.limits

test('an app gets a cap, not the balance, unless the owner types another limit', async () => {
  const [client, owner] = await Promise.all([newClient(registrar), newAccount()])
  const [capped] = await limitsOf(await connect(client, owner))
  const { until: _, ...cap } = capped.spend_limit
  assert.deepEqual(cap, {
    ...{ amount: '50.00', currency: 'USD', window: 'month' },
    ...{ spent: '0.00', left: '50.00' },
  })
  assert.deepEqual([capped.of, capped.name, capped.inherited], ['app', 'Test program', false])
  const typed = { amount: '12.00', currency: 'USD', window: 'total' }
  const [chosen] = await limitsOf(await connect(client, owner, typed))
  assert.deepEqual([chosen.spend_limit.amount, chosen.spend_limit.window], ['12.00', 'total'])
  const subject = /app was connected/
  const mails = await registrar.mails({ to: owner.email, subject, count: 2 })
  // Two mails that wait to be sent are delivered in either order.
  const limits = mails.map(({ text }) => /at most \d+\.\d\d USD [a-z ]+/.exec(text ?? '')?.[0])
  assert.deepEqual(limits.sort(), ['at most 12.00 USD in total', 'at most 50.00 USD a month'])
})

test('all connections of an app, and the keys that it makes, draw on one budget', async () => {
  const [client, owner] = await Promise.all([newClient(registrar), newAccount()])
  const first = await connect(client, owner, { amount: '25.00' })
  assert.equal((await buy(first)).status, 200)
  const second = await connect(client, owner, { amount: '25.00' })
  const made = await registrar.request('POST', `/v1/customers/${owner.id}/api-keys`, {
    token: second,
    body: { scopes: ['account:read', 'domains:purchase'] },
  })
  const key = String(made.body.api_key)
  const [inherited] = await limitsOf(key)
  assert.deepEqual([inherited.inherited, inherited.spend_limit.left], [true, '14.15'])
  assert.equal((await buy(key)).status, 200)
  for (const token of [first, second, key]) {
    const refused = await buy(token)
    assert.deepEqual([refused.status, refused.body.code], [403, 'spend_limit_exceeded'])
    assert.match(refused.body.next_action.url, /\/dashboard\/connected-apps$/)
  }
})

test('a budget in total still counts what was spent under consents that ended long ago', async () => {
  const [client, owner] = await Promise.all([newClient(registrar), newAccount()])
  const total = { amount: '12.00', currency: 'USD', window: 'total' }
  const session = await recentSessionOf(registrar, owner)
  const disconnect = async () => {
    const list = await registrar.request('GET', '/v1/account/oauth-grants', { token: session })
    const [{ id }] = list.body.oauth_grants
    const path = `/v1/account/oauth-grants/${id}`
    assert.ok((await registrar.request('DELETE', path, { token: session })).status < 300)
    await query(
      `update oauth_grants set revoked_at = now() - interval '400 days'
        where customer_id = $1 and revoked_at is not null`,
      [owner.id],
    )
    return id
  }
  assert.equal((await buy(await connect(client, owner, total))).status, 200)
  const bought = await disconnect()
  await connect(client, owner, total)
  await disconnect()
  for (let turn = 0; turn < 2; turn += 1)
    await purgeClients.run(app, systemCall(app, purgeClients.name))
  const left = await query('select id, kept from oauth_grants where customer_id = $1', [owner.id])
  assert.deepEqual(left, [{ id: bought, kept: true }])
  const token = await connect(client, owner, total)
  const [limit] = await limitsOf(token)
  assert.deepEqual([limit.spend_limit.spent, limit.spend_limit.left], ['10.85', '1.15'])
  const refused = await buy(token)
  assert.deepEqual([refused.status, refused.body.code], [403, 'spend_limit_exceeded'])
})

test('requests for approval of an app, connected twice, and of its keys are a hundred a day', async () => {
  const [client, owner] = await Promise.all([newClient(registrar), newAccount()])
  const first = await connect(client, owner)
  const session = await recentSessionOf(registrar, owner)
  const list = await registrar.request('GET', '/v1/account/oauth-grants', { token: session })
  const path = `/v1/account/oauth-grants/${list.body.oauth_grants[0].id}`
  const body = { approval_above: { amount: '5.00' } }
  assert.equal((await registrar.request('PATCH', path, { token: session, body })).status, 200)
  const asked = await buy(first)
  assert.equal(asked.body.code, 'approval_required', asked.text)
  await query(
    `insert into approvals (id, customer_id, oauth_grant_id, counted_for, asked_by,
       agent_identifier, action, domain, reason, request_digest, digest, request, state,
       created_at, expires_at, ended_at)
     select id || '-' || i, customer_id, oauth_grant_id, counted_for, asked_by, agent_identifier,
            action, domain, reason, request_digest, digest, request, 'voided', created_at,
            expires_at, created_at
       from approvals, generate_series(1, 97) i where customer_id = $1`,
    [owner.id],
  )
  const made = await registrar.request('POST', `/v1/customers/${owner.id}/api-keys`, {
    token: first,
    body: { scopes: ['account:read', 'domains:purchase'] },
  })
  const key = String(made.body.api_key)
  assert.equal((await buy(key)).body.code, 'approval_required')
  const second = await connect(client, owner)
  assert.equal((await buy(second)).body.code, 'approval_required')
  for (const token of [first, second, key]) {
    const refused = await buy(token)
    assert.deepEqual([refused.status, refused.body.code], [409, 'too_many_approvals'])
  }
})

test('a limit that is no amount shows the page again, and connects nothing', async () => {
  const [client, owner] = await Promise.all([newClient(registrar), newAccount()])
  for (const typed of [
    { amount: 'all' },
    { amount: '' },
    { currency: 'GBP' },
    { window: 'year' },
  ]) {
    const { answer } = await decide(client, owner, typed)
    isPage(answer, 422, /The spending limit is not an amount/)
    assert.match(answer.text, /aria-describedby="spend-problem spend-hint"/)
    assert.ok(formIn(answer).inputs.some(({ name }) => name === 'spend_amount'))
  }
})

test('its owner changes the limits of an app later, and no token does', async () => {
  const [client, owner] = await Promise.all([newClient(registrar), newAccount()])
  const token = await connect(client, owner, { amount: '11.00' })
  assert.equal((await buy(token)).status, 200)
  const session = await recentSessionOf(registrar, owner)
  const list = await registrar.request('GET', '/v1/account/oauth-grants', { token: session })
  const [app] = list.body.oauth_grants
  assert.equal(app.spend_limit.spent, '10.85')
  const patch = (by: string, body: object) =>
    registrar.request('PATCH', `/v1/account/oauth-grants/${app.id}`, { token: by, body })
  assert.equal((await patch(token, { spend_limit: null })).status, 403)
  const raised = await patch(session, { spend_limit: { amount: '22.00' }, allowed_tlds: ['com'] })
  assert.deepEqual(
    [raised.status, raised.body.spend_limit.left, raised.body.allowed_tlds],
    [200, '11.15', ['com']],
  )
  assert.equal((await buy(token)).status, 200)
  const other = await recentSessionOf(registrar, await newAccount())
  assert.equal((await patch(other, { spend_limit: null })).status, 404)
})
