// Graceful shutdown: requests in progress are completed, new ones on open connections get an error
// in the form of their endpoint, and a request that never ends cannot delay the shutdown forever.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import pg from 'pg'
import { until } from '../contract/support/fixture.ts'
import { documents } from '../contract/support/published.ts'
import { untilBlocked } from '../support/database.ts'
import { newOwner } from '../support/owner.ts'
import { rowsIn } from '../support/owner-sql.ts'
import { startService, type TestService } from '../support/service.ts'
import { openAttacker } from './client.ts'

type Asked = { method: string; path: string; body?: string; type?: string }

/** An incomplete request, so that the shutdown finds its connection busy. */
async function begin({ service }: TestService, { method, path }: Asked): Promise<Socket> {
  const socket = connect(service.settings.port, '127.0.0.1')
  const connected = once(service.server.server, 'connection')
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n`)
  await connected
  return socket
}

/** Sends the rest; returns status, header fields and body of the connection's one response. */
async function finish(socket: Socket, { body = '', type }: Asked) {
  const fields = type === undefined ? '' : `Content-Type: ${type}\r\n`
  socket.write(`${fields}Content-Length: ${body.length}\r\n\r\n${body}`)
  const answer = await text(socket)
  const [head = '', words = ''] = answer.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head, words }
}

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
const form = 'application/x-www-form-urlencoded'
const entryPoints: Asked[] = [
  { method: 'POST', path: '/mcp', body: list, type: 'application/json' },
  { method: 'POST', path: '/oauth/token', body: 'grant_type=refresh_token', type: form },
  { method: 'POST', path: '/token', body: 'grant_type=refresh_token', type: form },
  { method: 'POST', path: '/oauth/revoke', body: 'token=x', type: form },
  { method: 'POST', path: '/oauth/introspect', body: 'token=x', type: form },
  { method: 'POST', path: '/oauth/register', body: '{}', type: 'application/json' },
  { method: 'POST', path: '/register', body: '{}', type: 'application/json' },
  { method: 'GET', path: '/oauth/authorize' },
  { method: 'POST', path: '/oauth/authorize', body: 'decision=allow', type: form },
  { method: 'GET', path: '/oauth/authorize/uid' },
  { method: 'GET', path: '/oauth/userinfo' },
  { method: 'GET', path: '/oauth/jwks' },
  { method: 'GET', path: '/v1/health' },
  { method: 'GET', path: '/ready' },
  { method: 'GET', path: '/docs' },
  ...Object.keys(documents).map((path) => ({ method: 'GET', path })),
]

/** Endpoints with OAuth errors (RFC 6749 section 5.2). */
const isOfOAuth = ({ path }: Asked) =>
  /^\/(oauth\/)?(token|revoke|introspect|register|userinfo)$/.test(path)

test('completes requests in progress; rejects new ones in the form of each endpoint', async (t) => {
  const registrar = await startService()
  const attacker = openAttacker(registrar)
  const call = attacker.call.bind(attacker)
  const owner = await newOwner(registrar)
  const { client, tokens } = await attacker.connect(owner)
  const { access_token, refresh_token } = tokens
  const domain = 'bought-while-it-stops.com'
  const fault = { name: 'slow', command: 'domain:create', domain, delay_ms: 1_500 } as const
  registrar.sandbox.setFault({ ...fault, registry: 'thin' })
  const creates = () => registrar.sandbox.counters().thin.commands['domain:create']?.received ?? 0
  const before = creates()
  const buying = call(owner.key, 'register_domain', { domain })
  await until(async () => creates() > before)
  const held = await heldModels(registrar)
  // Also where the test fails: the stop would wait for them.
  t.after(held.release)
  const refreshing = attacker.refresh(client, refresh_token)
  await held.waitedFor()
  const begun = []
  for (const entryPoint of entryPoints)
    begun.push({ entryPoint, socket: await begin(registrar, entryPoint) })

  const stopping = registrar.service.stop()
  for (const { entryPoint, socket } of begun) {
    const { status, head, words } = await finish(socket, entryPoint)
    assert.equal(status, 503, `${entryPoint.method} ${entryPoint.path}: ${status} ${words}`)
    assert.match(head, /\r\nConnection: close(\r\n|$)/i, entryPoint.path)
    assert.match(head, /\r\nRetry-After: 1(\r\n|$)/i, entryPoint.path)
    assert.match(words, /stopping/, entryPoint.path)
    if (isOfOAuth(entryPoint))
      assert.match(words, /"error":"temporarily_unavailable"/, entryPoint.path)
  }
  await held.release()
  const refreshed = await refreshing
  assert.equal(refreshed.status, 200, refreshed.text)
  const bought = await buying
  assert.equal(bought.status, 200, bought.text)
  assert.notEqual(bought.body.result.isError, true, bought.text)
  const answered = performance.now()
  await stopping
  assert.ok(performance.now() - answered < 5_000, 'nor do open connections hold the stop')
  await assert.rejects(call(access_token, 'get_account'), 'the node accepts no more connections')
})

/** The rows of the authorization server, locked by another transaction. */
async function heldModels(registrar: TestService) {
  const rows = rowsIn(registrar)
  const holder = new pg.Client({ connectionString: registrar.service.settings.database_url ?? '' })
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table oauth_models in access exclusive mode')
  return {
    waitedFor: () => untilBlocked(rows),
    release: () => holder.end(),
  }
}

test('a request that never ends delays the shutdown no longer than the setting allows', async () => {
  const settings = { DRAIN_MS: '300', DRAIN_DELAY_MS: '300' }
  const registrar = await startService({ worker: false, settings })
  assert.equal((await registrar.request('GET', '/ready')).status, 200)
  const socket = await begin(registrar, { method: 'POST', path: '/mcp' })
  socket.on('error', () => undefined)
  const arrived = once(registrar.service.server.server, 'request')
  socket.write('Content-Length: 100\r\n\r\n{')
  await arrived
  const began = performance.now()
  const stopping = registrar.service.stop()
  const paths = ['/ready', '/v1/health', '/v1/state-model']
  const answers = await Promise.all(paths.map((path) => registrar.request('GET', path)))
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.get('connection')]),
    [503, 503, 200].map((status) => [status, 'close']),
    'balancers notice first; other requests are still answered',
  )
  await stopping
  assert.ok(performance.now() - began < 5_000)
  assert.ok(socket.closed || (await once(socket, 'close')))
})
