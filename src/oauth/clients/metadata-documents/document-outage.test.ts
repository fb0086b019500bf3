// Outages of the host of a client metadata document: known clients continue, the others get a
// temporary error.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Answering, startDocumentServer } from '../../../../test/support/client-documents.ts'
import { startService, type TestService } from '../../../../test/support/service.ts'
import {
  authorization,
  type Client,
  decide,
  ownerOf,
  person,
  post,
  redeem,
  redirect_uri,
  refresh,
} from '../../flow.fixture.ts'

const documents = await startDocumentServer()
const outbound = documents.network
const registrar = await startService({ outbound })
registrar.closers.push(() => documents.close())
const query = ownerOf(registrar)
const owner = await person(registrar, query)

/** Another node of the same service, which has read nothing yet: where to reach it. */
async function otherNode(): Promise<Pick<TestService, 'url'>> {
  const { sandbox, mailbox, service, url } = registrar
  const database_url = service.settings.database_url ?? ''
  const settings = { PUBLIC_URL: url, MCP_URL: url }
  const shared = { database_url, sandbox, mailbox, outbound, settings }
  const { server } = (await startService({ ...shared, worker: false })).service
  const port = Number(new URL(server.listeningOrigin).port)
  return { url: `http://127.0.0.1:${port}` }
}
const node = await otherNode()

type Connected = { client: Client; refresh_token: string; path: string }

/** A client with a document, its owner's consent, and a refresh token. */
async function connected(path: string): Promise<Connected> {
  const client_id = documents.document(path, { redirect_uris: [redirect_uri] })
  const client = { client_id, redirect_uri }
  const asked = authorization(registrar, client, { scope: 'account:read' })
  const code = (await decide(owner, asked)).get('code') ?? ''
  const { body, status, text } = await redeem(registrar, client, { code, verifier: asked.verifier })
  assert.equal(status, 200, text)
  return { client, refresh_token: body.refresh_token, path }
}

/** Its freshness ended so long ago. */
async function aged({ client }: Connected, ended: string): Promise<void> {
  const changed = await query(
    `update oauth_documents
        set read_at = now() - interval '40 hours', fresh_until = now() - $2::interval
      where client_id = $1 returning client_id`,
    [client.client_id, ended],
  )
  assert.equal(changed.length, 1)
}

async function copyOf({ client }: Connected): Promise<Record<string, unknown> | undefined> {
  const [row] = await query(
    'select fresh_until > now() as fresh from oauth_documents where client_id = $1',
    [client.client_id],
  )
  return row
}

const answers = (status: number): Answering => {
  return (_request, response) => response.writeHead(status).end()
}
const breaksOff: Answering = (request) => request.socket.destroy()
const json =
  (text: string): Answering =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(text)

/** One refresh at a node. */
function refreshed(at: typeof node, { client, refresh_token }: Connected) {
  return refresh(at, client, { refresh_token })
}

function assertLater({ status, body, headers }: Awaited<ReturnType<typeof refresh>>): void {
  assert.equal(status, 503)
  assert.equal(body.error, 'temporarily_unavailable')
  assert.ok(Number(headers.get('retry-after')) >= 1)
}

