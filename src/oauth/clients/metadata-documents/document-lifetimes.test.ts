// Caching of client metadata documents: freshness, nodes, quotas.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { startDocumentServer } from '../../../../test/support/client-documents.ts'
import { testDatabase } from '../../../../test/support/database.ts'
import { loadLibrary } from '../../shared/load-oidc-provider.ts'
import { openMetadataClients } from './metadata-clients.ts'

const { errors } = loadLibrary(pino({ level: 'silent' }))
const { database, query } = await testDatabase()
const server = await startDocumentServer()
after(() => server.close())
const fields = { redirect_uris: ['https://app.client.test/cb'] }

/** One node, with a clock that the test moves. */
function opened() {
  const clock = { ms: 1_000_000 }
  const counted: string[] = []
  const documents = openMetadataClients({
    errors,
    sql: database,
    count: async ({ name }, key) => {
      counted.push(`${name} ${key}`)
      return { allowed: true, resets_s: 0 }
    },
    per_minute: 1,
    addressOf: () => '192.0.2.1',
    now_ms: () => clock.ms,
    network: server.network,
  })
  const ask = (url: string) => documents.feature.allowFetch(undefined, url)
  return { clock, counted, documents, ask }
}

function serve(path: string, cache_control: string): string {
  const url = `${server.origin}${path}`
  server.answers.set(path, (_request, response) => {
    const headers = { 'content-type': 'application/json', 'cache-control': cache_control }
    response.writeHead(200, headers).end(JSON.stringify({ client_id: url, ...fields }))
  })
  return url
}

test('a document is cached for its max-age, but 5 minutes at least and a day at most', async () => {
  const lives: Record<string, number> = {
    '': 300,
    'max-age=10': 300,
    'no-store': 300,
    'no-cache, max-age=9000': 300,
    'public, max-age=3600': 3_600,
    'MAX-AGE="7200"': 7_200,
    'max-age=99999999': 86_400,
    's-maxage=5000': 300,
    'max-age=-1': 300,
  }
  for (const [index, [cache_control, life_s]] of Object.entries(lives).entries()) {
    const { ask, clock, documents } = opened()
    const url = serve(`/lives-${index}`, cache_control)
    const before = server.hits.length
    await ask(url)
    const handed = await documents.fetch(url)
    assert.equal(handed.headers.get('cache-control'), `max-age=${life_s}`, cache_control)
    clock.ms += life_s * 1000 - 1
    await ask(url)
    assert.equal(server.hits.length, before + 1, cache_control)
    clock.ms += 1
    await ask(url)
    assert.equal(server.hits.length, before + 2, cache_control)
  }
})

test('a cached document takes no quota; a fetched one does, of the client address and of the host', async () => {
  const { ask, counted } = opened()
  const url = serve('/counted', '')
  await ask(url)
  await ask(url)
  assert.deepEqual(counted, [
    'client-documents service',
    'client-documents-at-host service app.client.test',
    'client-document-host app.client.test',
  ])
})

test('the library gets only the fields that we keep', async () => {
  const { ask, documents } = opened()
  const url = server.document('/fields', { ...fields, jwks_uri: 'https://x.example/', scope: 'a' })
  await ask(url)
  const handed: unknown = await (await documents.fetch(url)).json()
  assert.deepEqual(handed, {
    ...fields,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: 'web',
    token_endpoint_auth_method: 'none',
    client_id: url,
  })
})

test('the library gets no URL that was not fetched for it', async () => {
  const { documents } = opened()
  const before = server.hits.length
  const url = serve('/unread', '')
  await assert.rejects(documents.fetch(url), /was read/)
  await assert.rejects(documents.fetch(new URL('http://127.0.0.1/jwks')), /was read/)
  assert.equal(server.hits.length, before)
})

