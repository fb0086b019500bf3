// Client ID metadata documents through the whole service, with the document's host on this machine.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { startDocumentServer } from '../../../../test/support/client-documents.ts'
import { startService, type TestService } from '../../../../test/support/service.ts'
import { webPath, webUrl } from '../../../kit/arbitrary-text.fixture.ts'
import { isPublicIp } from '../../../kit/net/ip.ts'
import { parseDocumentUrl } from './metadata-document.ts'

const documents = await startDocumentServer()
const registrar = await startService({ outbound: documents.network, worker: false })
registrar.closers.push(() => documents.close())

const redirect_uri = 'https://app.client.test/cb'
const good = { client_name: 'A client', redirect_uris: [redirect_uri] }

type Sent = { status: number; location: string; text: string }

async function authorize(
  client_id: string,
  more: Record<string, string> = {},
  at: TestService = registrar,
): Promise<Sent> {
  const url = new URL('/oauth/authorize', at.url)
  url.search = new URLSearchParams({
    client_id,
    redirect_uri,
    response_type: 'code',
    code_challenge_method: 'S256',
    code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
    ...more,
  }).toString()
  const response = await fetch(url, { redirect: 'manual' })
  const location = response.headers.get('location') ?? ''
  return { status: response.status, location, text: await response.text() }
}

async function takenBy(client_id: string, more: Record<string, string> = {}): Promise<void> {
  const sent = await authorize(client_id, more)
  assert.equal(sent.status, 303, sent.text)
  assert.match(sent.location, /\/oauth\/authorize\?interaction=/)
}

/** An error page with these words, and never a redirect. */
async function refused(sent: Promise<Sent>, words: RegExp, status = 400): Promise<void> {
  const { status: got, location, text } = await sent
  assert.equal(got, status, text)
  assert.equal(location, '')
  assert.match(text, words)
}

function hitsOf(url: string): number {
  return documents.hits.filter((path) => `${documents.origin}${path}` === url).length
}

test('the server metadata announces support of metadata documents', async () => {
  const { body } = await registrar.request('GET', '/.well-known/oauth-authorization-server')
  assert.equal(body.client_id_metadata_document_supported, true)
})

test('a client with a valid document gets the consent page, and is fetched once', async () => {
  const url = documents.document('/good.json', good)
  await takenBy(url)
  await takenBy(url)
  assert.equal(hitsOf(url), 1)
})

test('a null field of a document is treated as absent', async () => {
  const nothing = { client_secret: null, client_secret_expires_at: null, jwks_uri: null }
  const fields = { ...good, ...nothing, token_endpoint_auth_method: null, grant_types: null }
  await takenBy(documents.document('/nulls.json', fields))
})

test('only its redirect URIs are accepted, without a redirect to another', async () => {
  const url = documents.document('/redirects.json', good)
  for (const other of [`${redirect_uri}/`, 'https://evil.test/cb', 'javascript:alert(1)'])
    await refused(authorize(url, { redirect_uri: other }), /redirect_uri/)
})

test('a native client of a document may vary its loopback port', async () => {
  const redirect_uris = ['http://127.0.0.1/cb', 'http://localhost/cb']
  const url = documents.document('/native.json', { redirect_uris, application_type: 'web' })
  await takenBy(url, { redirect_uri: 'http://127.0.0.1:41234/cb' })
  await takenBy(url, { redirect_uri: 'http://localhost:41234/cb' })
  await refused(authorize(url, { redirect_uri: 'http://127.0.0.2:41234/cb' }), /redirect_uri/)
})

test('an invalid document is rejected with a message, without a redirect', async () => {
  const bad: [string, Record<string, unknown>, RegExp][] = [
    ['/other.json', { ...good, client_id: `${documents.origin}/else.json` }, /is not its URL/],
    ['/case.json', { ...good, client_id: `${documents.origin}/CASE.json` }, /is not its URL/],
    ['/slash.json', { ...good, client_id: `${documents.origin}/slash.json/` }, /is not its URL/],
    ['/none.json', { ...good, client_id: undefined }, /is not its URL/],
    ['/number.json', { ...good, client_id: 7 }, /is not its URL/],
    ['/secret.json', { ...good, client_secret: 'x' }, /client_secret/],
    ['/expiry.json', { ...good, client_secret_expires_at: 0 }, /client_secret/],
    ['/basic.json', { ...good, token_endpoint_auth_method: 'client_secret_basic' }, /one of: none/],
    ['/post.json', { ...good, token_endpoint_auth_method: 'client_secret_post' }, /one of: none/],
    ['/jwt.json', { ...good, token_endpoint_auth_method: 'client_secret_jwt' }, /one of: none/],
    ['/uris.json', { client_name: 'x' }, /at least one URI/],
    ['/script.json', { redirect_uris: ['javascript:alert(1)'] }, /scheme javascript/],
    ['/http.json', { redirect_uris: ['http://example.com/'] }, /uses http/],
    ['/name.json', { ...good, client_name: 'n'.repeat(201) }, /longer than 200/],
    ['/implicit.json', { ...good, grant_types: ['implicit'] }, /authorization_code/],
  ]
  for (const [path, fields, words] of bad)
    await refused(authorize(documents.document(path, fields)), words)
})

test('a document that is not a JSON object is rejected', async () => {
  const texts = ['[]', 'null', '{', '', '{"a":1,"a":2}', '{"__proto__":{}}', '\ufeff{}']
  for (const [index, text] of texts.entries()) {
    documents.answers.set(`/text-${index}.json`, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(text)
    })
    await refused(authorize(`${documents.origin}/text-${index}.json`), /JSON/)
  }
})

