// The SSRF-safe fetch against real https servers: accepted and rejected responses, and hosts that
// it never connects to.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { after, test } from 'node:test'
import { selfSigned, startDocumentServer } from '../../../../test/support/client-documents.ts'
import { isPublicIp } from '../../../kit/net/ip.ts'
import { type OutboundNetwork, resolvePublic } from '../../../kit/net/outbound-network.ts'
import { FetchFailed, maxDocumentBytes, ssrfSafeFetch } from './ssrf-safe-fetch.ts'

const server = await startDocumentServer()
after(() => server.close())
const { network, origin } = server

/** The words that a fetch is refused with. */
async function refusal(
  url: string,
  through: OutboundNetwork = network,
  limit_ms = 5_000,
): Promise<string> {
  const fetched = ssrfSafeFetch(new URL(url), through, { limit_ms })
  const error = await fetched.then(
    () => assert.fail(`${url} was fetched`),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof FetchFailed, String(error))
  return error.kind === 'refused' ? error.message : `${error.message} (${error.kind})`
}

async function bytesOf(url: string, through: OutboundNetwork = network): Promise<Buffer> {
  const fetched = await ssrfSafeFetch(new URL(url), through)
  assert.ok(fetched.kind === 'read')
  return fetched.bytes
}

test('a small JSON document is fetched, with no more header fields than needed', async () => {
  let seen: Record<string, unknown> = {}
  server.answers.set('/good', (request, response) => {
    seen = request.headers
    const headers = {
      'content-type': 'application/JSON; charset=utf-8',
      'cache-control': 'max-age=9',
    }
    response.writeHead(200, headers).end('{"a":1}')
  })
  const fetched = await ssrfSafeFetch(new URL(`${origin}/good`), network)
  assert.ok(fetched.kind === 'read')
  assert.equal(fetched.bytes.toString(), '{"a":1}')
  assert.equal(fetched.cache_control, 'max-age=9')
  assert.deepEqual(Object.keys(seen).sort(), ['accept', 'accept-encoding', 'connection', 'host'])
})

test('other JSON types are accepted, other types are not', async () => {
  const types = {
    'application/oauth+json': true,
    'text/html': false,
    'text/json': false,
    '': false,
  }
  for (const [type, good] of Object.entries(types)) {
    server.answers.set('/type', (_request, response) => {
      response.writeHead(200, type === '' ? {} : { 'content-type': type }).end('{}')
    })
    if (good) assert.ok(await ssrfSafeFetch(new URL(`${origin}/type`), network))
    else assert.match(await refusal(`${origin}/type`), /application\/json/)
  }
})

test('only status 200 is accepted, and no redirect is followed', async () => {
  for (const status of [201, 204, 206, 301, 302, 303, 307, 308, 304, 401, 404, 500, 503]) {
    server.answers.set('/status', (_request, response) => {
      const headers = { location: `${origin}/followed`, 'content-type': 'application/json' }
      response.writeHead(status, headers).end('{}')
    })
    assert.match(await refusal(`${origin}/status`), new RegExp(`answered ${status}`))
  }
  assert.ok(!server.hits.includes('/followed'))
})

test('a temporary status is unreachable, a missing document is gone', async () => {
  const kinds: Record<number, string> = {
    404: 'gone',
    410: 'gone',
    429: 'unreachable',
    408: 'unreachable',
  }
  for (const status of [404, 410, 408, 429, 500, 502, 503, 504, 401, 403, 302, 201]) {
    server.answers.set('/kind', (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
    const kind = kinds[status] ?? (status >= 500 ? 'unreachable' : '')
    const words = `its host answered ${status}, not 200${kind && ` (${kind})`}`
    assert.equal(await refusal(`${origin}/kind`), words)
  }
  const nowhere = { ...network, resolve: async () => [] }
  assert.match(await refusal(`${origin}/kind`, nowhere), /no public address \(unreachable\)/)
  assert.match(
    await refusal(`${origin}/kind`, { ...network, port: 1 }),
    /be reached.* \(unreachable\)/,
  )
})

test('an unchanged document is not sent again', async () => {
  const seen: unknown[] = []
  server.answers.set('/etag', (request, response) => {
    seen.push(request.headers['if-none-match'])
    const same = request.headers['if-none-match'] === '"v1"'
    const headers = {
      'content-type': 'application/json',
      'cache-control': 'max-age=9',
      etag: '"v1"',
    }
    response.writeHead(same ? 304 : 200, headers).end(same ? undefined : '{}')
  })
  const url = new URL(`${origin}/etag`)
  const first = await ssrfSafeFetch(url, network)
  assert.equal(first.etag, '"v1"')
  const again = await ssrfSafeFetch(url, network, { etag: '"v1"' })
  assert.deepEqual(again, { kind: 'not_modified', cache_control: 'max-age=9', etag: '"v1"' })
  assert.equal((await ssrfSafeFetch(url, network, { etag: 'W/"v0"' })).kind, 'read')
  assert.deepEqual(seen, [undefined, '"v1"', 'W/"v0"'])
})

test('an etag that cannot be sent back is ignored', async () => {
  for (const etag of ['v1', '"a b"', `"${'x'.repeat(201)}"`, '"']) {
    server.answers.set('/odd-etag', (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', etag }).end('{}')
    })
    assert.equal((await ssrfSafeFetch(new URL(`${origin}/odd-etag`), network)).etag, undefined)
  }
})

test('5 kB are accepted and one byte more is not, with Content-Length or without', async () => {
  const text = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2))
  for (const declared of [true, false]) {
    for (const [bytes, good] of [
      [maxDocumentBytes, true],
      [maxDocumentBytes + 1, false],
    ] as const) {
      server.answers.set('/size', (_request, response) => {
        const headers = { 'content-type': 'application/json' }
        response.writeHead(200, declared ? { ...headers, 'content-length': bytes } : headers)
        response.end(text(bytes))
      })
      const url = `${origin}/size`
      if (good) assert.equal((await bytesOf(url)).length, bytes)
      else assert.match(await refusal(url), /larger than 5120/)
    }
  }
})

