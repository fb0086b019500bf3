// The guarded POST: hosts that it never connects to, and responses that it survives.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, describe, it } from 'node:test'
import { startReceiver } from '../../capabilities/events/webhooks/receiver.fixture.ts'
import { isPublicIp } from '../../kit/net/ip.ts'
import { guardedPost, PostFailed } from './guarded-post.ts'

type Network = Parameters<typeof guardedPost>[1]['network']

const never = new AbortController().signal
const loopback: Network = { resolve: async () => ['127.0.0.1'], allows: () => true }
const usual = { headers: { 'content-type': 'application/json' }, body: '{}', signal: never }
const post = (url: string, network: Network, limit_ms = 2_000) =>
  guardedPost(new URL(url), { ...usual, network, limit_ms })

async function refusal(url: string, network: Network, limit_ms = 2_000): Promise<string> {
  const error = await post(url, network, limit_ms).then(
    () => assert.fail(`${url} was sent`),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof PostFailed, `${url} ${error}`)
  return error.message
}

describe('a host inside', () => {
  it('is never connected to, however its address is written or resolved', async () => {
    let hits = 0
    const listener = createServer((socket) => {
      hits += 1
      socket.destroy()
    })
    listener.listen(0, '127.0.0.1')
    await once(listener, 'listening')
    after(() => listener.close())
    const address = listener.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const literals = [
      ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0x7f.1', '0.0.0.0'],
      ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]'],
      ...['[2002:7f00:1::1]', '10.0.0.1', '169.254.169.254', '[fd00:ec2::254]', '100.64.0.1'],
      ...['168.63.129.16', '192.0.2.1', '[fe80::1]'],
    ]
    const unresolved: Network = { resolve: async () => [], allows: isPublicIp }
    for (const scheme of ['http', 'https'])
      for (const host of literals)
        assert.match(await refusal(`${scheme}://${host}:${port}/`, unresolved), /no public address/)
    for (const addresses of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['::1'], ['::ffff:7f00:1']]) {
      const rebinding = { resolve: async () => addresses, allows: isPublicIp }
      const words = await refusal(`http://evil.example:${port}/`, rebinding)
      assert.match(words, /no public address/)
    }
    assert.equal(hits, 0)
  })

  it('is not reached by a name that changes after the check: it is resolved once', async () => {
    const receiver = await startReceiver()
    after(receiver.close)
    let asked = 0
    const network: Network = {
      async resolve() {
        asked += 1
        return asked === 1 ? ['127.0.0.1'] : ['10.0.0.1']
      },
      allows: (address) => address === '127.0.0.1',
    }
    const url = receiver.url.replace('127.0.0.1', 'hook.example')
    assert.equal((await post(url, network)).status, 204)
    assert.equal(asked, 1)
  })
})

describe('a response', () => {
  it('is its status alone: a redirect is not followed, 10 MB are not read', async () => {
    const receiver = await startReceiver()
    after(receiver.close)
    receiver.answer = (response) => response.writeHead(302, { location: receiver.url }).end()
    assert.equal((await post(receiver.url, loopback)).status, 302)
    assert.equal(receiver.received.length, 1)
    let written = 0
    receiver.answer = (response) => {
      response.writeHead(200)
      const chunk = Buffer.alloc(65_536)
      const more = () => {
        while (!response.destroyed && written < 10_000_000) {
          written += chunk.length
          if (!response.write(chunk)) return
        }
        response.end()
      }
      response.on('drain', more)
      more()
    }
    assert.equal((await post(receiver.url, loopback)).status, 200)
    receiver.answer = (response) => {
      response.writeHead(200)
      response.write('{')
    }
    const began = performance.now()
    const { status } = await post(receiver.url, loopback, 30_000)
    assert.equal(status, 200, 'a body without an end')
    assert.ok(performance.now() - began < 20_000)
  })

  it('that does not come is a failure: silence, a closed connection, a huge header', async () => {
    const receiver = await startReceiver()
    after(receiver.close)
    receiver.answer = () => undefined
    assert.match(await refusal(receiver.url, loopback, 300), /No response within/)
    receiver.answer = (response) => response.destroy()
    assert.match(await refusal(receiver.url, loopback), /connection failed/)
    receiver.answer = (response) => response.writeHead(200, { x: 'y'.repeat(60_000) }).end()
    assert.match(await refusal(receiver.url, loopback), /connection failed/)
    const mute: Network = {
      ...loopback,
      resolve: (_host, signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve([]))),
    }
    const hanging = refusal(receiver.url.replace('127.0.0.1', 'slow.example'), mute, 200)
    assert.match(await hanging, /No response within/)
  })
})
