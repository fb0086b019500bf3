// Nothing consents for the owner: no remembered login, no parameter of the client, no link from a
// third party; and no redirect repeats a password.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  callback,
  connected,
  isPage,
  newClient,
  newVisitor,
} from '../../src/oauth/consent/consent.fixture.ts'
import { displayName } from '../../src/oauth/shared/display-name.ts'
import { filledIn, newOwner } from '../support/owner.ts'
import { rowsIn } from '../support/owner-sql.ts'
import { sharedService } from '../support/service.ts'

const registrar = await sharedService()
const [victim, thief] = await Promise.all([newOwner(registrar), newOwner(registrar)])
const [client, foreign] = await Promise.all([
  newClient(registrar),
  newClient(registrar, { client_name: 'Of the attacker' }),
])
const rows = rowsIn(registrar)
const consentsOf = async (id: string) =>
  (await rows('select id from oauth_grants where customer_id = $1', [id])).length

/** A browser in which the victim is logged in, and has consented to `program` before. */
async function signedIn() {
  const visitor = newVisitor(registrar)
  const { body } = await connected(
    { client, owner: victim, visitor, scopes: ['account:read'] },
    { scope: 'openid account:read' },
  )
  return { visitor, id_token: String(body.id_token) }
}

describe('a remembered login', () => {
  test('issues nothing for prompt=none', async () => {
    const { visitor, id_token } = await signedIn()
    const before = await consentsOf(victim.id)
    for (const other of [client, foreign])
      for (const parameters of [
        { prompt: 'none' },
        { prompt: 'none', scope: 'account:read' },
        { prompt: 'none', scope: 'openid' },
        { prompt: 'none', id_token_hint: id_token },
        { prompt: 'none', scope: 'openid', login_hint: victim.email, max_age: '100000' },
      ]) {
        const { status, location } = await visitor.open(other.url(parameters))
        const answer = new URL(location ?? '', registrar.url).searchParams
        assert.equal(status, 303)
        assert.equal(answer.get('code'), null, JSON.stringify(parameters))
        assert.ok(answer.get('error'), JSON.stringify(parameters))
      }
    assert.equal(await consentsOf(victim.id), before)
  })

  test('shows the consent page for a new client, and for a known one', async () => {
    const { visitor } = await signedIn()
    for (const other of [foreign, client])
      for (const parameters of [
        {},
        { scope: 'account:read' },
        { scope: 'openid account:read', max_age: '1000' },
        { prompt: 'consent' },
      ]) {
        const page = await visitor.page(other.url(parameters))
        isPage(page, 200, /name="decision" value="allow"/)
        assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
      }
  })
})

describe('the name of a client', () => {
  test('is escaped on the page, however it was registered, and cannot hide the redirect host', async () => {
    for (const client_name of [
      '</title><script>alert(1)</script>',
      '"><input name="decision" value="allow">',
      '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
      '<style>*{display:none}</style>',
      '<form action="https://evil.example/">',
    ]) {
      const other = await newClient(registrar, { client_name })
      const { text, form, headers } = await newVisitor(registrar).page(other.url())
      const escaped = displayName(client_name)
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;')
      assert.ok(!text.includes(client_name), client_name)
      assert.ok(text.includes(escaped), client_name)
      const own = /<script type="module" src="\/assets\/passkey-[\w-]+\.js"><\/script>/
      assert.doesNotMatch(text.replace(own, ''), /<script|<meta http-equiv="refresh"/)
      assert.equal(form.action.pathname, '/oauth/authorize')
      assert.doesNotMatch(form.action.href, /evil/)
      assert.match(text, /an app on this computer \(127\.0\.0\.1:\d+\)/)
      const policy = headers.get('content-security-policy') ?? ''
      assert.match(policy, /^default-src 'none';/)
      assert.match(policy, /; script-src 'self'; connect-src 'self'; style-src 'self';/)
      assert.doesNotMatch(policy, /unsafe-inline/)
    }
  })
})

describe('a link from a third party', () => {
  test('to the sender’s interaction cannot be used in another browser', async () => {
    const sender = newVisitor(registrar)
    const begun = await sender.open(foreign.url())
    const { visitor } = await signedIn()
    isPage(await visitor.open(begun.location ?? ''), 400, /page has expired/)
    const own = await visitor.page(client.url())
    isPage(await visitor.open(begun.location ?? ''), 400, /page has expired/)
    const uid = new URL(begun.location ?? '', registrar.url).searchParams.get('interaction') ?? ''
    const swapped = filledIn(own.form, victim, {}).map(([name, value]): [string, string] =>
      name === 'interaction' ? [name, uid] : [name, value],
    )
    const before = await consentsOf(victim.id)
    isPage(await visitor.submit(swapped), 400, /page has expired/)
    assert.equal(await consentsOf(victim.id), before)
  })

  test('to resume the sender’s consent gives another browser no code', async () => {
    const sender = newVisitor(registrar)
    const { form } = await sender.page(foreign.url())
    const submitted = await sender.decide(form, thief)
    const resume = submitted.location ?? /url=([^"]+)/.exec(submitted.text)?.[1] ?? ''
    assert.match(resume, /\/oauth\/authorize\//)
    const { visitor } = await signedIn()
    for (const browser of [visitor, newVisitor(registrar)]) {
      const reservedSchemes = await browser.open(resume)
      assert.equal(reservedSchemes.status, 400)
      assert.equal(reservedSchemes.location, null)
    }
    const away = await sender.leave(await sender.open(resume))
    assert.ok(away.searchParams.get('code'), 'the sender itself can resume')
  })
})

describe('every redirect', () => {
  test('is a 303, so that a form is never posted again', async () => {
    const visitor = newVisitor(registrar)
    const begun = await visitor.open(client.url())
    assert.equal(begun.status, 303)
    const { form } = await visitor.consentPage(client.url(), victim)
    for (const decision of ['allow', 'deny'] as const) {
      const page = decision === 'deny' ? await visitor.page(client.url()) : { form }
      const fields = filledIn(page.form, victim, { decision })
      let seen = await visitor.submit(fields)
      let redirects = 0
      for (; seen.location !== null; redirects += 1) {
        assert.equal(seen.status, 303)
        assert.doesNotMatch(seen.location, /password|csrf/)
        if (!seen.location.startsWith('/') && !seen.location.startsWith(registrar.url)) break
        seen = await visitor.open(seen.location)
      }
      assert.ok(redirects >= 1, decision)
    }
  })

  test('cannot be changed by extra fields of the form', async () => {
    const visitor = newVisitor(registrar)
    const { form } = await visitor.page(client.url())
    const more: [string, string][] = [
      ['redirect_uri', 'https://evil.example/'],
      ['client_id', 'other'],
      ['returnTo', 'https://evil.example/'],
      ['state', 'evil'],
    ]
    const submitted = await visitor.decide(form, victim, { more })
    const away = await visitor.leave(submitted)
    assert.ok(away.href.startsWith(callback), away.href)
    assert.notEqual(away.searchParams.get('state'), 'evil')
  })
})
