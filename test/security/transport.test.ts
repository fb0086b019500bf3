// The MCP endpoint without authentication: anonymous callers see only public data, at a bounded
// rate; no state between two messages leaks from one caller to another.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { untilMinuteIsYoung } from '../contract/support/minute.ts'
import { modern, modernHeaders } from '../support/mcp.ts'
import { sharedService, startService } from '../support/service.ts'
import { openAttacker } from './client.ts'

const registrar = await sharedService()
const { post, send, call } = bound(openAttacker(registrar))
const [a, b] = [await registrar.customer(), await registrar.customer()]

function bound(attacker: ReturnType<typeof openAttacker>) {
  return { ...attacker, call: attacker.call.bind(attacker) }
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'anonymous', version: '1' },
  },
}
const lists = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']
const list = (method: string) => ({ jsonrpc: '2.0', id: 1, method })

describe('without a token', () => {
  test('a client can initialize and list, and sees no customer data', async () => {
    for (const message of [initialize, ...lists.map(list)]) {
      const anonymous = await post(null, message)
      assert.equal(anonymous.status, 200, message.method)
      for (const { key } of [a, b]) {
        const owner = await post(key, message)
        assert.deepEqual(owner.body, anonymous.body, message.method)
      }
      for (const { id, email, key } of [a, b])
        for (const own of [id, email, key.slice(0, 16)])
          assert.ok(!anonymous.text.includes(own), message.method)
    }
  })

  test('a client of the 2026-07-28 revision can initialize and list, too', async () => {
    for (const method of ['server/discover', 'tools/list']) {
      const message = { jsonrpc: '2.0', id: 1, ...modern({ method }) }
      const anonymous = await post(null, message, modernHeaders(method))
      assert.equal(anonymous.status, 200, anonymous.text)
      const owner = await post(a.key, message, modernHeaders(method))
      assert.deepEqual(owner.body.result, anonymous.body.result)
    }
  })

  test('every tool of an account is rejected, also in a batch and under odd names', async () => {
    for (const name of ['get_account', 'list_domains', 'get_balance', 'register_domain'])
      assert.equal((await call(null, name)).status, 401, name)
    const one = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'get_account' } }
    const batch = [list('tools/list'), { ...one, id: 2 }]
    const headers = { 'mcp-protocol-version': '2025-03-26' }
    assert.equal((await post(null, batch, headers)).status, 401)
    for (const name of [
      'GET_ACCOUNT',
      'get_account ',
      'get_account\u0000',
      '__proto__',
      'constructor',
    ]) {
      const { status, body } = await call(null, name)
      assert.ok(status === 200 || status === 400, `${name} ${status}`)
      assert.ok([-32_602, -32_700].includes(body.error?.code), name)
    }
  })

  test('a call in a notification, a response or a doubled field is not run', async () => {
    const params = { name: 'get_account', arguments: {} }
    const notified = await post(null, { jsonrpc: '2.0', method: 'tools/call', params })
    assert.ok([202, 400, 401].includes(notified.status), `${notified.status}`)
    const doubled = await send('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body:
        '{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call",' +
        '"params":{"name":"get_account"}}',
    })
    assert.ok([400, 401].includes(doubled.status), doubled.text)
    for (const { text } of [notified, doubled]) assert.ok(!text.includes('"email"'))
  })
})

describe('beside the message', () => {
  test('a header field that names another message gives no access', async () => {
    const message = (method: string, params: object) => {
      return { jsonrpc: '2.0', id: 1, ...modern({ method, params }) }
    }
    const call_account = message('tools/call', { name: 'get_account', arguments: {} })
    const { 'mcp-method': _method, ...noMethod } = modernHeaders('tools/call', 'get_account')
    for (const headers of [
      modernHeaders('tools/list'),
      modernHeaders('tools/call', 'check_domain_availability'),
      modernHeaders('tools/call'),
      noMethod,
    ]) {
      const anonymous = await post(null, call_account, headers)
      assert.equal(anonymous.status, 401, JSON.stringify(headers))
      const owner = await post(a.key, call_account, headers)
      assert.deepEqual([owner.status, owner.body.error?.code], [400, -32_020])
    }
    const named = [
      message('prompts/get', { name: 'find_and_buy_name', arguments: {} }),
      message('resources/read', { uri: 'registrar://state-model' }),
    ]
    for (const one of named) {
      const wrong = await post(null, one, modernHeaders(one.method, 'another'))
      assert.deepEqual([wrong.status, wrong.body.error?.code], [400, -32_020], one.method)
    }
  })
})

describe('between two messages', () => {
  test('no session exists: an id is neither issued nor accepted', async () => {
    const begun = await post(a.key, initialize)
    assert.equal(begun.headers.get('mcp-session-id'), null)
    for (const headers of [
      { 'mcp-session-id': a.id },
      { 'mcp-session-id': '1868a90c' },
      { 'mcp-session-id': a.key },
    ]) {
      const params = { name: 'get_account', arguments: {} }
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
      assert.equal((await post(null, message, headers)).status, 401)
      const own = await post(b.key, message, headers)
      assert.equal(own.body.result.structuredContent.id, b.id)
      assert.equal(own.headers.get('mcp-session-id'), null)
    }
  })

  test('concurrent callers get their own data', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const one = i % 2 === 0 ? a : b
        const { body } = await call(one.key, 'get_account')
        return [one.id, body.result.structuredContent.id]
      }),
    )
    for (const [wanted, got] of answers) assert.equal(got, wanted)
  })
})

describe('anonymous callers', () => {
  test('are rate-limited by message, at MCP and at the authorization server', async () => {
    const small = await startService({
      settings: { ANONYMOUS_REQUESTS_PER_MINUTE: '20', ADDRESS_REQUESTS_PER_MINUTE: '60' },
      worker: false,
    })
    const attacker = openAttacker(small)
    const seen = []
    const ways: [object, Record<string, string>][] = [
      [list('tools/list'), {}],
      [initialize, {}],
      [list('ping'), {}],
      [{ jsonrpc: '2.0', id: 1, ...modern({ method: 'tools/list' }) }, modernHeaders('tools/list')],
      [{ jsonrpc: '2.0', method: 'notifications/initialized' }, {}],
    ]
    await untilMinuteIsYoung(6_000)
    for (let i = 0; i < 25; i += 1) {
      const forged = { 'x-forwarded-for': `198.51.100.${i}`, forwarded: `for=198.51.100.${i}` }
      const [message, headers] = ways[i % ways.length] ?? [initialize, {}]
      const { status } = await attacker.post(null, message, { ...headers, ...forged })
      seen.push(status === 202 ? 200 : status)
    }
    assert.deepEqual(seen.slice(0, 20), Array(20).fill(200))
    assert.deepEqual(seen.slice(20), Array(5).fill(429))
    const limited = await attacker.post(null, list('tools/list'))
    assert.match(limited.headers.get('retry-after') ?? '', /^\d+$/)
  })
})