test('a failure is reported once per request, and not cached', async () => {
  const url = `${documents.origin}/later.json`
  await refused(authorize(url), /was not read: its host answered 404/)
  assert.equal(hitsOf(url), 1)
  documents.document('/later.json', good)
  await takenBy(url)
  assert.equal(hitsOf(url), 2)
})

test('concurrent requests share one fetch', async () => {
  const url = documents.document('/many.json', good)
  await Promise.all(Array.from({ length: 8 }, () => takenBy(url)))
  assert.equal(hitsOf(url), 1)
})

test('a client_id that cannot be a document URL is rejected without a fetch', async () => {
  const before = documents.hits.length
  const { origin, port } = documents
  documents.document('/x', good)
  for (const id of [
    `http://app.client.test:${port}/x`,
    `${origin}/x#fragment`,
    `${origin}/x#`,
    `${origin}/x?query=1`,
    `${origin}/x?`,
    `${origin}/a/../x`,
    `${origin}/./x`,
    `${origin}/%2e/x`,
    `${origin}/a/%2E%2e/x`,
    `https://user@app.client.test:${port}/x`,
    `https://user:secret@app.client.test:${port}/x`,
    `https://APP.client.test:${port}/x`,
    `https://app.client.test.:${port}/x`,
    `https://app.client.test:0${port}/x`,
    origin,
    `${origin}\\x`,
    ` ${origin}/x`,
    `${origin}/x\t`,
    'https://app.client.test/x',
    'https://app.client.test:22/x',
    `${origin}/${'x'.repeat(2000)}`,
  ])
    await refused(authorize(id), /invalid_client|cannot be completed/)
  assert.equal(documents.hits.length, before)
})

test('no client_id causes a request to this machine or its networks', async () => {
  let connections = 0
  const listener = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  listener.listen(0, '::')
  await once(listener, 'listening')
  const address = listener.address()
  assert.ok(typeof address === 'object' && address !== null)
  const { port } = address
  const names: Record<string, string[]> = {
    'loop.evil.test': ['127.0.0.1'],
    'six.evil.test': ['::1'],
    'mapped.evil.test': ['::ffff:127.0.0.1'],
    'private.evil.test': ['10.0.0.1'],
    'metadata.evil.test': ['169.254.169.254'],
    'both.evil.test': ['8.8.8.8', '127.0.0.1'],
  }
  const guarded = await startService({
    worker: false,
    outbound: {
      resolve: async (host) => names[host] ?? ['127.0.0.1'],
      allows: isPublicIp,
      port,
    },
  })
  const hosts = ['127.0.0.1', '[::1]', '0x7f.1', '2130706433', '127.1', '0177.0.0.1', '0.0.0.0']
  const mapped = ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '169.254.169.254', '10.0.0.1']
  const local = ['localhost', 'metadata', 'a.localhost', ...Object.keys(names)]
  for (const host of [...hosts, ...mapped, ...local])
    await refused(authorize(`https://${host}:${port}/x`, {}, guarded), /invalid_client/)
  assert.equal(connections, 0)
  listener.close()
})

test('no URL in a document is loaded', async () => {
  let connections = 0
  const listener = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  after(() => listener.close())
  const address = listener.address()
  assert.ok(typeof address === 'object' && address !== null)
  const named = `https://127.0.0.1:${address.port}/x`
  const url = documents.document('/names.json', {
    ...good,
    logo_uri: named,
    client_uri: named,
    policy_uri: named,
    tos_uri: named,
    jwks_uri: named,
    sector_identifier_uri: named,
    request_uris: [named],
    initiate_login_uri: named,
    id_token_signed_response_alg: 'HS256',
  })
  const { location } = await authorize(url)
  const page = await fetch(new URL(location, registrar.url))
  assert.ok(!(await page.text()).includes(named))
  const token = await fetch(`${registrar.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: url, grant_type: 'refresh_token', refresh_token: 'x' }),
  })
  assert.equal(token.status, 400)
  assert.equal(connections, 0)
})

test('one address is limited to a few fetches a minute, and fetched clients still work', async () => {
  const limited = await startService({
    outbound: documents.network,
    worker: false,
    settings: { CLIENT_REGISTRATIONS_PER_HOUR: '60' },
  })
  const first = documents.document('/limit.json', good)
  assert.equal((await authorize(first, {}, limited)).status, 303)
  let last: Sent = { status: 0, location: '', text: '' }
  for (let i = 0; i < 20 && last.status !== 429; i += 1)
    last = await authorize(documents.document(`/limit-${i}.json`, good), {}, limited)
  assert.equal(last.status, 429)
  assert.equal(last.location, '')
  assert.match(last.text, /Too many client metadata documents/)
  assert.equal((await authorize(first, {}, limited)).status, 303)
})

test('an accepted URL is https on the default port, in its normal form', () => {
  const id = fc.oneof(
    webUrl(['https']),
    fc.tuple(fc.domain(), webPath()).map(([host, path]) => `https://${host}${path}`),
    fc.tuple(fc.ipV4(), webPath()).map(([host, path]) => `https://${host}${path}`),
    fc.string().map((text) => `https://${text}`),
  )
  let taken = 0
  fc.assert(
    fc.property(id, (clientId) => {
      const url = parseDocumentUrl(clientId)
      if (typeof url === 'string') return
      taken += 1
      assert.equal(url.href, clientId)
      assert.equal(`https://${url.hostname}${url.pathname}`, clientId)
      assert.match(url.hostname, /^[a-z0-9-]+(\.[a-z0-9-]+)+$/)
      assert.doesNotMatch(url.hostname, /\.\d+$/)
    }),
    { numRuns: 2_000 },
  )
  assert.ok(taken > 100)
})