describe('a connected client whose document cannot be read', () => {
  const outages: [string, Answering][] = [
    ['/busy.json', answers(503)],
    ['/broken.json', answers(500)],
    ['/often.json', answers(429)],
    ['/cut.json', breaksOff],
  ]
  for (const [path, outage] of outages)
    test(`is refreshed at a node that never read it (${path})`, async () => {
      const one = await connected(path)
      await aged(one, '23 hours')
      documents.answers.set(path, outage)
      const before = documents.hits.length
      const first = await refreshed(node, one)
      assert.equal(first.status, 200, first.text)
      let { refresh_token } = first.body
      for (let i = 0; i < 4; i += 1) {
        const next = await refresh(node, one.client, { refresh_token })
        assert.equal(next.status, 200, next.text)
        refresh_token = next.body.refresh_token
      }
      // One that waits for each would be slow, and would not let the host rest.
      assert.equal(documents.hits.length, before + 1)
    })

  test('has it fetched again once its host is back', async () => {
    const one = await connected('/back.json')
    await aged(one, '1 minute')
    assert.equal((await refreshed(node, one)).status, 200)
    assert.deepEqual(await copyOf(one), { fresh: true })
  })

  test('gets a temporary error, and keeps its tokens, once the document is staler than a day', async () => {
    const one = await connected('/long.json')
    await aged(one, '24 hours 1 minute')
    documents.answers.set('/long.json', answers(503))
    for (let i = 0; i < 4; i += 1) assertLater(await refreshed(node, one))
    documents.document('/long.json', { redirect_uris: [redirect_uri] })
    const later = await otherNode()
    const { status, text } = await refreshed(later, one)
    assert.equal(status, 200, text)
  })

  test('keeps nothing that the document no longer allows', async () => {
    const one = await connected('/less.json')
    await aged(one, '1 minute')
    documents.document('/less.json', {
      redirect_uris: [redirect_uri],
      grant_types: ['authorization_code'],
    })
    const { status, body } = await refreshed(node, one)
    assert.equal(status, 400)
    assert.match(body.error_description, /grant type is not allowed for this client/)
  })
})

describe('a document that its host withdrew', () => {
  const ends: [string, Answering][] = [
    ['/gone.json', answers(410)],
    ['/nothing.json', answers(404)],
    ['/moved.json', answers(301)],
    ['/text.json', json('{')],
    [
      '/other.json',
      json('{"client_id":"https://other.example/","redirect_uris":["https://a.b/"]}'),
    ],
  ]
  for (const [path, end] of ends)
    test(`ends its client at once, and no stale document is used (${path})`, async () => {
      const one = await connected(path)
      await aged(one, '1 minute')
      documents.answers.set(path, end)
      const { status, body } = await refreshed(node, one)
      assert.equal(status, 400)
      assert.equal(body.error, 'invalid_client')
      assert.equal(await copyOf(one), undefined)
      documents.answers.set(path, answers(503))
      assertLater(await refreshed(node, one))
    })
})

describe('an unknown client', () => {
  test('gets a temporary error at the token endpoint', async () => {
    documents.answers.set('/new.json', answers(502))
    const client_id = `${documents.origin}/new.json`
    const fields = { client_id, grant_type: 'refresh_token', refresh_token: 'x' }
    const answer = await post(`${registrar.url}/oauth/token`, fields)
    assertLater(answer)
    assert.match(answer.body.error_description, /its host answered 502.*try again in \d+ seconds/)
  })

  test('gets a page with instructions, and no redirect, at the authorization endpoint', async () => {
    documents.answers.set('/page.json', breaksOff)
    const client = { client_id: `${documents.origin}/page.json`, redirect_uri }
    const answer = await fetch(authorization(registrar, client).url, { redirect: 'manual' })
    assert.equal(answer.status, 503)
    assert.equal(answer.headers.get('location'), null)
    assert.ok(Number(answer.headers.get('retry-after')) >= 1)
    const text = await answer.text()
    assert.match(text, /Temporarily unavailable/)
    assert.match(text, /reload this page/)
    assert.doesNotMatch(text, /invalid_client|made an invalid request/)
  })

  test('a host that is unknown to the DNS is treated as an outage', async () => {
    const { sandbox, mailbox } = registrar
    const lost = { ...outbound, resolve: async () => [] }
    const lonely = await startService({ sandbox, mailbox, outbound: lost, worker: false })
    const client_id = `${documents.origin}/lost.json`
    const fields = { client_id, grant_type: 'refresh_token', refresh_token: 'x' }
    assertLater(await post(`${lonely.url}/oauth/token`, fields))
  })
})
