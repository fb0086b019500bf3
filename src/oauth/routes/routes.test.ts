// The routes of the authorization server as routes of ours: header fields, rate limits, log lines,
// and error responses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, sharedService, startService } from '../../../test/support/service.ts'
import {
  authorization,
  type Client,
  connect,
  decide,
  ownerOf,
  person,
  post,
  redirect_uri,
  register,
} from '../flow.fixture.ts'

const registrar = await sharedService()
const query = ownerOf(registrar)
const client = await register(registrar)

async function open(change: Record<string, string | null>, by: Client = client) {
  const { url } = authorization(registrar, by, change)
  return registrar.request('GET', `${url.pathname}${url.search}`)
}

test('a wrong client or redirect URI gets an error page without a redirect', async () => {
  const wrong = [
    { client_id: '<script>alert(1)</script>' },
    { client_id: null },
    { redirect_uri: `${redirect_uri}/` },
    { redirect_uri: redirect_uri.replace('client.', 'CLIENT.') },
    { redirect_uri: `${redirect_uri}?x=1` },
    { redirect_uri: redirect_uri.replace('callback', '%63allback') },
    { redirect_uri: redirect_uri.replace('https://', 'https://user@') },
    { redirect_uri: redirect_uri.replace('client.', 'evil.client.') },
    { redirect_uri: redirect_uri.replace('.example', '.example:8443') },
    { redirect_uri: 'javascript:alert(1)' },
    { redirect_uri: redirect_uri.replace('https', 'http'), response_type: 'token' },
  ]
  for (const change of wrong) {
    const { status, headers, text } = await open(change)
    const about = JSON.stringify(change)
    assert.equal(status, 400, about)
    assert.equal(headers.get('location'), null, about)
    assert.match(headers.get('content-type') ?? '', /^text\/html/)
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.ok(!text.includes('<script'), text)
  }
})

test('the error page of a purged client says to connect it again', async () => {
  const { text } = await open({ client_id: 'client_01kc8v3w6qf9t2x5y7z8a4b3c2' })
  assert.match(text, /remove the connection there, create it again/)
})

test('implicit, password, plain PKCE and missing PKCE are rejected', async () => {
  const token = await open({ response_type: 'token' })
  assert.match(token.headers.get('location') ?? '', /error=unsupported_response_type/)
  const without = await open({ code_challenge: null, code_challenge_method: null })
  assert.match(without.headers.get('location') ?? '', /error=invalid_request/)
  const password = { grant_type: 'password', username: 'x', password: 'y' }
  const { client_id } = client
  const answer = await post(`${registrar.url}/oauth/token`, { ...password, client_id })
  assert.deepEqual([answer.status, answer.body.error], [400, 'unsupported_grant_type'])
})

test('redirects a request for unknown scopes to the client with invalid_scope, without a page', async () => {
  for (const scope of ['everything:all', 'offline_access', 'Domains:read x']) {
    const { status, headers } = await open({ scope })
    const location = new URL(headers.get('location') ?? '')
    assert.equal(status, 303, scope)
    assert.equal(`${location.origin}${location.pathname}`, redirect_uri, scope)
    assert.equal(location.searchParams.get('error'), 'invalid_scope', scope)
    assert.match(location.searchParams.get('error_description') ?? '', /scopes_supported/)
  }
  const { headers } = await open({ scope: 'everything:all domains:read' })
  assert.match(headers.get('location') ?? '', /interaction=/)
})

test('a request without scope asks for what tools need; the owner may give less', async () => {
  const owner = await person(registrar, query)
  const { tokens } = await connect(registrar, owner)
  const given = tokens.scope.split(' ')
  assert.ok(given.includes('domains:purchase') && !given.includes('openid'))
  const asked = authorization(registrar, client, { scope: 'domains:read domains:purchase' })
  await decide(owner, asked, { scopes: ['domains:read'] })
  const [row] = await query(
    'select scopes from oauth_grants where customer_id = $1 order by created_at desc limit 1',
    [owner.id],
  )
  assert.deepEqual(row?.scopes, ['domains:read'])
})

test('the return from the page requires the browser that opened it', async () => {
  const { status, text } = await registrar.request('GET', `/oauth/authorize/${'x'.repeat(43)}`)
  assert.equal(status, 400)
  assert.match(text, /page has expired/)
})