test('a node has 500 documents in memory, and finds the others in the database', async () => {
  const { ask, documents } = opened()
  const first = serve('/kept', '')
  const urls = [first, ...Array.from({ length: 500 }, (_, i) => `${first}-${i}`)]
  await ask(first)
  // Another node has fetched the rest.
  await query(
    `insert into oauth_documents
     select url, fields || jsonb_build_object('client_id', url), etag, read_at, fresh_until
       from oauth_documents, unnest($2::text[]) url where client_id = $1`,
    [first, urls.slice(1)],
  )
  for (const url of urls.slice(1)) await ask(url)
  const before = server.hits.length
  await assert.rejects(documents.fetch(urls[0] ?? ''), /was read/)
  assert.equal((await documents.fetch(urls[1] ?? '')).status, 200)
  await ask(urls[0] ?? '')
  assert.equal((await documents.fetch(urls[0] ?? '')).status, 200)
  assert.equal(server.hits.length, before)
})

test('a document that one node fetched is shared by the others, without quota', async () => {
  const [one, other] = [opened(), opened()]
  const url = serve('/shared', 'max-age=600')
  await one.ask(url)
  const before = server.hits.length
  await other.ask(url)
  assert.equal((await other.documents.fetch(url)).headers.get('cache-control'), 'max-age=600')
  assert.equal(server.hits.length, before)
  assert.deepEqual(other.counted, [])
})

test('a stale document is revalidated with its etag', async () => {
  const { ask, clock, documents } = opened()
  const url = `${server.origin}/tagged`
  const seen: unknown[] = []
  server.answers.set('/tagged', (request, response) => {
    const tag = request.headers['if-none-match']
    seen.push(tag)
    const headers = { 'content-type': 'application/json', etag: '"1"' }
    if (tag === '"1"') response.writeHead(304, { 'cache-control': 'max-age=900' }).end()
    else response.writeHead(200, headers).end(JSON.stringify({ client_id: url, ...fields }))
  })
  await ask(url)
  for (const life_s of [300, 900, 900]) {
    assert.equal((await documents.fetch(url)).headers.get('cache-control'), `max-age=${life_s}`)
    clock.ms += life_s * 1000
    await ask(url)
  }
  assert.deepEqual(seen, [undefined, '"1"', '"1"', '"1"'])
})

const away = { name: 'TemporarilyUnavailable', status: 503 }

/** Each path of this host responds when its promise is resolved. */
function hold(path: string): { url: string; arrived: Promise<void>; go: () => void } {
  const url = `${server.origin}${path}`
  const arrived = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  server.answers.set(path, (_request, response) => {
    arrived.resolve()
    const text = JSON.stringify({ client_id: url, ...fields })
    response.writeHead(200, { 'content-type': 'application/json' })
    go.promise.then(() => response.end(text))
  })
  return { url, arrived: arrived.promise, go: go.resolve }
}

test('one address with many slow documents gets a temporary error', async () => {
  const { ask } = opened()
  const held = Array.from({ length: 3 }, (_, i) => hold(`/held-${i}`))
  const asked = held.map(({ url }) => ask(url))
  await Promise.all(held.map(({ arrived }) => arrived))
  await assert.rejects(ask(serve('/fourth', '')), away)
  for (const { go } of held) go()
  await Promise.all(asked)
  assert.equal(await ask(serve('/fourth', '')), true)
})

test('concurrent requests for a document share one fetch', async () => {
  const { ask } = opened()
  const { url, arrived, go } = hold('/once')
  const asked = Array.from({ length: 9 }, () => ask(url))
  await arrived
  asked.push(ask(url))
  go()
  await Promise.all(asked)
  assert.equal(server.hits.filter((path) => path === '/once').length, 1)
})

test('repeated failures back off, and a success resets the backoff', async () => {
  const { ask, clock } = opened()
  const url = `${server.origin}/failing`
  const hits = () => server.hits.filter((path) => path === '/failing').length
  server.answers.set('/failing', (_request, response) => response.writeHead(404).end())
  for (let i = 0; i < 2; i += 1) await assert.rejects(ask(url), { name: 'InvalidClient' })
  for (let i = 0; i < 5; i += 1) await assert.rejects(ask(url), away)
  assert.equal(hits(), 2)
  clock.ms += 5_000
  serve('/failing', '')
  await ask(url)
  assert.equal(hits(), 3)
})
