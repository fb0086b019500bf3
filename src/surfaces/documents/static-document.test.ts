// Public documents over HTTP: any origin may read them, and 304 where the client has them already.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { after, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { publish, publishVaried } from './static-document.ts'

const server = Fastify({ exposeHeadRoutes: true })
let writings = 0
publish(server, '/one', {
  type: 'text/plain; charset=utf-8',
  headers: { 'X-Own': 'yes' },
  write() {
    writings += 1
    return `words ${writings}`
  },
})
publishVaried(server, '/two', {
  type: 'text/plain',
  headers: { Vary: 'X-Form' },
  variantOf: (headers) => (headers['x-form'] === 'b' ? 'b' : 'a'),
  write: (form) => `form ${form}`,
})
const long = 'Agent Registrar. '.repeat(500)
publish(server, '/long', { type: 'text/plain', write: () => long })
const url = await server.listen({ host: '127.0.0.1', port: 0 })
after(() => server.close())

it('answers with the document, a tag and leave for every origin', async () => {
  const answer = await fetch(`${url}/one`, { headers: { origin: 'https://agent.example' } })
  assert.equal(answer.status, 200)
  assert.equal(await answer.text(), 'words 1')
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  assert.equal(answer.headers.get('cache-control'), 'public, max-age=300')
  assert.equal(answer.headers.get('x-own'), 'yes')
  assert.match(answer.headers.get('etag') ?? '', /^"[\w-]{22}"$/)
})

it('writes it once', async () => {
  assert.equal(await (await fetch(`${url}/one`)).text(), 'words 1')
  assert.equal(writings, 1)
})

it('answers 304 to a client with a current copy: by its tag, weak or among others, or by any', async () => {
  const etag = (await fetch(`${url}/one`)).headers.get('etag') ?? ''
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await fetch(`${url}/one`, { headers: { 'if-none-match': known } })
    assert.equal(answer.status, 304, known)
    assert.equal(await answer.text(), '')
    assert.equal(answer.headers.get('etag'), etag)
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  }
  const changed = await fetch(`${url}/one`, { headers: { 'if-none-match': '"other"' } })
  assert.equal(changed.status, 200)
})

it('answers HEAD with the same header fields and no body', async () => {
  const whole = await fetch(`${url}/one`)
  const head = await fetch(`${url}/one`, { method: 'HEAD' })
  assert.equal(head.status, 200)
  assert.equal(await head.text(), '')
  for (const name of ['etag', 'content-type', 'content-length', 'access-control-allow-origin'])
    assert.equal(head.headers.get(name), whole.headers.get(name), name)
})

it('answers OPTIONS of browsers', async () => {
  const asked = await fetch(`${url}/one`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://agent.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'mcp-protocol-version',
    },
  })
  assert.equal(asked.status, 204)
  assert.equal(asked.headers.get('access-control-allow-origin'), '*')
  assert.equal(asked.headers.get('access-control-allow-methods'), 'GET, HEAD, OPTIONS')
  assert.equal(asked.headers.get('access-control-allow-headers'), '*')
})

it('gives each reader its form, with a tag of its own', async () => {
  const a = await fetch(`${url}/two`)
  const b = await fetch(`${url}/two`, { headers: { 'x-form': 'b' } })
  assert.deepEqual([await a.text(), await b.text()], ['form a', 'form b'])
  assert.notEqual(a.headers.get('etag'), b.headers.get('etag'))
  assert.equal(a.headers.get('vary'), 'X-Form, Accept-Encoding')
})

type Raw = { status: number; headers: IncomingHttpHeaders; body: Buffer }

/**
 * Reads a response as it comes over the wire, because fetch would decode it and hide the length.
 */
async function raw(path: string, headers: Record<string, string>, method = 'GET'): Promise<Raw> {
  const asked = request(`${url}${path}`, { headers, method })
  asked.end()
  const answer: IncomingMessage = (await once(asked, 'response'))[0]
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part)
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }
}

const codings: [accepted: string, coding: string | undefined][] = [
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['GZIP;q=1.0, br;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['*', 'br'],
  ['*;q=0.5, br;q=0', 'gzip'],
  ['gzip;q=0.5, identity', undefined],
  ['gzip;q=0.5, identity;q=0.5', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
  ['*;q=0', undefined],
  ['identity', undefined],
  ['deflate, zstd', undefined],
  ['', undefined],
  ['br;q=x, gzip;;', undefined],
]

for (const [accepted, coding] of codings)
  it(`sends a long document as ${coding ?? 'it is'} for Accept-Encoding: ${accepted}`, async () => {
    const answer = await raw('/long', { 'accept-encoding': accepted })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['content-encoding'], coding)
    assert.equal(answer.headers.vary, 'Accept-Encoding')
    assert.equal(answer.headers['content-length'], String(answer.body.length))
    const decode = { br: brotliDecompressSync, gzip: gunzipSync }
    const plain = coding === 'br' || coding === 'gzip' ? decode[coding](answer.body) : answer.body
    assert.equal(plain.toString(), long)
    if (coding) assert.ok(answer.body.length * 10 < long.length)
    const head = await raw('/long', { 'accept-encoding': accepted }, 'HEAD')
    assert.equal(head.headers['content-length'], String(answer.body.length))
    const { etag = '' } = answer.headers
    const again = await raw('/long', { 'accept-encoding': accepted, 'if-none-match': etag })
    assert.deepEqual([again.status, again.headers.vary], [304, 'Accept-Encoding'])
  })

it('tags each coding apart, and leaves a short document as it is', async () => {
  const tags = await Promise.all(
    ['br', 'gzip', 'identity'].map(
      async (coding) => (await raw('/long', { 'accept-encoding': coding })).headers.etag,
    ),
  )
  assert.equal(new Set(tags).size, 3)
  const short = await raw('/one', { 'accept-encoding': 'br' })
  assert.equal(short.headers['content-encoding'], undefined)
  const varied = await raw('/two', { 'accept-encoding': 'br' })
  assert.equal(varied.headers.vary, 'X-Form, Accept-Encoding')
})
