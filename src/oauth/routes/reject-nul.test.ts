// U+0000, which PostgreSQL cannot store, in every parameter of every route: rejected as
// invalid_request, never a failure of the service.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedService } from '../../../test/support/service.ts'
import { authorization, post, redirect_uri, register } from '../flow.fixture.ts'

const registrar = await sharedService({ worker: false })
const client = await register(registrar)
const marker = 'MARKER-of-a-value'
const bad = `${marker}\u0000b`

const authorizing = [
  ...['state', 'nonce', 'login_hint', 'ui_locales', 'claims_locales', 'display', 'acr_values'],
  ...['id_token_hint', 'code_challenge', 'scope', 'resource', 'client_id', 'redirect_uri'],
  ...['response_type', 'response_mode', 'prompt', 'max_age', 'claims', 'request', 'unknown'],
]

test('U+0000 in a parameter of an authorization is an error page, without a redirect', async () => {
  for (const name of authorizing) {
    const { url } = authorization(registrar, client, { [name]: bad })
    const { status, headers, text } = await registrar.request('GET', `${url.pathname}${url.search}`)
    assert.equal(status, 400, name)
    assert.equal(headers.get('location'), null, name)
    assert.match(text, /invalid_request/, name)
  }
  const named = authorization(registrar, client, { 'a\u0000b': 'x' })
  const { status } = await registrar.request('GET', `${named.url.pathname}${named.url.search}`)
  assert.equal(status, 400)
})

test('U+0000 at the consent page and at the resume URL is rejected', async () => {
  for (const path of ['?interaction=a%00b', '?interaction=x&a=%00', '/a%00b', '/%00']) {
    const { status } = await registrar.request('GET', `/oauth/authorize${path}`)
    assert.equal(status, 400, path)
  }
  for (const name of ['interaction', 'csrf', 'email', 'password', 'scope', 'decision']) {
    const { status } = await post(`${registrar.url}/oauth/authorize`, { [name]: bad })
    assert.equal(status, 400, name)
  }
})

test('U+0000 in a form is invalid_request, encoded or not', async () => {
  const { client_id } = client
  const usual = { client_id, code: 'x', redirect_uri, code_verifier: 'y'.repeat(50) }
  const names = ['code', 'refresh_token', 'client_id', 'client_secret', 'redirect_uri']
  for (const path of ['/oauth/token', '/token', '/oauth/revoke', '/oauth/introspect'])
    for (const name of [...names, 'code_verifier', 'resource', 'scope', 'grant_type', 'token']) {
      const fields = { grant_type: 'authorization_code', token: 'x', ...usual, [name]: bad }
      const { status, body } = await post(registrar.url + path, fields)
      assert.deepEqual([status, body.error], [400, 'invalid_request'], `${path} ${name}`)
    }
  const raw = await fetch(`${registrar.url}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `client_id=${client_id}&grant_type=authorization_code&code=a\u0000b`,
  })
  assert.equal(raw.status, 400)
})

test('U+0000 in a client_id of HTTP Basic is an unknown client', async () => {
  for (const pair of ['a\u0000:b', 'a:b\u0000', '%00:%00']) {
    const authorization = `Basic ${Buffer.from(pair).toString('base64')}`
    const response = await fetch(`${registrar.url}/oauth/token`, {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x' }),
    })
    assert.ok([400, 401].includes(response.status), `${pair} ${response.status}`)
  }
})

test('octets that are no UTF-8 are replaced, and fail nowhere', async () => {
  for (const octets of ['%ED%A0%80', '%FF%FE', '%C0%80']) {
    const { url } = authorization(registrar, client)
    const path = `${url.pathname}${url.search}&nonce=${octets}`
    const { status } = await registrar.request('GET', path)
    assert.equal(status, 303, octets)
  }
})

test('neither U+0000 nor half a character can be registered', async () => {
  const redirect_uris = ['https://client.example/callback']
  for (const malformed of ['a\u0000b', 'a\ud800b', '\udc00'])
    for (const name of ['client_name', 'client_uri', 'logo_uri', 'software_id', 'unknown']) {
      const body = { redirect_uris, [name]: `https://x.example/${malformed}` }
      const { status, text } = await registrar.request('POST', '/oauth/register', { body })
      // A field that is not kept may hold anything.
      assert.ok(
        status === 400 || (status === 201 && !text.includes('x.example')),
        `${name} ${text}`,
      )
    }
})

test('none of it is a failure in the log, or is in it', () => {
  assert.deepEqual(
    registrar.logs.filter((line) => line.includes('"level":50') || line.includes(marker)),
    [],
  )
})
