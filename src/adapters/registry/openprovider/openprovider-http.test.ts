// The HTTP exchange of the Openprovider adapter with servers that misbehave, and its concurrency
// limit.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { createServer as createTcp } from 'node:net'
import { after, test } from 'node:test'
import { type Exchange, exchange, NoAnswer } from './openprovider-http.ts'
import { readAnswer } from './openprovider-outcome.ts'

const servers: Server[] = []
after(() => {
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
})

async function serve(answer: (response: ServerResponse) => void): Promise<URL> {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => answer(response))
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  return new URL(`http://127.0.0.1:${address.port}/v1beta/domains`)
}

function post(url: URL, own: Partial<Exchange> = {}): Exchange {
  const headers = { 'content-type': 'application/json' }
  const base = { method: 'POST' as const, url, headers, body: '{}', agent: false as const }
  return { ...base, timeout_ms: 2_000, attempt: null, ...own }
}

async function sentOf(exchanged: Promise<unknown>): Promise<boolean> {
  const error = await exchanged.then(
    () => assert.fail('It was answered'),
    (thrown) => thrown,
  )
  assert.ok(error instanceof NoAnswer, String(error))
  return error.sent
}

test('follows no redirect, and leaves the outcome unknown', async () => {
  let visited = 0
  const elsewhere = await serve((response) => {
    visited += 1
    response.end('{"code":0}')
  })
  const url = await serve((response) => {
    response.writeHead(307, { location: elsewhere.href })
    response.end()
  })
  const answered = readAnswer(await exchange(post(url)), 'other')
  assert.ok('outcome' in answered && answered.outcome.kind === 'unknown')
  assert.deepEqual([answered.outcome.cause, visited], ['silence', 0])
})

test('an answer without end is given up', async () => {
  const url = await serve((response) => {
    const flow = () => {
      while (response.write(Buffer.alloc(65_536, 'x')));
    }
    response.on('drain', flow)
    flow()
  })
  assert.equal(await sentOf(exchange(post(url, { timeout_ms: 5_000 }))), true)
})

test('silence is given up in time, and counts as sent', async () => {
  const url = await serve(() => {})
  const began = performance.now()
  assert.equal(await sentOf(exchange(post(url))), true)
  assert.ok(performance.now() - began < 10_000)
})

test('a connection that is never made, and one to no TLS, sent nothing', async () => {
  const closed = new URL('http://127.0.0.1:1/')
  assert.equal(await sentOf(exchange(post(closed))), false)
  const plain = createTcp((socket) => socket.on('error', () => {}).end('no TLS here'))
  plain.listen(0, '127.0.0.1')
  await once(plain, 'listening')
  const address = plain.address()
  assert.ok(typeof address === 'object' && address)
  assert.equal(await sentOf(exchange(post(new URL(`https://127.0.0.1:${address.port}/`)))), false)
  plain.close()
})
