// MCP as raw HTTP: refusals before the protocol is spoken, and header fields that a client may
// omit.
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { it } from 'node:test'
import { untilMinuteIsYoung } from '../../../test/contract/support/minute.ts'
import {
  toolCall as call,
  mcpTestServer,
  modern,
  modernHeaders,
} from '../../../test/support/mcp.ts'
import { dropThing, echo, listThings } from '../../../test/support/sample-operations.ts'

const registrar = await mcpTestServer([echo, listThings, dropThing])
const owner = await registrar.pipeline.customer()
const reader = await registrar.pipeline.key(owner.id, ['domains:read', 'billing:read'])
const { post, send } = registrar

const list = { jsonrpc: '2.0', id: 'list', method: 'tools/list' }
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const metadata = `resource_metadata="${registrar.url}/.well-known/oauth-protected-resource/mcp"`

/** Sends header fields that fetch would not. */
function sendAs(headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${registrar.url}/mcp`, { method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(list))
  })
}

it('challenges a protected call without a token, with all the scopes that tools need', async () => {
  const answer = await post(call('list_things'))
  assert.equal(answer.status, 401)
  assert.equal(
    answer.headers.get('www-authenticate'),
    `Bearer ${metadata}, scope="account:read domains:read domains:purchase"`,
  )
  assert.equal(answer.body.id, 1)
  const { code, message, data } = Object(answer.body.error)
  assert.equal(code, -32_000)
  assert.equal(message, data.detail)
  assert.equal(data.code, 'unauthenticated')
  assert.equal(data.request_id, answer.headers.get('x-request-id'))
})

it('challenges an invalid token, whatever the request', async () => {
  for (const message of [list, call('echo', { words: ['a'] }), call('list_things')]) {
    const answer = await post(message, bearer(`ar_test_${'x'.repeat(40)}`))
    assert.equal(answer.status, 401)
    assert.match(
      answer.headers.get('www-authenticate') ?? '',
      /^Bearer error="invalid_token", resource_metadata="/,
    )
  }
})

it('refuses a token in the query string', async () => {
  const answer = await send('POST', `/mcp?access_token=${owner.key}`, { body: call('list_things') })
  assert.equal(answer.status, 401)
})

it('names a missing scope beside those that the token has, and audits the call', async () => {
  const answer = await post(call('drop_thing', { id: 1 }), bearer(reader))
  assert.equal(answer.status, 403)
  assert.equal(
    answer.headers.get('www-authenticate'),
    `Bearer error="insufficient_scope", ${metadata}, ` +
      'scope="domains:read domains:purchase billing:read"',
  )
  assert.equal(Object(answer.body.error).data.required_scope, 'domains:purchase')
  const rows = await registrar.pipeline.db.query(
    `select action, result, entry_point from audit_logs
     where customer_id = $1 and result = 'denied'`,
    [owner.id],
  )
  assert.deepEqual(rows, [{ action: 'drop_thing', result: 'denied', entry_point: 'mcp' }])
})

it('runs nothing of a batch in which one call is refused', async () => {
  const before = await registrar.pipeline.db.query(
    `select id from audit_logs where result = 'success'`,
  )
  const batch = [call('drop_thing', { id: 1 }, 1), call('list_things', {}, 2)]
  assert.equal((await post(batch)).status, 401)
  assert.equal((await post(batch, bearer(reader))).status, 403)
  const after = await registrar.pipeline.db.query(
    `select id from audit_logs where result = 'success'`,
  )
  assert.equal(after.length, before.length)
})

it('answers JSON to any Accept, and a stream to a client that accepts nothing else', async () => {
  const names = ['application/json', '*/*', 'application/json, text/event-stream', 'text/html']
  for (const era of ['legacy', 'modern'])
    for (const accept of [...names, 'text/event-stream']) {
      const message = era === 'modern' ? modern(list) : list
      const extra = era === 'modern' ? modernHeaders('tools/list') : {}
      const answer = await post(message, { accept, ...extra })
      const stream = accept === 'text/event-stream'
      assert.equal(answer.status, 200, `${era} ${accept}`)
      assert.match(
        answer.headers.get('content-type') ?? '',
        stream ? /^text\/event-stream/ : /^application\/json/,
      )
      assert.match(answer.text, /"name":"echo"/)
      assert.ok(answer.headers.get('x-request-id'))
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    }
})

it('answers a call over a stream', async () => {
  const answer = await post(call('echo', { words: ['a'] }), { accept: 'text/event-stream' })
  const data = /^data: (.*)$/m.exec(answer.text)?.[1]
  assert.deepEqual(JSON.parse(data ?? '').result.structuredContent, { words: ['a'], loud: false })
})

it('has no GET and no DELETE', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const answer = await send(method, '/mcp')
    assert.equal(answer.status, 405, method)
    assert.equal(answer.headers.get('allow'), 'POST')
  }
})

it('answers -32700 to a body that is not JSON, and 415 to another content type', async () => {
  for (const body of ['{', '{"a":1,"a":2}', '"\\ud800"', '[[[[']) {
    const answer = await post(body)
    assert.equal(answer.status, 400, body)
    assert.equal(Object(answer.body.error).code, -32_700)
    assert.equal(answer.body.id, null)
  }
  assert.equal((await send('POST', '/mcp')).status, 400)
  const plain = await post(JSON.stringify(list), { 'content-type': 'text/plain' })
  assert.equal(plain.status, 415)
})

it('answers an error to JSON that is no message', async () => {
  for (const body of ['null', '7', '"text"', '{}', '{"jsonrpc":"1.0","id":1,"method":"ping"}']) {
    const answer = await post(body)
    assert.equal(answer.status, 400, body)
    assert.ok([-32_600, -32_700].includes(Object(answer.body.error).code), body)
  }
})

it('is closed to pages of other origins and under other names', async () => {
  const { port } = new URL(registrar.url)
  const json = { 'content-type': 'application/json' }
  for (const origin of [registrar.url, `http://localhost:${port}`, `http://[::1]:${port}`])
    assert.equal((await post(list, { origin })).status, 200, origin)
  for (const origin of [
    'https://evil.example',
    'null',
    'http://127.0.0.1:1',
    `https://localhost:${port}`,
  ])
    assert.equal((await post(list, { origin })).status, 403, origin)
  assert.equal(await sendAs({ ...json, host: `localhost:${port}` }), 200)
  assert.equal(await sendAs({ ...json, host: 'evil.example' }), 421)
  assert.equal(await sendAs({ ...json, host: `127.0.0.1.evil.example:${port}` }), 421)
})

