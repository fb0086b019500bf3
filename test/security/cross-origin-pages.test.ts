// Web pages of other origins (CORS): those of ALLOWED_ORIGINS call REST and MCP with a bearer
// token, no other does, and no cookie counts there.
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { operations } from '../../src/catalog.ts'
import { type Answer, startService } from '../support/service.ts'
import { cookieBrowser } from '../support/sign-in.ts'

const page = 'https://agent-app.example'
const registrar = await startService({
  worker: false,
  settings: { ALLOWED_ORIGINS: `${page}, http://localhost:5173` },
})
const customer = await registrar.customer()
const credentials = 'access-control-allow-credentials'
const allowed = (answer: Answer) => answer.headers.get('access-control-allow-origin')
const words = (answer: Answer, name: string) => (answer.headers.get(name) ?? '').split(', ')
const preflight = (path: string, method: string, origin = page) =>
  registrar.request('OPTIONS', path, {
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type',
    },
  })
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'page', version: '1' },
  },
}

describe('a preflight', () => {
  const routes = operations.map(({ method, path }) => ({
    method,
    path: path.replaceAll(/\{\w+\}/g, 'x'),
  }))
  it('of an allowed origin is answered for each route, without a token', async () => {
    const wrong: string[] = []
    for (const { method, path } of [...routes, { method: 'POST', path: '/mcp' }]) {
      const answer = await preflight(path, method)
      const isRight =
        answer.status === 204 &&
        allowed(answer) === page &&
        words(answer, 'access-control-allow-methods').includes(method) &&
        answer.headers.get(credentials) === null
      if (path.startsWith('/v1/') || path === '/mcp' ? !isRight : isRight) wrong.push(path)
    }
    assert.deepEqual(wrong, [])
    assert.ok(routes.length > 150, String(routes.length))
  })

  it('names the fields that programs send', async () => {
    const fields = words(await preflight('/v1/domains', 'POST'), 'access-control-allow-headers')
    for (const field of ['Authorization', 'Idempotency-Key', 'MCP-Protocol-Version'])
      assert.ok(fields.includes(field), field)
  })

  it('of a path that is not there is 404, and names no method', async () => {
    const answer = await preflight('/v1/nothing-here', 'GET')
    assert.equal(answer.status, 404)
    assert.equal(answer.headers.get('access-control-allow-methods'), null)
  })
})

describe('an origin that is not allowed', () => {
  const others = [
    ...['https://evil.example', 'null', `${page}.evil.example`, `${page}:8443`, '*'],
    ...['http://agent-app.example', 'https://AGENT-APP.example', `${page}/`],
  ]
  for (const origin of others)
    it(`may read nothing: ${origin}`, async () => {
      const asked = await preflight('/v1/account', 'GET', origin)
      assert.notEqual(asked.status, 204)
      const token = customer.key
      const read = await registrar.request('GET', '/v1/account', { token, headers: { origin } })
      const mcp = await registrar.request('POST', '/mcp', {
        ...{ token, body: initialize },
        headers: { origin, accept: 'application/json, text/event-stream' },
      })
      assert.deepEqual([mcp.status, mcp.body.code], [403, 'foreign_origin'])
      for (const answer of [asked, read, mcp]) {
        assert.equal(allowed(answer), null)
        assert.match(answer.headers.get('vary') ?? '', /Origin/)
      }
    })
})

describe('a page of an allowed origin', () => {
  const headers = { origin: page }
  it('reads answers and refusals, with the fields that say what to do next', async () => {
    const read = await registrar.request('GET', '/v1/account', { token: customer.key, headers })
    const refused = await registrar.request('GET', '/v1/account', { headers })
    assert.deepEqual([read.status, refused.status], [200, 401])
    for (const answer of [read, refused]) {
      assert.deepEqual([allowed(answer), answer.headers.get(credentials)], [page, null])
      for (const field of ['WWW-Authenticate', 'Retry-After', 'X-Request-Id'])
        assert.ok(words(answer, 'access-control-expose-headers').includes(field))
    }
  })

  it('speaks MCP, and reads where to get a token', async () => {
    const more = { ...headers, accept: 'application/json, text/event-stream' }
    const params = { name: 'get_account', arguments: {} }
    const body = { ...initialize, method: 'tools/call', params }
    const refused = await registrar.request('POST', '/mcp', { body, headers: more })
    assert.equal(refused.status, 401)
    assert.equal(allowed(refused), page)
    assert.match(refused.headers.get('www-authenticate') ?? '', /resource_metadata=/)
    const token = customer.key
    const done = await registrar.request('POST', '/mcp', {
      ...{ token, body: initialize, headers: more },
    })
    assert.deepEqual([done.status, allowed(done)], [200, page])
  })

  it('gets nothing by the cookie of a session', async () => {
    const { cookie, status } = await cookieBrowser(registrar)
    assert.equal(await status(), 200)
    for (const more of [{}, { 'x-session': 'cookie' }, { 'sec-fetch-site': 'cross-site' }]) {
      const sent = { ...headers, cookie, ...more }
      const read = await registrar.request('GET', '/v1/account', { headers: sent })
      assert.deepEqual([read.status, read.body.code], [403, 'cross_site_request'])
    }
  })
})

test('without the setting no origin is allowed, and "*" allows each but null', async () => {
  const closed = await startService({ worker: false })
  const open = await startService({ worker: false, settings: { ALLOWED_ORIGINS: '*' } })
  const ask = async ({ request }: typeof closed, origin: string) =>
    allowed(await request('GET', '/v1/account', { headers: { origin } }))
  assert.equal(await ask(closed, page), null)
  assert.equal(await ask(open, 'https://any.example'), 'https://any.example')
  assert.equal(await ask(open, 'null'), null)
})
