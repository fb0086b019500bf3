// Open redirector guard: a client without consent gets no redirect of a browser that is not logged
// in, or a link to our site would lead to any registered address.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { sharedService } from '../../../test/support/service.ts'
import { newClient, newVisitor } from '../consent/consent.fixture.ts'

import { authorization, type Client, connect, ownerOf, person, register } from '../flow.fixture.ts'

const registrar = await sharedService({ worker: false })
const query = ownerOf(registrar)
const password = 'a horse, a battery & a staple'
const redirect_uri = 'https://evil.example/phish'
/** A sandbox has its pages at localhost, to which other navigations are led. */
const host = `localhost:${new URL(registrar.url).port}`
const navigation = { host, 'sec-fetch-dest': 'document', accept: 'text/html,*/*;q=0.8' }

async function unknownClient(): Promise<Client> {
  const { client_id } = await register(registrar, { redirect_uris: [redirect_uri] })
  return { client_id, redirect_uri }
}

const broken = [
  { response_type: 'nonsense' },
  { response_type: 'token' },
  { prompt: 'none' },
  { code_challenge: null },
  { scope: '"' },
  { resource: 'https://elsewhere.example' },
  { response_mode: 'form_post', prompt: 'none' },
  { response_mode: 'fragment', prompt: 'none' },
  { state: 'x', max_age: '-1' },
]

test('an invalid request of an unknown client gets a page with the error and the host', async () => {
  const client = await unknownClient()
  for (const change of broken) {
    const { url } = authorization(registrar, client, change)
    const path = `${url.pathname}${url.search}`
    const about = JSON.stringify(change)
    const { status, headers, text } = await registrar.request('GET', path, { headers: navigation })
    assert.equal(status, 400, about)
    assert.equal(headers.get('location'), null, about)
    assert.match(headers.get('content-type') ?? '', /^text\/html/, about)
    assert.match(headers.get('content-security-policy') ?? '', /form-action 'none'/, about)
    assert.match(text, /evil\.example/, about)
    assert.ok(!text.includes('/phish') && !/<(form|script|meta http)/.test(text), text)
  }
})

test('an unregistered redirect URI gets an error page without the URI', async () => {
  const client = await unknownClient()
  const { url } = authorization(registrar, client, { redirect_uri: 'https://other.example/x' })
  const path = `${url.pathname}${url.search}`
  const { status, headers, text } = await registrar.request('GET', path, { headers: navigation })
  assert.equal(status, 400)
  assert.equal(headers.get('location'), null)
  assert.match(text, /redirect_uri/)
  assert.doesNotMatch(text, /would have sent you|other\.example/)
})

test('requests other than navigations get the standard redirect, with error, state and iss', async () => {
  const client = await unknownClient()
  for (const headers of [{}, { 'sec-fetch-dest': 'empty' }, { 'sec-fetch-dest': 'iframe' }]) {
    const { url, state } = authorization(registrar, client, { response_type: 'nonsense' })
    const answer = await registrar.request('GET', `${url.pathname}${url.search}`, { headers })
    assert.equal(answer.status, 303)
    const to = new URL(answer.headers.get('location') ?? '')
    assert.equal(`${to.origin}${to.pathname}`, redirect_uri)
    assert.equal(to.searchParams.get('error'), 'unsupported_response_type')
    assert.equal(to.searchParams.get('state'), state)
    assert.equal(to.searchParams.get('iss'), registrar.url)
  }
})

test('a valid request of an unknown client gets the consent page', async () => {
  const { url } = authorization(registrar, await unknownClient())
  const path = `${url.pathname}${url.search}`
  const { status, headers } = await registrar.request('GET', path, { headers: navigation })
  assert.equal(status, 303)
  assert.match(headers.get('location') ?? '', /^\/oauth\/authorize\?interaction=/)
})

test('a logged-in browser, and a client with a consent, get the redirect', async () => {
  const owner = await person(registrar, query)
  const { client } = await connect(registrar, owner)
  const visitor = newVisitor(registrar)
  const { form } = await visitor.page((await newClient(registrar)).url())
  const { email } = owner
  await visitor.leave(await visitor.decide(form, { email, password }))
  const known = authorization(registrar, client, { response_type: 'nonsense' })
  const path = `${known.url.pathname}${known.url.search}`
  const anyone = await registrar.request('GET', path, { headers: navigation })
  assert.equal(anyone.status, 303)
  assert.match(anyone.headers.get('location') ?? '', /error=unsupported_response_type/)
  await query('update oauth_grants set revoked_at = now() where client_id = $1', [client.client_id])
  const ended = await registrar.request('GET', path, { headers: navigation })
  assert.deepEqual([ended.status, ended.headers.get('location')], [400, null])
  const { url } = authorization(registrar, await unknownClient(), { response_type: 'nonsense' })
  const { status, location } = await visitor.open(url, navigation)
  assert.equal(status, 303)
  assert.equal(new URL(location ?? '').hostname, 'evil.example')
})

test('a navigation to the address of the API is led to the origin of the pages', async () => {
  const { url } = authorization(registrar, await unknownClient())
  const path = `${url.pathname}${url.search}`
  const { host: _pages, ...elsewhere } = navigation
  const { status, headers } = await registrar.request('GET', path, { headers: elsewhere })
  assert.deepEqual([status, headers.get('location')], [303, `http://${host}${path}`])
})
