// Dynamic client registration over HTTP: responses, errors, and that it creates nothing but a
// client.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedService, startService } from '../../../test/support/service.ts'
import { ownerOf } from '../flow.fixture.ts'
import { registrationPaths } from './registration.ts'

const registrar = await sharedService({ worker: false })
const query = ownerOf(registrar)
const url = `${registrar.url}/oauth/register`
const least = { redirect_uris: ['https://client.example/cb'] }

async function register(fields: object, at = url) {
  const response = await fetch(at, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  })
  const text = await response.text()
  const { status, headers } = response
  return { status, headers, text, body: JSON.parse(text) }
}

test('responds 201 with the registered metadata, at both paths', async () => {
  for (const path of registrationPaths) {
    const fields = {
      client_name: 'Agent\u202e <b>&',
      redirect_uris: ['http://127.0.0.1:3000/cb'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      response_types: ['code'],
      scope: 'openid domains:read',
      client_uri: 'https://client.example/',
      logo_uri: 'http://client.example/logo.png',
      contacts: ['a@client.example'],
    }
    const { status, headers, body } = await register(fields, `${registrar.url}${path}`)
    assert.equal(status, 201)
    assert.match(headers.get('content-type') ?? '', /^application\/json/)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('access-control-allow-origin'), '*')
    const { client_id, client_id_issued_at, ...rest } = body
    assert.match(client_id, /^client_[0-9a-z]{26}$/)
    assert.ok(Math.abs(client_id_issued_at - Date.now() / 1000) < 60)
    assert.deepEqual(rest, {
      client_name: 'Agent <b>&',
      redirect_uris: ['http://127.0.0.1:3000/cb'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      client_uri: 'https://client.example/',
    })
  }
})

test('two registrations of the same metadata are two clients', async () => {
  const [one, other] = [await register(least), await register(least)]
  assert.notEqual(one.body.client_id, other.body.client_id)
})

type Raw = { type?: string; encoding?: string; body: string | Buffer<ArrayBuffer> }

/** Status and error code of a refusal, after its form was checked. */
async function refusal({ type = 'application/json', encoding, body }: Raw): Promise<string> {
  const headers = new Headers(type === '' ? {} : { 'content-type': type })
  if (encoding !== undefined) headers.set('content-encoding', encoding)
  const bytes = Buffer.from(body)
  const response = await fetch(url, { method: 'POST', headers, body: bytes })
  const answer: Record<string, string> = Object(await response.json())
  assert.deepEqual(Object.keys(answer), ['error', 'error_description'])
  assert.match(answer.error_description ?? '', /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(response.headers.get('access-control-allow-origin'), '*')
  assert.equal(response.headers.get('cache-control'), 'no-store')
  return `${response.status} ${answer.error}`
}

test('each error has the form of OAuth, and registers nothing', async () => {
  const [before] = await query("select count(*) from oauth_models where model = 'Client'")
  const text = JSON.stringify(least)
  const padded = (bytes: number) => `${text}${' '.repeat(bytes - text.length)}`
  const cases: [Raw, string][] = [
    [{ type: '', body: Buffer.from(text) }, '415 invalid_request'],
    [{ type: 'text/plain', body: text }, '415 invalid_request'],
    [{ type: 'application/x-www-form-urlencoded', body: 'a=b' }, '415 invalid_request'],
    [{ type: 'multipart/form-data; boundary=x', body: '--x--' }, '415 invalid_request'],
    [{ type: ';;', body: text }, '415 invalid_request'],
    [{ encoding: 'gzip', body: text }, '415 invalid_request'],
    [{ body: padded(16_385) }, '413 invalid_request'],
    [{ body: '' }, '400 invalid_client_metadata'],
    [{ body: '{' }, '400 invalid_client_metadata'],
    [{ body: '[]' }, '400 invalid_client_metadata'],
    [{ body: 'null' }, '400 invalid_client_metadata'],
    [{ body: '{"redirect_uris":[],"redirect_uris":[]}' }, '400 invalid_client_metadata'],
    [{ body: '{"__proto__":{"redirect_uris":[]}}' }, '400 invalid_client_metadata'],
    [{ body: Buffer.from([0x22, 0xff, 0x22]) }, '400 invalid_client_metadata'],
    [{ body: `${'['.repeat(8_000)}${']'.repeat(8_000)}` }, '400 invalid_client_metadata'],
    [{ body: '{}' }, '400 invalid_redirect_uri'],
    [{ body: '{"redirect_uris":["javascript:alert(1)"]}' }, '400 invalid_redirect_uri'],
    [{ body: '{"redirect_uris":["data:text/html,x"]}' }, '400 invalid_redirect_uri'],
    [{ body: '{"redirect_uris":["file:///etc/passwd"]}' }, '400 invalid_redirect_uri'],
    [{ body: '{"redirect_uris":["http://client.example/"]}' }, '400 invalid_redirect_uri'],
    [{ body: '{"redirect_uris":["https://a.example/#x"]}' }, '400 invalid_redirect_uri'],
    [{ body: `{"redirect_uris":["https://a.example/\\"<"]}` }, '400 invalid_redirect_uri'],
    [
      { body: '{"redirect_uris":["https://a.example/"],"grant_types":["password"]}' },
      '400 invalid_client_metadata',
    ],
    [
      { body: JSON.stringify({ ...least, token_endpoint_auth_method: 'private_key_jwt' }) },
      '400 invalid_client_metadata',
    ],
  ]
  for (const [raw, expected] of cases)
    assert.equal(await refusal(raw), expected, String(raw.body).slice(0, 100))
  const [after] = await query("select count(*) from oauth_models where model = 'Client'")
  assert.deepEqual(after, before)
  const fits = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: padded(16_384),
  })
  assert.equal(fits.status, 201)
})

