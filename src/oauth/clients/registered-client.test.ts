// Authorization requests of registered clients: scopes, redirect URIs, and that no URL of the
// metadata is loaded.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { sharedService } from '../../../test/support/service.ts'

const registrar = await sharedService({ worker: false })
const least = { redirect_uris: ['https://client.example/cb'] }

async function registered(body: object): Promise<string> {
  const answer = await registrar.request('POST', '/oauth/register', { body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.client_id
}

/** Where a browser is sent that brings this request of the client; null is an error page. */
async function authorize(client_id: string, more: Record<string, string>): Promise<string | null> {
  const at = new URL('/oauth/authorize', registrar.url)
  at.search = new URLSearchParams({
    client_id,
    response_type: 'code',
    code_challenge_method: 'S256',
    code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
    ...more,
  }).toString()
  const response = await fetch(at, { redirect: 'manual' })
  await response.text()
  const location = response.headers.get('location')
  assert.equal(response.status, location === null ? 400 : 303)
  return location
}

test('a registered scope is not a ceiling: more can be requested later', async () => {
  const client_id = await registered({ ...least, scope: 'domains:read' })
  const [redirect_uri = ''] = least.redirect_uris
  const scope = 'domains:read domains:purchase'
  const location = await authorize(client_id, { redirect_uri, scope })
  assert.match(location ?? '', /interaction=/)
})

test('an authorization response goes to a registered URI or nowhere', async () => {
  const client_id = await registered({ redirect_uris: ['https://app.client.example/cb'] })
  const good = { redirect_uri: 'https://app.client.example/cb' }
  assert.match((await authorize(client_id, good)) ?? '', /interaction=/)
  for (const redirect_uri of [
    'https://app.client.example/cb/',
    'https://app.client.example/CB',
    'https://app.client.example/cb?x=1',
    'https://app.client.example/%2e/cb',
    'https://app.client.example/x/../cb',
    'https://user@app.client.example/cb',
    'https://x.app.client.example/cb',
    'https://app.client.example:8443/cb',
    'http://app.client.example/cb',
    'https://app.client.example/cb#x',
    'https://app.client.example\\cb',
    'https://evil.test/cb',
    'javascript:alert(1)',
  ])
    assert.equal(await authorize(client_id, { redirect_uri }), null, redirect_uri)
  assert.equal(await authorize('client_unknown', good), null)
})

test('a loopback URI may vary in its port, and in nothing else', async () => {
  const client_id = await registered({ redirect_uris: ['http://127.0.0.1/cb'] })
  const redirect_uri = 'http://127.0.0.1:49152/cb'
  assert.match((await authorize(client_id, { redirect_uri })) ?? '', /interaction=/)
  for (const other of [
    'http://localhost:49152/cb',
    'http://127.0.0.2:49152/cb',
    'http://127.0.0.1.evil.test:49152/cb',
    'http://localhost.evil.test:49152/cb',
    'https://127.0.0.1:49152/cb',
    'http://127.0.0.1:49152/cb/',
  ])
    assert.equal(await authorize(client_id, { redirect_uri: other }), null, other)
})

test('no URL that a client names is loaded', async () => {
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
  for (const scheme of ['http', 'https']) {
    const named: string = `${scheme}://127.0.0.1:${address.port}/x`
    const client_id = await registered({
      ...least,
      logo_uri: named,
      client_uri: named,
      jwks_uri: named,
      sector_identifier_uri: named,
      request_uris: [named],
      initiate_login_uri: named,
      backchannel_logout_uri: named,
      software_statement: named,
    })
    const [redirect_uri = ''] = least.redirect_uris
    const location = await authorize(client_id, { redirect_uri })
    const page = await fetch(new URL(location ?? '', registrar.url))
    assert.ok(!(await page.text()).includes(named))
  }
  assert.equal(connections, 0)
})
