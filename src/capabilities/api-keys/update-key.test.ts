// Changes of a key's limits by its owner: spent amounts stay spent, and no descendant outlives its
// parent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedService, type TestCustomer } from '../../../test/support/service.ts'
import { recentSessionOf } from '../../../test/support/sign-in.ts'

const registrar = await sharedService({ worker: false })
const scopes = ['account:read', 'domains:read', 'domains:purchase', 'keys:write']
const owner = await registrar.customer({ funds_cents: 10_000, scopes })
const session = await recentSessionOf(registrar, owner)
const path = (id: number) => `/v1/customers/${owner.id}/api-keys/${id}`
const patch = (id: number, body: object, token = session) =>
  registrar.request('PATCH', path(id), { token, body })
let names = 0

async function keyOf(limits: object, token = owner.key) {
  const { body, text, status } = await registrar.request(
    'POST',
    `/v1/customers/${owner.id}/api-keys`,
    { token, body: { scopes, ...limits } },
  )
  assert.equal(status, 201, text)
  return { token: String(body.api_key), id: Number(body.key.id) }
}

function buy({ token }: { token: string }) {
  names += 1
  const domain = `changed-${process.pid}-${names}.com`
  return registrar.request('POST', '/v1/domains', { token, body: { domain } })
}

test('a limit that is set later counts what the key and its descendants spent before', async () => {
  const key = await keyOf({})
  const child = await keyOf({}, key.token)
  for (const one of [key, child]) assert.equal((await buy(one)).status, 200)
  const limited = await patch(key.id, { spend_limit: { amount: '30.00', window: 'total' } })
  assert.equal(limited.status, 200, limited.text)
  assert.equal(limited.body.spend_limit.spent, '21.70')
  for (const one of [key, child]) assert.equal((await buy(one)).body.code, 'spend_limit_exceeded')
  const raised = await patch(key.id, { spend_limit: { amount: '33.00', window: 'day' } })
  assert.deepEqual(
    [raised.body.spend_limit.spent, raised.body.spend_limit.left],
    ['21.70', '11.30'],
  )
  assert.equal((await buy(child)).status, 200)
  const lowered = await patch(key.id, { spend_limit: { amount: '1.00' } })
  assert.deepEqual(
    [lowered.body.spend_limit.spent, lowered.body.spend_limit.left],
    ['32.55', '0.00'],
  )
  const removed = await patch(key.id, { spend_limit: null })
  assert.equal(removed.body.spend_limit, null)
  assert.equal((await buy(key)).status, 200)
})

test('a field that is left out stays, and null removes', async () => {
  const { id } = await keyOf({ name: 'one', allowed_tlds: ['com'], allowed_ips: ['127.0.0.1'] })
  const { body } = await patch(id, { allowed_ips: null, max_price: { amount: '9.00' } })
  assert.deepEqual(
    [body.name, body.allowed_tlds, body.allowed_ips, body.max_price.amount],
    ['one', ['com'], null, '9.00'],
  )
  assert.equal((await patch(id, { name: 'two' })).body.name, 'two')
})

test('a shorter expiry applies to the keys that it made, too', async () => {
  const key = await keyOf({})
  const child = await keyOf({}, key.token)
  const expires_at = new Date(Date.now() + 60_000).toISOString()
  assert.equal((await patch(key.id, { expires_at })).body.expires_at, expires_at)
  const list = await registrar.request('GET', `/v1/customers/${owner.id}/api-keys`, {
    token: session,
  })
  const found = list.body.find((one: { id: number }) => one.id === child.id)
  assert.equal(found.expires_at, expires_at)
})

test('no key outlives the one that it was made with, also where the owner changes it', async () => {
  const ends = (ms: number) => new Date(Date.now() + ms).toISOString()
  const expires_at = ends(60_000)
  const key = await keyOf({ expires_at })
  const child = await keyOf({ expires_at: ends(30_000) }, key.token)
  const longer = await patch(child.id, { expires_at: ends(61_000) })
  assert.equal(longer.status, 422, longer.text)
  assert.deepEqual(longer.body.detail[0].loc, ['body', 'expires_at'])
  assert.ok(longer.body.detail[0].msg.includes(expires_at))
  assert.equal((await patch(child.id, { expires_at: null })).body.expires_at, expires_at)
  assert.equal((await patch(child.id, { expires_at })).body.expires_at, expires_at)
  assert.equal((await patch(key.id, { expires_at: null })).body.expires_at, null)
  assert.equal((await patch(child.id, { expires_at: null })).body.expires_at, null)
})

test('no key gets scopes that its parent lacks, also where the owner rotates it', async () => {
  const key = await keyOf({ scopes: ['domains:read', 'keys:write'] })
  const child = await keyOf({ scopes: ['domains:read'] }, key.token)
  const rotate = (wanted: string[], token: string) =>
    registrar.request('POST', `${path(child.id)}/rotate`, { token, body: { scopes: wanted } })
  for (const token of [session, owner.key]) {
    const wider = await rotate(['domains:read', 'domains:purchase'], token)
    assert.deepEqual([wider.status, wider.body.code], [403, 'scope_not_held'], wider.text)
    assert.deepEqual(wider.body.scopes_not_held, ['domains:purchase'])
  }
  assert.equal((await rotate(['domains:read', 'keys:write'], session)).status, 200)
})

test('it is for the owner alone: no key, however wide, changes limits', async () => {
  const key = await keyOf({ spend_limit: { amount: '1.00' } })
  for (const token of [key.token, owner.key, registrar.operatorKey]) {
    const refused = await patch(key.id, { spend_limit: null }, token)
    assert.equal(refused.status, 403, refused.text)
  }
  const other: TestCustomer = await registrar.customer({ scopes })
  const otherSession = await recentSessionOf(registrar, other)
  const hidden = await patch(key.id, { spend_limit: null }, otherSession)
  assert.deepEqual([hidden.status, hidden.body.code], [404, 'customer_not_found'])
  assert.equal((await patch(key.id, {})).status, 422)
  assert.equal((await patch(999_999, { name: 'x' })).status, 404)
  await registrar.request('POST', `${path(key.id)}/revoke`, { token: owner.key })
  assert.equal((await patch(key.id, { name: 'x' })).status, 409)
})
