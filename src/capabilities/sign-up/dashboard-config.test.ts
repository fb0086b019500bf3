// The dashboard's facts, and the rotation of its API key.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Body } from '../../../test/support/test-pipeline.ts'
import { openSignUps, outcomeOf } from './sign-up.fixture.ts'

const registrar = await openSignUps({
  settings: {
    TERMS_URL: 'https://a.example/terms',
    TERMS_VERSION: '1',
    PRIVACY_URL: 'https://a.example/privacy',
  },
})
const { call, db, verify, started } = registrar
const rotateAt = 'POST /v1/dashboard/config/mcp-api-key/rotate'
const configAt = 'GET /v1/dashboard/config'

async function newAccount() {
  const { signup_id, code } = await started()
  const { body } = await verify({ signup_id, code })
  const { id } = Object(body.customer)
  return { id: String(id), session: String(body.access_token), key: String(body.mcp_api_key) }
}
const prefixOf = (key: string) => key.slice(0, 'ar_test_'.length + 6)

describe('the configuration of sign-up', () => {
  it('has the rules that the service applies', async () => {
    const { status, body } = await call('GET /v1/dashboard/signup/config')
    assert.equal(status, 200)
    assert.deepEqual(body, {
      sign_up: 'open',
      sso_providers: [],
      sso_provider_names: {},
      password: { min: 8, max: 256 },
      code: { length: 6, ttl_s: 600, resend_after_s: 60 },
      terms_url: 'https://a.example/terms',
      privacy_url: 'https://a.example/privacy',
    })
  })
})

describe('the configuration of the dashboard', () => {
  const open = {
    environment: 'sandbox',
    base_url: 'http://127.0.0.1:8080',
    mcp_url: 'http://127.0.0.1:8080',
    site_url: 'http://127.0.0.1:8080',
    currencies: ['USD', 'EUR'],
    nameservers: ['ns1.agent-registrar.net', 'ns2.agent-registrar.net'],
    sso_providers: [],
    sso_provider_names: {},
    passkey_rp_id: 'localhost',
    vapid_public_key: null,
    gateway: null,
    processor: null,
    authenticated: false,
    mcp: { endpoint: 'http://127.0.0.1:8080/mcp', api_key_prefix: null },
  }

  it('has a public part, also for a key', async () => {
    const { key } = await newAccount()
    assert.deepEqual((await call(configAt)).body, open)
    assert.deepEqual((await call(configAt, { token: key })).body, open)
  })

  it('shows with a session the prefix of the key of that account only', async () => {
    const [one, two] = [await newAccount(), await newAccount()]
    for (const { session, key } of [one, two]) {
      const { body } = await call(configAt, { token: session })
      const mcp = { ...open.mcp, api_key_prefix: prefixOf(key) }
      assert.deepEqual(body, { ...open, authenticated: true, mcp })
    }
  })
})

describe('a rotation', () => {
  it('replaces the secret at once; id, name and scopes stay', async () => {
    const { id, session, key } = await newAccount()
    const keysAt = `GET /v1/customers/${id}/api-keys`
    const before = (await call(keysAt, { token: session })).list
    const { status, body } = await call(rotateAt, { token: session })
    assert.equal(status, 200, JSON.stringify(body))
    const { api_key, api_key_prefix } = Object(body.mcp)
    assert.deepEqual([body.authenticated, api_key_prefix], [true, prefixOf(api_key)])
    assert.equal(outcomeOf(await call('GET /v1/account', { token: key })), '401 invalid_token')
    assert.equal((await call('GET /v1/account', { token: api_key })).body.id, id)
    const after = (await call(keysAt, { token: session })).list
    const facts = ({ id, name, scopes, created_at }: Body) => [id, name, scopes, created_at]
    assert.deepEqual(after.map(facts), before.map(facts))
    assert.deepEqual(
      after.map((row) => row.key_prefix),
      [api_key_prefix],
    )
    assert.equal(Object((await call(configAt, { token: session })).body.mcp).api_key, undefined)
  })

  it('keeps the narrower scopes that its owner gave the key', async () => {
    const { id, session } = await newAccount()
    const [row] = (await call(`GET /v1/customers/${id}/api-keys`, { token: session })).list
    const narrow = { token: session, body: { scopes: ['domains:read'] } }
    await call(`POST /v1/customers/${id}/api-keys/${row?.id}/rotate`, narrow)
    const { body } = await call(rotateAt, { token: session })
    const token = String(Object(body.mcp).api_key)
    assert.equal(outcomeOf(await call('GET /v1/account', { token })), '403 insufficient_scope')
  })

  it('creates a key where there is none, or it was revoked; one, also concurrently', async () => {
    const { id, session, key } = await newAccount()
    const [row] = (await call(`GET /v1/customers/${id}/api-keys`, { token: session })).list
    await call(`POST /v1/customers/${id}/api-keys/${row?.id}/revoke`, { token: session })
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => call(rotateAt, { token: session })),
    )
    assert.ok(answers.every(({ status }) => status === 200))
    const active = await db.query(
      'select id from api_keys where customer_id = $1 and revoked_at is null',
      [id],
    )
    assert.equal(active.length, 1)
    assert.notEqual(String(active[0]?.id), String(row?.id), 'the revoked key stays revoked')
    assert.equal(outcomeOf(await call('GET /v1/account', { token: key })), '401 invalid_token')
  })

  it('is refused to keys of every scope, operators and anonymous callers', async () => {
    const { key } = await registrar.customer()
    assert.equal(outcomeOf(await call(rotateAt, { token: key })), '403 session_required')
    const operator = await call(rotateAt, { token: registrar.operator })
    assert.equal(outcomeOf(operator), '403 customer_required')
    assert.equal(outcomeOf(await call(rotateAt)), '401 unauthenticated')
  })

  it('is audited without the key', async () => {
    const { id, session } = await newAccount()
    const { body } = await call(rotateAt, { token: session })
    const rows = await db.query(
      `select metadata from audit_logs where customer_id = $1 and action = 'rotate_mcp_api_key'`,
      [id],
    )
    const { api_key, api_key_prefix } = Object(body.mcp)
    assert.deepEqual(rows, [{ metadata: { key_prefix: api_key_prefix } }])
    assert.ok(!JSON.stringify(rows).includes(api_key))
  })
})
