// Differences between the revisions of the protocol: batches, versions, header fields, caching,
// subscriptions.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  toolCall as call,
  mcpTestServer,
  modern,
  modernHeaders,
} from '../../../test/support/mcp.ts'
import { echo, listThings } from '../../../test/support/sample-operations.ts'

const { post } = await mcpTestServer([echo, listThings])
const list = { jsonrpc: '2.0', id: 'list', method: 'tools/list' }

it('answers a batch where the revision has batches', async () => {
  const ping = { jsonrpc: '2.0', id: 5, method: 'ping' }
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 6 } }
  const batch = [call('echo', { words: ['a'] }, 6), cancel, ping, call('no_such', {}, 6)]
  for (const version of [undefined, '2025-03-26', '2024-11-05']) {
    const headers = version === undefined ? {} : { 'mcp-protocol-version': version }
    const answer = await post(batch, headers)
    assert.equal(answer.status, 200)
    const answers: { id: number; error?: { code: number } }[] = JSON.parse(answer.text)
    assert.deepEqual(
      answers.map(({ id, error }) => [id, error?.code]),
      [
        [6, undefined],
        [5, undefined],
        [6, -32_602],
      ],
    )
  }
  assert.equal((await post([cancel])).status, 202)
})

it('refuses batches of later revisions, empty and long ones, and initialize in one', async () => {
  const ping = { jsonrpc: '2.0', id: 5, method: 'ping' }
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }
  const refused: [unknown, Record<string, string>][] = [
    [[ping], { 'mcp-protocol-version': '2025-06-18' }],
    [[ping], { 'mcp-protocol-version': '2025-11-25' }],
    [[modern(list)], modernHeaders('tools/list')],
    [[modern(list)], {}],
    [[], {}],
    [Array(11).fill(ping), {}],
    [[initialize], {}],
  ]
  for (const [body, headers] of refused) {
    const answer = await post(body, headers)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.equal(Object(answer.body.error).code, -32_600)
  }
})

it('speaks each of the older revisions, and its newest to a client of none of them', async () => {
  const older = ['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']
  for (const asked of [...older, '1999-01-01']) {
    const params = {
      protocolVersion: asked,
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    }
    const answer = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    const { protocolVersion, serverInfo } = Object(answer.body.result)
    assert.equal(protocolVersion, older.includes(asked) ? asked : '2025-11-25')
    assert.equal(serverInfo.title, 'Agent Registrar')
  }
})

it('compares the header fields of the newer era with the body', async () => {
  const message = modern(call('echo', { words: ['a'] }))
  const right = modernHeaders('tools/call', 'echo')
  assert.equal((await post(message, right)).status, 200)
  for (const wrong of [
    { ...right, 'mcp-method': 'tools/list' },
    { ...right, 'mcp-name': 'list_things' },
    { ...right, 'mcp-protocol-version': '2025-11-25' },
    { 'mcp-protocol-version': '2026-07-28' },
  ]) {
    const answer = await post(message, wrong)
    assert.equal(answer.status, 400, JSON.stringify(wrong))
    assert.equal(Object(answer.body.error).code, -32_020)
  }
})

it('answers -32022 with the revisions that it speaks to one that it does not', async () => {
  const version = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
  const answer = await post(modern(list, version), {
    ...modernHeaders('tools/list'),
    'mcp-protocol-version': '2099-01-01',
  })
  assert.equal(answer.status, 400)
  const { code, data } = Object(answer.body.error)
  assert.deepEqual([code, data.supported], [-32_022, ['2026-07-28']])
})

it('refuses a revision in the header field that it never spoke, in the older era too', async () => {
  const answer = await post(list, { 'mcp-protocol-version': '1999-01-01' })
  assert.equal(answer.status, 400)
  assert.match(answer.text, /[Uu]nsupported protocol version/)
})

it('pings in the older era; the newer one has none', async () => {
  const ping = { jsonrpc: '2.0', id: 5, method: 'ping' }
  assert.deepEqual((await post(ping)).body, { jsonrpc: '2.0', id: 5, result: {} })
  const gone = await post(modern(ping), modernHeaders('ping'))
  assert.equal(Object(gone.body.error).code, -32_601)
})

it('has no logs to set a level for, and nothing to subscribe to', async () => {
  for (const [method, params] of [
    ['logging/setLevel', { level: 'debug' }],
    ['resources/subscribe', { uri: 'registrar://docs/buying.md' }],
  ] as const) {
    const answer = await post({ jsonrpc: '2.0', id: 1, method, params })
    assert.equal(Object(answer.body.error).code, -32_601, method)
  }
})

it('never accepts a session id as authentication', async () => {
  const session = { 'mcp-session-id': '6f1c2d3e-of-somebody' }
  for (const message of [list, modern(list)]) {
    const extra = message === list ? {} : modernHeaders('tools/list')
    assert.equal((await post(message, { ...session, ...extra })).status, 200)
  }
  const protectedCall = modern(call('list_things'))
  const answer = await post(protectedCall, {
    ...session,
    ...modernHeaders('tools/call', 'list_things'),
  })
  assert.equal(answer.status, 401)
})

it('lets caches keep the list of tools, and has no session', async () => {
  const answer = await post(modern(list), modernHeaders('tools/list'))
  const { ttlMs, cacheScope } = Object(answer.body.result)
  assert.deepEqual([ttlMs, cacheScope], [300_000, 'public'])
  const stolen = await post(call('list_things'), { 'mcp-session-id': 'of-somebody' })
  assert.equal(stolen.status, 401)
  assert.equal(stolen.headers.get('mcp-session-id'), null)
})

it('ends a subscription at once: there is nothing that changes', async () => {
  const message = { jsonrpc: '2.0', id: 3, method: 'subscriptions/listen', params: {} }
  const asked = modern({
    ...message,
    params: { notifications: { toolsListChanged: true } },
  })
  const answer = await post(asked, modernHeaders('subscriptions/listen'))
  assert.match(answer.text, /"resultType":"complete"/)
})
