// Redirect URI validation: a browser is only sent to the registered redirect URI, compared exactly.
// Every mismatch gets a page of ours without Location.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedService } from '../support/service.ts'
import { type Client, newVerifier, openAttacker } from './client.ts'

const registrar = await sharedService()
const { authorizeUrl, register, send } = openAttacker(registrar)

const registered = 'https://client.example/oauth/callback'
const client = await register({ redirect_uris: [registered] })
const loopback = await register({ redirect_uris: ['http://127.0.0.1:43119/callback?a=b'] })
const app = await register({ redirect_uris: ['com.example.app:/oauth'] })

type Request = { client?: Client; changes: Record<string, string | undefined> }

/** An error page without redirect, and without a link to a requested URI. */
async function assertStays({ client: of = client, changes }: Request): Promise<void> {
  const answer = await send(authorizeUrl(of, newVerifier(), changes).href)
  const words = JSON.stringify(changes)
  assert.equal(answer.status, 400, words)
  assert.equal(answer.headers.get('location'), null, words)
  assert.equal(answer.headers.get('refresh'), null, words)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/, words)
  assert.match(answer.text, /<link rel="stylesheet" href="\/assets\/[\w-]+\.css">/, words)
  const body = answer.text.slice(answer.text.indexOf('<body'))
  assert.doesNotMatch(answer.text, /<meta[^>]+refresh|<script|<form/i, words)
  assert.doesNotMatch(body, /href=/i, words)
}

/** URIs that a careless comparison or parser takes for the registered one. */
const alike = [
  `${registered}/`,
  `${registered}?`,
  `${registered}?next=https://evil.example`,
  `${registered}#`,
  `${registered}%2f`,
  'https://client.example/oauth/Callback',
  'https://CLIENT.example/oauth/callback',
  'HTTPS://client.example/oauth/callback',
  'https://client.example:443/oauth/callback',
  'https://client.example:8443/oauth/callback',
  'http://client.example/oauth/callback',
  'https://client.example/oauth/%63allback',
  'https://client.example/oauth/%2e%2e/oauth/callback',
  'https://client.example/oauth/../oauth/callback',
  'https://client.example/oauth/./callback',
  'https://client.example//oauth/callback',
  'https://client.example/oauth/callback/../../evil',
  'https://evil@client.example/oauth/callback',
  'https://client.example@evil.example/oauth/callback',
  'https://evil.client.example/oauth/callback',
  'https://client.example.evil.example/oauth/callback',
  'https://client.example./oauth/callback',
  'https://client.example\\@evil.example/oauth/callback',
  'https://clıent.example/oauth/callback',
  '//client.example/oauth/callback',
  '/oauth/callback',
  ' https://client.example/oauth/callback',
  'https://client.example/oauth/callback\r\nLocation: https://evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://client.example/oauth/callback https://evil.example/',
]