test('the token endpoint takes forms of 16 kB, at both its paths, from any page', async () => {
  for (const path of ['/oauth/token', '/token']) {
    const origin = { origin: 'https://inspector.example' }
    const json = await registrar.request('POST', path, { body: {}, headers: origin })
    assert.deepEqual([json.status, json.body.error], [400, 'invalid_request'])
    assert.equal(json.headers.get('access-control-allow-origin'), '*')
    assert.equal(json.headers.get('x-content-type-options'), 'nosniff')
    const large = await post(`${registrar.url}${path}`, { code: 'x'.repeat(16_384) })
    assert.deepEqual([large.status, large.body.error], [413, 'invalid_request'])
    assert.equal(large.headers.get('access-control-allow-origin'), '*')
    const asked = await registrar.request('OPTIONS', path, { headers: origin })
    assert.equal(asked.status, 204)
    assert.match(asked.headers.get('access-control-allow-headers') ?? '', /Authorization/)
    assert.equal(asked.headers.get('access-control-allow-credentials'), null)
  }
})

test('pages of other origins may read the error for an unreadable body', async () => {
  for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect', '/oauth/userinfo']) {
    const headers = { 'content-type': ';;' }
    const odd = await fetch(`${registrar.url}${path}`, { method: 'POST', headers, body: 'a=b' })
    assert.equal(odd.status, 415)
    assert.equal(Object(await odd.json()).error, 'invalid_request')
    assert.equal(odd.headers.get('access-control-allow-origin'), '*')
    assert.equal(odd.headers.get('cache-control'), 'no-store')
  }
})

test('each answer has its line in the log, with its error and without its secrets', async () => {
  const marker = 'secret-of-this-test'
  const { client_id } = client
  const fields = { grant_type: 'refresh_token', refresh_token: marker, client_id }
  const { headers } = await post(`${registrar.url}/oauth/token`, fields)
  const line = registrar.logs.find((one) => one.includes(headers.get('x-request-id') ?? 'none'))
  const { route, status, error_code, ms } = JSON.parse(line ?? '{}')
  assert.deepEqual([route, status, error_code], ['/oauth/token', 400, 'invalid_grant'])
  assert.ok(ms > 0)
  await registrar.request('GET', `/oauth/authorize?client_id=${marker}`)
  assert.ok(!registrar.logs.join('').includes(marker))
})

test('registered with a secret, a client shows it; one without may not', async () => {
  const body = {
    redirect_uris: [redirect_uri],
    token_endpoint_auth_method: 'client_secret_post',
  }
  const { body: made } = await registrar.request('POST', '/register', { body })
  const { client_id } = made
  const ask = (more: object) =>
    post(`${registrar.url}/oauth/introspect`, { token: 'x'.repeat(43), client_id, ...more })
  assert.deepEqual((await ask({ client_secret: made.client_secret })).body, { active: false })
  assert.equal((await ask({ client_secret: 'another' })).status, 401)
  assert.equal((await ask({})).body.error, 'invalid_client')
})

test('a rate-limited request gets 429 with Retry-After', async () => {
  const small = await startService({
    settings: { ADDRESS_REQUESTS_PER_MINUTE: '5', ANONYMOUS_REQUESTS_PER_MINUTE: '2' },
    worker: false,
  })
  const token = () => post(`${small.url}/oauth/token`, {})
  const until429 = async (ask: () => Promise<Answer>) => {
    for (let tries = 0; tries < 20; tries += 1) {
      const answer = await ask()
      if (answer.status === 429) return answer
    }
    throw new Error('There is no limit')
  }
  for (const ask of [
    () => small.request('GET', '/oauth/authorize'),
    token,
    () => small.request('GET', '/oauth/jwks'),
  ]) {
    const { headers, body } = await until429(ask)
    // At an endpoint that programs read, in OAuth's form.
    if (ask === token) assert.equal(body.error, 'too_many_requests')
    assert.ok(Number(headers.get('retry-after')) >= 1)
    assert.match(headers.get('ratelimit') ?? '', /r=0/)
  }
})

test('while the database is down, clients get a temporary error', async () => {
  const own = await startService({ worker: false })
  const { db } = own.service.app
  await own.request('GET', '/oauth/jwks')
  await db.close()
  const fields = { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'client' }
  const { status, body } = await post(`${own.url}/oauth/token`, fields)
  assert.deepEqual([status, body.error], [503, 'temporarily_unavailable'])
  const headers = { authorization: `Bearer ${'x'.repeat(43)}` }
  const userinfo = await own.request('GET', '/oauth/userinfo', { headers })
  assert.deepEqual([userinfo.status, userinfo.body.error], [503, 'temporarily_unavailable'])
  assert.equal(userinfo.headers.get('retry-after'), '1')
})

test('an outage of the metadata is not cacheable', async () => {
  const own = await startService({ worker: false })
  await own.service.app.db.close()
  for (const path of ['/.well-known/oauth-authorization-server', '/oauth/jwks']) {
    const { status, headers } = await own.request('GET', path)
    assert.deepEqual([status, headers.get('cache-control')], [503, 'no-store'])
  }
})
