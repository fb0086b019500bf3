// Secrets of callers are not passed on: a spy on every connection of this process records what is
// sent to registries, the reseller, the mail server and the database. No secret is in it, nor in
// the log.
import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { after, before, describe, mock, test } from 'node:test'
import { newOwner } from '../support/owner.ts'
import { rowsIn } from '../support/owner-sql.ts'
import { startService } from '../support/service.ts'
import { openAttacker, tokensOf } from './client.ts'
import { wholeDatabase } from './rows.ts'

const registrar = await startService()
const { port, base_url } = registrar.service.settings
const sent: string[] = []
const { write } = Socket.prototype
const spy = mock.method(
  Socket.prototype,
  'write',
  function (this: Socket, ...given: Parameters<typeof write>) {
    const text = Buffer.from(given[0]).toString('latin1')
    // Everything except the requests of this test and the service's responses to them.
    const note = () => {
      if (this.remotePort !== port && this.localPort !== port) sent.push(text)
    }
    // Written before it is connected, it has no ports yet.
    if (this.connecting) this.once('connect', note)
    else note()
    return Reflect.apply(write, this, given)
  },
)
after(() => spy.mock.restore())

const attacker = openAttacker(registrar)
const secrets: Record<string, string> = {}

before(async () => {
  const owner = await newOwner(registrar)
  const { email, password } = owner
  const login = await registrar.request('POST', '/v1/dashboard/login', {
    body: { email, password },
  })
  assert.equal(login.status, 200, login.text)
  const scope = 'openid account:read contacts:read contacts:write domains:purchase domains:write'
  const { code, tokens, client } = await attacker.connect(owner, {
    changes: { scope: `${scope} domains:read billing:read` },
  })
  const forRest = await attacker.connect(owner, { changes: { resource: base_url } })
  const next = tokensOf(await attacker.refresh(client, tokens.refresh_token))
  const confidential = await registrar.request('POST', '/oauth/register', {
    body: {
      redirect_uris: ['https://client.example/callback'],
      token_endpoint_auth_method: 'client_secret_post',
    },
  })
  Object.assign(secrets, {
    'the password': password,
    'the session': login.body.access_token,
    'the API key': owner.key,
    'the operator key': registrar.operatorKey,
    'the code': code.code,
    'the verifier': code.verifier,
    'the access token': tokens.access_token,
    'the refresh token': tokens.refresh_token,
    'the access token after it': next.access_token,
    'the refresh token after it': next.refresh_token,
    'the access token for REST': forRest.tokens.access_token,
    'the secret of a client': confidential.body.client_secret,
  })
  await work({ owner_key: owner.key, token: next.access_token, rest: forRest.tokens.access_token })
})

type Shown = { owner_key: string; token: string; rest: string }

/** Requests that reach each of the external systems. */
async function work({ owner_key, token, rest }: Shown): Promise<void> {
  const call = async (name: string, args: object) => {
    const { status, body, text } = await attacker.call(token, name, args)
    assert.equal(status, 200, text)
    assert.notEqual(body.result.isError, true, text)
  }
  await call('register_domain', { domain: 'ear-over-mcp.com' })
  await call('register_domain', { domain: 'ear-over-mcp.shop' })
  await call('renew_domain', { domain: 'ear-over-mcp.com', period_years: 1 })
  await call('configure_dns_record', { domain: 'ear-over-mcp.com', record_value: '192.0.2.1' })
  await call('list_domains', {})
  const bought = await registrar.request('POST', '/v1/domains', {
    token: owner_key,
    body: { domain: 'ear-over-rest.net' },
  })
  assert.equal(bought.status, 200, bought.text)
  assert.equal((await registrar.request('GET', '/v1/account', { token: rest })).status, 200)
  for (const wrong of [`${token}x`, `${owner_key}x`]) await attacker.call(wrong, 'get_account')
}

describe('secrets of a caller', () => {
  test('are not sent to registries, the reseller, the mail server or the database', () => {
    const all = sent.join('\n')
    for (const side of ['<domain:create', '/v1beta/domains', 'MAIL FROM:', 'insert into'])
      assert.ok(all.includes(side), `nothing like "${side}" was sent`)
    assert.equal(Object.keys(secrets).length, 12)
    for (const [words, secret] of Object.entries(secrets)) {
      assert.ok(secret.length >= 20, words)
      assert.ok(!all.includes(secret), words)
      assert.ok(!all.includes(encodeURIComponent(secret)), words)
      assert.ok(!all.includes(Buffer.from(secret).toString('base64').replace(/=+$/, '')), words)
    }
  })

  test('are not in the log', () => {
    const all = registrar.logs.join('\n')
    assert.ok(registrar.logs.length > 20)
    for (const [words, secret] of Object.entries(secrets)) assert.ok(!all.includes(secret), words)
  })

  test('are not stored in the database, and the stored hashes are not tokens', async () => {
    const all = await wholeDatabase(registrar)
    assert.ok(all.includes('ear-over-mcp.com'))
    for (const [words, secret] of Object.entries(secrets)) assert.ok(!all.includes(secret), words)
    const hash = await rowsIn(registrar)(`select encode(id_hash, 'hex') as id from oauth_models`)
    assert.ok(hash.length > 5)
    for (const { id } of hash) {
      const text = Buffer.from(String(id), 'hex').toString('base64url')
      assert.equal((await attacker.call(text, 'get_account')).status, 401)
    }
  })

  test('are not in error responses', async () => {
    const { body, text } = await attacker.call(`${secrets['the access token']}x`, 'get_account')
    assert.equal(body.error.data.code, 'invalid_token')
    assert.ok(!text.includes(secrets['the access token'] ?? ''))
  })
})
