// How long documents are kept, how many, and how many are read at once.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { startDocumentServer } from '../../test/support/client-documents.ts'
import { openClientDocuments } from './client-metadata.ts'
import { libraryOf } from './library.ts'

const { errors } = libraryOf(pino({ level: 'silent' }))
const server = await startDocumentServer()
after(() => server.close())
const fields = { redirect_uris: ['https://app.client.test/cb'] }

/** With a clock that the test moves. */
function opened() {
  const clock = { ms: 1_000_000 }
  const counted: string[] = []
  const documents = openClientDocuments({
    errors,
    count: async ({ name }, key) => {
      counted.push(`${name} ${key}`)
      return { allowed: true, resets_s: 0 }
    },
    per_minute: 1,
    addressOf: () => '192.0.2.1',
    now_ms: () => clock.ms,
    door: server.door,
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

test('a document is kept as long as it says, but 5 minutes at least and a day at most', async () => {
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
  for (const [cache_control, life_s] of Object.entries(lives)) {
    const { ask, clock, documents } = opened()
    const url = serve('/lives', cache_control)
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

test('what is kept is not counted; what is read is, for who asks and for its host', async () => {
  const { ask, counted } = opened()
  const url = serve('/counted', '')
  await ask(url)
  await ask(url)
  assert.deepEqual(counted, ['client-documents service', 'client-document-host app.client.test'])
})

test('what the library is handed has our fields alone', async () => {
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

test('the library gets nothing that was not read for it', async () => {
  const { documents } = opened()
  const before = server.hits.length
  const url = serve('/unread', '')
  await assert.rejects(documents.fetch(url), /was read/)
  await assert.rejects(documents.fetch(new URL('http://127.0.0.1/jwks')), /was read/)
  assert.equal(server.hits.length, before)
})

test('of more than 500 documents the oldest are read again', async () => {
  const { ask } = opened()
  const urls = Array.from({ length: 501 }, (_, i) => serve(`/kept-${i}`, ''))
  for (const url of urls) await ask(url)
  const before = server.hits.length
  for (const url of urls.slice(1, 20)) await ask(url)
  assert.equal(server.hits.length, before)
  await ask(urls[0] ?? '')
  assert.equal(server.hits.length, before + 1)
})

test('16 are read at once; another is told to come again', async () => {
  const { ask } = opened()
  const held: (() => void)[] = []
  const { promise: all, resolve } = Promise.withResolvers<void>()
  for (let i = 0; i < 16; i += 1) {
    const url = `${server.origin}/held-${i}`
    server.answers.set(`/held-${i}`, (_request, response) => {
      held.push(() => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ client_id: url, ...fields }))
      })
      if (held.length === 16) resolve()
    })
  }
  const asked = Array.from({ length: 16 }, (_, i) => ask(`${server.origin}/held-${i}`))
  await all
  const seventeenth = serve('/seventeenth', '')
  await assert.rejects(ask(seventeenth), { name: 'TemporarilyUnavailable', status: 503 })
  for (const go of held) go()
  await Promise.all(asked)
  assert.equal(await ask(seventeenth), true)
})