describe('a redirect URI', () => {
  test('that is registered is accepted', async () => {
    for (const one of [client, loopback, app]) {
      const { status, headers } = await send(authorizeUrl(one, newVerifier()).href)
      assert.equal(status, 303)
      assert.match(headers.get('location') ?? '', /\/oauth\/authorize\?interaction=/)
    }
  })

  test('is compared exactly', async () => {
    for (const redirect_uri of alike) await assertStays({ changes: { redirect_uri } })
  })

  test('named twice gets an error at the registered one, or none', async () => {
    const two = await register({ redirect_uris: [registered, `${registered}/two`] })
    for (const one of [client, two]) {
      const asked = authorizeUrl(one, newVerifier())
      asked.searchParams.append('redirect_uri', 'https://evil.example/')
      const { headers, status } = await send(asked.href)
      const location = headers.get('location')
      if (one === client) assert.ok(location?.startsWith(`${registered}?error=invalid_request&`))
      else assert.deepEqual([status, location], [400, null])
    }
  })

  test('may be left out only if one is registered', async () => {
    const two = await register({ redirect_uris: [registered, `${registered}/two`] })
    for (const redirect_uri of [undefined, ''])
      await assertStays({ client: two, changes: { redirect_uri } })
  })

  test('on loopback may vary only in its port', async () => {
    const other = { redirect_uri: 'http://127.0.0.1:50001/callback?a=b' }
    const reservedSchemes = await send(authorizeUrl(loopback, newVerifier(), other).href)
    assert.equal(reservedSchemes.status, 303)
    for (const redirect_uri of [
      'http://127.0.0.1:43119/callback?a=b&c=d',
      'http://127.0.0.1:43119/callback',
      'http://127.0.0.1:43119/callback/?a=b',
      'http://127.0.0.1:43119/Callback?a=b',
      'http://localhost:43119/callback?a=b',
      'http://127.0.0.2:43119/callback?a=b',
      'http://127.1:43119/callback?a=b',
      'http://2130706433:43119/callback?a=b',
      'http://127.0.0.1.evil.example:43119/callback?a=b',
      'http://evil@127.0.0.1:43119/callback?a=b',
      'http://[::ffff:127.0.0.1]:43119/callback?a=b',
      'https://127.0.0.1:43119/callback?a=b',
    ])
      await assertStays({ client: loopback, changes: { redirect_uri } })
  })

  test('of a private-use scheme may not vary', async () => {
    for (const redirect_uri of [
      'com.example.app:/oauth/',
      'com.example.app://oauth',
      'com.example.app:/oauth?x=1',
      'com.example.APP:/oauth',
      'com.example.app2:/oauth',
    ])
      await assertStays({ client: app, changes: { redirect_uri } })
  })
})

describe('a client', () => {
  test('that is not registered gets a page, whatever its request', async () => {
    for (const client_id of [
      'unknown',
      '',
      'client_0',
      '../../etc',
      "' or 1=1 --",
      `${'a'.repeat(300)}`,
    ])
      await assertStays({ changes: { client_id } })
    await assertStays({ changes: { client_id: undefined } })
  })

  test('gets no response at a redirect URI that is not its own, whatever else is wrong', async () => {
    for (const wrong of [
      { response_type: 'token' },
      { code_challenge: undefined },
      { scope: 'nothing of ours' },
      { resource: 'https://evil.example/' },
      { prompt: 'none' },
    ])
      await assertStays({ changes: { ...wrong, redirect_uri: 'https://evil.example/' } })
  })

  test('cannot choose a response mode that runs a script or posts to a third party', async () => {
    for (const response_mode of ['web_message', 'query.jwt', 'evil'])
      assert.doesNotMatch(
        (await send(authorizeUrl(client, newVerifier(), { response_mode }).href)).headers.get(
          'location',
        ) ?? '',
        /interaction=/,
      )
  })
})

describe('at registration', () => {
  test('a redirect URI that runs, opens or reads something is rejected', async () => {
    for (const uri of [
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      ' javascript:alert(1)',
      'java\tscript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'file:///etc/passwd',
      'vbscript:msgbox(1)',
      'blob:https://client.example/x',
      'about:blank',
      'ftp://client.example/',
      'ws://client.example/',
      'http://client.example/callback',
      'http://10.0.0.1/callback',
      'http://localhost.evil.example/callback',
      'http://127.0.0.1@evil.example/callback',
      'https://client.example/callback#fragment',
      'https://user:password@client.example/callback',
      'https://*.example/callback',
      'https://client.example/a/../callback',
      'https://client.example/call back',
      'https://client.example/callback\n',
      'callback',
      '',
    ]) {
      const answer = await registrar.request('POST', '/register', {
        body: { redirect_uris: [uri] },
      })
      assert.equal(answer.status, 400, uri)
      assert.equal(answer.body.error, 'invalid_redirect_uri', uri)
    }
  })
})