test('CORS preflight allows any origin, without credentials', async () => {
  for (const path of registrationPaths) {
    const response = await fetch(`${registrar.url}${path}`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://inspector.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,mcp-protocol-version',
      },
    })
    assert.equal(response.status, 204)
    assert.equal(await response.text(), '')
    const { headers } = response
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('access-control-allow-credentials'), null)
    assert.match(headers.get('access-control-allow-methods') ?? '', /POST/)
    assert.match(headers.get('access-control-allow-headers') ?? '', /Content-Type/)
    assert.match(headers.get('access-control-allow-headers') ?? '', /MCP-Protocol-Version/)
    assert.equal(headers.get('access-control-max-age'), '7200')
  }
})

test('other methods get 405 with Allow', async () => {
  for (const path of registrationPaths)
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH']) {
      const response = await fetch(`${registrar.url}${path}`, { method })
      assert.equal(response.status, 405)
      assert.match(response.headers.get('allow') ?? '', /POST/)
    }
})

async function rows(): Promise<Record<string, unknown>> {
  const tables = await query(
    "select tablename from pg_tables where schemaname = 'public' order by tablename",
  )
  const counts: Record<string, unknown> = {}
  for (const { tablename } of tables) {
    const [row] = await query(`select count(*) from "${tablename}"`)
    counts[String(tablename)] = Number(row?.count)
  }
  return counts
}

test('creates one client and nothing else: no account, consent, token, scope or right to buy', async () => {
  await registrar.customer()
  const before = await rows()
  const { body: client } = await register({
    ...least,
    scope: 'account:write domains:purchase billing:write',
    customer_id: 'cus_1',
    client_id: 'mine',
    client_secret: 'mine',
    grants: ['domains:purchase'],
  })
  const after = await rows()
  const { oauth_models, rate_limits: _counted, ...others } = after
  const { oauth_models: models, rate_limits: _before, ...same } = before
  assert.deepEqual(others, same)
  assert.equal(oauth_models, Number(models) + 1)
  assert.ok(!('scope' in client) && !('client_secret' in client) && client.client_id !== 'mine')
  assert.ok(!('registration_access_token' in client))
  for (const token of [undefined, client.client_id]) {
    const response = await fetch(`${registrar.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'list_domains', arguments: {} },
      }),
    })
    assert.equal(response.status, 401)
  }
  const credentials = await fetch(`${registrar.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client.client_id,
      scope: 'domains:purchase',
    }),
  })
  assert.equal(credentials.status, 400)
})

test('limits the registrations of one address per minute, with Retry-After', async () => {
  const limited = await startService({
    worker: false,
    settings: { CLIENT_REGISTRATIONS_PER_HOUR: '10' },
  })
  const at = `${limited.url}/oauth/register`
  const statuses: number[] = []
  let last = await register(least, at)
  // A new minute may begin in the midst of it.
  for (let i = 0; i < 12 && last.status === 201; i += 1) {
    statuses.push(last.status)
    last = await register(least, at)
  }
  assert.ok(statuses.length >= 5 && statuses.length <= 10)
  assert.equal(last.status, 429)
  assert.equal(last.body.error, 'too_many_requests')
  assert.ok(Number(last.headers.get('retry-after')) >= 1)
  assert.equal(last.headers.get('access-control-allow-origin'), '*')
  const forged = await fetch(at, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.7' },
    body: JSON.stringify(least),
  })
  assert.equal(forged.status, 429)
})

test('limits the registrations of one address per hour', async () => {
  const limited = await startService({
    worker: false,
    settings: { CLIENT_REGISTRATIONS_PER_HOUR: '60' },
  })
  const at = `${limited.url}/oauth/register`
  const query = ownerOf(limited)
  const registerOnceUsedUp = async () => {
    assert.equal((await register(least, at)).status, 201)
    // The rest of the hour's was used at another node.
    const used = await query(
      "update rate_limits set used = 60 where key like 'client-registrations:%' returning key",
    )
    assert.equal(used.length, 1)
    return register(least, at)
  }
  const first = await registerOnceUsedUp()
  // A new hour may begin in the midst of it.
  const { status, body, headers } = first.status === 201 ? await registerOnceUsedUp() : first
  assert.equal(status, 429)
  assert.equal(body.error, 'too_many_requests')
  assert.match(body.error_description, /60 client-registrations in 3600 seconds/)
  assert.ok(Number(headers.get('retry-after')) >= 1)
})