it('returns the units left, and 429 with Retry-After when none are', async () => {
  const small = await mcpTestServer([echo], {
    ANONYMOUS_REQUESTS_PER_MINUTE: '10',
    ANONYMOUS_NAMES_PER_MINUTE: '200',
  })
  await untilMinuteIsYoung(6_000)
  const few = await small.post(list)
  assert.match(few.headers.get('ratelimit') ?? '', /"requests";r=9/)
  const words = Array(150).fill('a')
  assert.equal((await small.post(call('echo', { words }))).status, 200)
  const costly = await small.post(call('echo', { words }))
  assert.equal(costly.status, 429)
  assert.equal(Object(costly.body.error).data.code, 'rate_limited')
  const statuses = []
  for (let i = 0; i < 10; i += 1) statuses.push(await small.post([list, list]))
  const limited = statuses.find(({ status }) => status === 429)
  assert.ok(Number(limited?.headers.get('retry-after')) >= 1)
  assert.ok(limited?.headers.get('ratelimit-policy'))
})

it('answers 503 while it stops', async () => {
  const stopping = await mcpTestServer([echo])
  stopping.drain()
  const answer = await stopping.post(list)
  assert.equal(answer.status, 503)
  assert.equal(answer.body.code, 'draining')
})

it('accepts the largest call of its operation, and no larger one', async () => {
  const words = Array(200).fill('a'.repeat(320))
  assert.equal((await post(call('echo', { words }))).status, 200)
  assert.equal((await post('x'.repeat(200_000))).status, 413)
})

it('counts a batch that is too long as one request, whatever is in it', async () => {
  const registrar = await mcpTestServer([], { ADDRESS_REQUESTS_PER_MINUTE: '60' })
  for (let i = 0; i < 3; i += 1) {
    const answer = await registrar.post(Array(20_000).fill(1))
    assert.deepEqual([answer.status, Object(answer.body.error).code], [400, -32_600])
  }
  assert.equal((await registrar.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status, 200)
})

it('names the parameter of a wrong shape, for every method', async () => {
  const registrar = await mcpTestServer([])
  const wrong: [string, object, string][] = [
    ['tools/call', { name: { toString: 1 } }, 'name'],
    ['prompts/get', { name: 1 }, 'name'],
    ['resources/read', { uri: [] }, 'uri'],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'x' }, argument: 1 }, 'argument'],
    ['tools/list', { cursor: 1 }, 'cursor'],
    ['initialize', { protocolVersion: 1 }, 'protocolVersion'],
  ]
  for (const [method, params, field] of wrong)
    for (const [message, headers] of [
      [{ jsonrpc: '2.0', id: 1, method, params }, {}],
      [modern({ method, params }), modernHeaders(method)],
    ] as const) {
      if (method === 'initialize' && 'mcp-method' in headers) continue
      const answer = await registrar.post({ jsonrpc: '2.0', id: 1, ...message }, headers)
      const { code, message: words } = Object(answer.body.error)
      assert.ok(answer.status < 500, answer.text)
      if (code === -32_602) assert.match(words, new RegExp(field))
      else assert.equal(code, -32_020, `${method} ${answer.text}`)
    }
})
