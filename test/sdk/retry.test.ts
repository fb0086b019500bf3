// Retries of the SDK over real HTTP: repeated requests, their delays, and requests sent once.
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { after, describe, it } from 'node:test'
import {
  ConnectionError,
  createRegistrarClient,
  RateLimitError,
  ServerError,
  TimeoutError,
} from '../../sdk/index.ts'

type Reply = (response: ServerResponse) => unknown
const json = { 'content-type': 'application/json' }
const ok: Reply = (response) => response.writeHead(200, json).end('{"domains":[]}')
const refuse =
  (status: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, headers).end('{}')
const cut: Reply = (response) => response.destroy()
const silent: Reply = () => undefined

/** A server that gives these replies in turn, and the requests that it had. */
async function served(...replies: Reply[]) {
  const seen: { at: number; request: IncomingMessage }[] = []
  const server = createServer((request, response) => {
    seen.push({ at: performance.now(), request })
    request.resume().on('end', () => (replies[seen.length - 1] ?? refuse(599))(response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close().closeAllConnections())
  const baseUrl = `http://127.0.0.1:${Object(server.address()).port}`
  // Even a response that does arrive has enough time on a loaded machine.
  const timeout = replies.includes(silent) ? 150 : 10_000
  const retry = { base: 10, retries: 2, timeout }
  return { seen, client: createRegistrarClient({ baseUrl, apiKey: 'ar_test', retry }) }
}

describe('repeated requests', () => {
  it('repeats a read after 503 and a cut connection, with backoff', async () => {
    const { seen, client } = await served(refuse(503), cut, ok)
    assert.deepEqual(await client.listDomains(), { domains: [] })
    assert.equal(seen.length, 3)
    const { authorization, cookie } = seen[0]?.request.headers ?? {}
    assert.deepEqual([authorization, cookie], ['Bearer ar_test', undefined])
  })

  it('waits as long as Retry-After says, for 429 and 503', async () => {
    const wait = async (status: number) => {
      const { seen, client } = await served(refuse(status, { 'retry-after': '1' }), ok)
      await client.listDomains()
      const [first, second] = seen
      assert.ok(first && second && second.at - first.at >= 990, `${status}`)
    }
    await Promise.all([wait(429), wait(503)])
  })

  it('keeps the key of a purchase, also while its first attempt still runs', async () => {
    const inUse: Reply = (response) =>
      response.writeHead(409, json).end('{"code":"idempotency_key_in_use"}')
    const { seen, client } = await served(cut, inUse, ok)
    await client.registerDomain({ body: { domain: 'a.com' } })
    const keys = seen.map(({ request }) => request.headers['idempotency-key'])
    assert.match(String(keys[0]), /^[0-9a-f-]{36}$/)
    assert.deepEqual(keys, [keys[0], keys[0], keys[0]])
  })
})

describe('requests that are sent once', () => {
  it('sends a POST without a key once', async () => {
    for (const [reply, kind] of [
      [refuse(503), ServerError],
      [refuse(429), RateLimitError],
      [cut, ConnectionError],
    ] as const) {
      const { seen, client } = await served(reply, ok)
      const asked = client.checkDomainAvailability({ body: { domains: ['a.com'] } })
      await assert.rejects(asked, kind)
      assert.equal(seen.length, 1)
    }
  })

  it('sends a renewal that names no expected_expiry once, and any other one with a key', async () => {
    const path = { domain: 'a.com' }
    const { seen, client } = await served(cut, ok)
    await assert.rejects(client.renewDomain({ path, body: {} }), ConnectionError)
    assert.deepEqual(
      seen.map(({ request }) => request.headers['idempotency-key']),
      [undefined],
    )
    const fenced = await served(cut, ok)
    const body = { expected_expiry: '2027-05-01T10:00:00.000Z' }
    await fenced.client.renewDomain({ path, body })
    const keys = fenced.seen.map(({ request }) => request.headers['idempotency-key'])
    assert.ok(keys[0] && keys.length === 2 && keys[0] === keys[1])
  })

  it('ends after its retries, and gives up on a wait beyond the cap', async () => {
    const { seen, client } = await served(refuse(503), refuse(503), refuse(503), ok)
    await assert.rejects(client.listDomains(), ServerError)
    assert.equal(seen.length, 3)
    const far = await served(refuse(429, { 'retry-after': '3600' }), ok)
    await assert.rejects(far.client.listDomains(), { name: 'RateLimitError', retryAfter: 3600 })
    assert.equal(far.seen.length, 1)
  })

  it('ends by its signal, and names a response that does not come', async () => {
    const { client } = await served(silent, silent, silent)
    const reason = new Error('stopped')
    const signal = AbortSignal.abort(reason)
    await assert.rejects(client.listDomains({ signal }))
    await assert.rejects(client.listDomains(), TimeoutError)
  })
})