test('an endless body is cut off at 5 kB', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  server.answers.set('/endless', (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(1000)));
    }
    response.on('drain', more).once('close', resolve)
    more()
  })
  assert.match(await refusal(`${origin}/endless`), /larger/)
  await closed
})

test('a compressed body is rejected: its size would have no bound', async () => {
  server.answers.set('/packed', (_request, response) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    response.writeHead(200, headers).end('x')
  })
  assert.match(await refusal(`${origin}/packed`), /encoding/)
})

test('a host that is slow to begin, or to end, times out', async () => {
  server.answers.set('/silent', () => undefined)
  server.answers.set('/slow', (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{')
  })
  for (const path of ['/silent', '/slow']) {
    const started = performance.now()
    assert.match(await refusal(`${origin}${path}`, network, 300), /in time/)
    assert.ok(performance.now() - started < 4_000)
  }
  const mute: OutboundNetwork = {
    ...network,
    resolve: (_host, signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve([]))),
  }
  assert.match(await refusal(`${origin}/good`, mute, 200), /in time/)
})

test('a truncated body is rejected', async () => {
  server.answers.set('/broken', (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
    response.write('{"a":1}', () => response.destroy())
  })
  assert.match(await refusal(`${origin}/broken`), /broke off|cannot be reached/)
})

test('an untrusted certificate, or one for another name, is rejected', async () => {
  const hits = server.hits.length
  const { ca: _ca, ...publicTrust } = network
  assert.match(await refusal(`${origin}/good`, publicTrust), /cannot be reached/)
  const otherName = `https://app.other.test:${server.port}/good`
  assert.match(await refusal(otherName), /cannot be reached/)
  const other = await selfSigned(['app.client.test'])
  assert.match(await refusal(`${origin}/good`, { ...network, ca: other.cert }), /cannot be reached/)
  assert.equal(server.hits.length, hits)
})

/** Counts connections to every address of this machine that it can have. */
async function listeners(): Promise<{ port: number; count: () => number }> {
  let count = 0
  const open: Server[] = []
  const listen = async (host: string, port: number) => {
    const one = createServer((socket) => {
      count += 1
      socket.destroy()
    })
    one.listen(port, host)
    await once(one, 'listening')
    open.push(one)
    const address = one.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }
  const port = await listen('127.0.0.1', 0)
  // Not every machine has them.
  for (const host of ['127.0.0.2', '::1']) await listen(host, port).catch(() => undefined)
  after(() => {
    for (const one of open) one.close()
  })
  return { port, count: () => count }
}

const local = await listeners()

test('a name with any non-public address is not connected to', async () => {
  for (const addresses of [
    [],
    ['127.0.0.1'],
    ['127.0.0.2'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['0.0.0.0'],
    ['::'],
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['8.8.8.8', '127.0.0.1'],
    ['2606:4700::1111', '::1'],
    ['not an address'],
  ]) {
    const guarded = { resolve: async () => addresses, allows: isPublicIp, port: local.port }
    assert.match(await refusal(`https://evil.test:${local.port}/`, guarded), /no public address/)
  }
  assert.equal(local.count(), 0)
})

test('DNS rebinding: a name is resolved once, and the checked address is connected to', async () => {
  server.document('/rebound', {})
  let asked = 0
  const rebinding: OutboundNetwork = {
    ...network,
    async resolve() {
      asked += 1
      return asked === 1 ? ['127.0.0.1'] : ['127.0.0.2']
    },
  }
  const bytes = await bytesOf(`${origin}/rebound`, rebinding)
  assert.match(bytes.toString(), /client_id/)
  assert.equal(asked, 1)
  const later = { ...rebinding, port: local.port }
  assert.match(await refusal(`https://app.client.test:${local.port}/`, later), /no public address/)
  assert.equal(local.count(), 0)
})

test('a name without a response has no address, and the wait can be aborted', async () => {
  const aborted = AbortSignal.timeout(50)
  const started = performance.now()
  assert.deepEqual(await resolvePublic('name.invalid', aborted), [])
  assert.ok(performance.now() - started < 4_000)
})
