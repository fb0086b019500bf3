// Single sign-on within an authorization: the browser returns to the same page, logged in, with a
// new account, or with the confirmation of a link.
import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import type { Form } from '../../../test/support/browser.ts'
import { newOwner } from '../../../test/support/owner.ts'
import { rowsIn } from '../../../test/support/owner-sql.ts'
import { startService } from '../../../test/support/service.ts'
import { openIssuer, someUser, ssoSettings } from '../../../test/support/sso/identity-providers.ts'
import { formIn, isPage, newClient, newVisitor, type Visitor } from '../consent/consent.fixture.ts'
import { pathOf, ssoAgreed, ssoReturn } from './single-sign-on.fixture.ts'

const issuer = await openIssuer()
after(() => issuer.close())
const registrar = await startService({ settings: ssoSettings({ acme: issuer.url }) })
const client = await newClient(registrar)
beforeEach(() => Object.assign(issuer, { user: someUser(), faults: {} }))

const rows = rowsIn(registrar)
const interactionOf = ({ inputs }: Form) => inputs.find(({ name }) => name === 'interaction')?.value

const html = { accept: 'text/html' }
const agreed = (visitor: Visitor) => ssoAgreed(registrar, visitor, { client })
const returned = (visitor: Visitor) => ssoReturn(registrar, visitor, { client })

describe('single sign-on within an authorization', () => {
  it('signs up, and goes on with the consent; the next time it logs in', async () => {
    for (const visitor of [newVisitor(registrar), newVisitor(registrar)]) {
      const consent = await returned(visitor)
      assert.match(consent.text, new RegExp(`Logged in as <strong>${issuer.user.email}`))
      const answer = await visitor.press(formIn(consent), 'allow', { preset: 'read' })
      const away = await visitor.leave(answer)
      const { status } = await client.redeem(away.searchParams.get('code'))
      assert.equal(status, 200)
    }
  })

  it('leads a browser to the provider by a page, which no form-action stops', async () => {
    const visitor = newVisitor(registrar)
    const { form } = await visitor.page(client.url())
    const hidden = form.inputs.filter(({ type }) => type === 'hidden')
    const fields = hidden.map(({ name, value }): [string, string] => [name, value])
    const browser = { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'same-origin' }
    const page = await visitor.submit([...fields, ['decision', 'sso:acme']], browser)
    isPage(page, 200, /<meta http-equiv="refresh" content="0;url=http/)
    assert.ok(page.text.includes(issuer.url))
  })
})

describe('a known address', () => {
  it('is linked with the password of the account', async () => {
    const owner = await newOwner(registrar)
    issuer.user.email = owner.email
    const visitor = newVisitor(registrar)
    const link = await returned(visitor)
    isPage(link, 200, /You already have an account/)
    const wrong = await visitor.press(formIn(link), 'link', { password: 'not this one' })
    isPage(wrong, 422, /Incorrect password/)
    const consent = await visitor.press(formIn(link), 'link', { password: owner.password })
    assert.match(consent.text, new RegExp(`Logged in as <strong>${owner.email}`))
    assert.match((await returned(newVisitor(registrar))).text, /Logged in as/)
  })

  it('is linked with a mailed code', async () => {
    const owner = await newOwner(registrar)
    issuer.user.email = owner.email
    const visitor = newVisitor(registrar)
    const link = await returned(visitor)
    const asked = await visitor.press(formIn(link), 'link_code')
    isPage(asked, 200, /6-digit code/)
    const mails = await registrar.mails({ to: owner.email, subject: /code|link/i })
    const code = /^\s*(\d{6})\s*$/m.exec(mails.at(-1)?.text ?? '')?.[1] ?? ''
    const wrong = code === '111111' ? '222222' : '111111'
    const refused = await visitor.press(formIn(asked), 'link', { code: wrong })
    isPage(refused, 422, /The code is wrong/)
    const consent = await visitor.press(formIn(asked), 'link', { code })
    assert.match(consent.text, new RegExp(`Logged in as <strong>${owner.email}`))
  })
})

describe('a return from a provider', () => {
  it('says on the page why there is no log-in, which can be tried again', async () => {
    const visitor = newVisitor(registrar)
    issuer.faults = {
      response(parameters) {
        parameters.delete('code')
        parameters.set('error', 'access_denied')
      },
    }
    const page = await returned(visitor)
    isPage(page, 422, /canceled at the identity provider/)
    issuer.faults = {}
    issuer.user.email_verified = false
    isPage(await returned(visitor), 422, /no verified email address/)
    const unknown = await visitor.press(formIn(page), 'sso:unknown')
    isPage(unknown, 422, /no longer offered/)
  })

  it('logs no other browser in, and uses a ticket once', async () => {
    const visitor = newVisitor(registrar)
    const path = await agreed(visitor)
    const other = newVisitor(registrar)
    const stolen = await other.open(path, html)
    assert.match(stolen.location ?? '', /sso_error=sso_state_not_valid/)
    const callback = await visitor.open(path, html)
    const ticket = [...visitor.cookies].find(([name]) => name.includes('sso-ticket'))
    assert.ok(ticket)
    const at = pathOf(registrar, callback.location)
    assert.equal((await visitor.open(at)).status, 303)
    assert.ok(![...visitor.cookies.keys()].some((name) => name.includes('sso-ticket')))
    const [key, { pair, path: all }] = ticket
    const { form } = await other.page(client.url())
    const of = interactionOf(form)
    const moved = (text: string) => text.replace(/(sso-ticket-\d+\.)[\w-]+/, `$1${of}`)
    other.cookies.set(moved(key), { pair: moved(pair), path: all })
    const replayed = await other.open(`/oauth/authorize?interaction=${of}`)
    isPage(replayed, 422, /started in another browser/)
  })

  it('is for the app whose page started it alone', async () => {
    const visitor = newVisitor(registrar)
    const evil = await newClient(registrar, { client_name: 'Evil' })
    const callback = await visitor.open(await agreed(visitor), html)
    const page = await visitor.page(evil.url())
    assert.doesNotMatch(page.text, /Logged in as|Continue as/)
    const own = await visitor.open(pathOf(registrar, callback.location))
    assert.match((await visitor.open(own.location ?? '')).text, /Logged in as/)
  })

  it('leaves no ticket in the browser, also where the page has ended', async () => {
    const visitor = newVisitor(registrar)
    const callback = await visitor.open(await agreed(visitor), html)
    const at = pathOf(registrar, callback.location)
    for (const name of visitor.cookies.keys())
      if (name.startsWith('oauth_interactions.')) visitor.cookies.delete(name)
    isPage(await visitor.open(at), 400, /page has expired/)
    assert.ok(![...visitor.cookies.keys()].some((name) => name.includes('sso-ticket')))
  })
})

describe('a confirmation', () => {
  /** A visitor whose log-in through the provider is too old for what the app requests. */
  async function confirming() {
    const visitor = newVisitor(registrar)
    await returned(visitor)
    const { email } = issuer.user
    await rows(
      `update sessions set signed_in_at = now() - interval '11 minutes'
        where customer_id = (select id from customers where email = $1)`,
      [email],
    )
    registrar.service.app.authentications.invalidate()
    const { form } = await visitor.page(client.url())
    const confirm = await visitor.press(form, 'continue')
    isPage(confirm, 200, /<h1>Confirm that it is you/)
    return { visitor, email, form: formIn(confirm) }
  }

  it('by another identity is refused, and creates no account', async () => {
    const { visitor, email, form } = await confirming()
    Object.assign(issuer, { user: someUser() })
    const next = await ssoReturn(registrar, visitor, { client, form })
    isPage(next, 422, /belongs to another account/)
    assert.ok(next.text.includes(email))
    const made = await rows('select id from customers where email = $1', [issuer.user.email])
    assert.equal(made.length, 0)
    const again = await ssoReturn(registrar, visitor, { client, form: formIn(next) })
    isPage(again, 422, /belongs to another account/)
  })

  it('asks the provider for a new log-in, and refuses an older one', async () => {
    const { visitor, form } = await confirming()
    const started = await visitor.press(form, 'sso:acme')
    assert.equal(new URL(started.location ?? '').searchParams.get('max_age'), '0')
    const hourAgo = Math.floor(Date.now() / 1_000) - 3_600
    issuer.faults = { claims: (claims) => ({ ...claims, auth_time: hourAgo }) }
    const old = await ssoReturn(registrar, visitor, { client, form })
    isPage(old, 422, /answer of the identity provider is not valid/)
    issuer.faults = { claims: (claims) => ({ ...claims, auth_time: hourAgo + 3_600 }) }
    const consent = await ssoReturn(registrar, visitor, { client, form: formIn(old) })
    isPage(consent, 200, /value="allow"/)
  })
})

describe('an app that requires a log-in', () => {
  it('has the provider ask for one; another leaves that to the provider', async () => {
    for (const [asked, max_age] of [
      [{ prompt: 'login' }, '0'],
      [{ max_age: '60' }, '0'],
      [{}, null],
    ] as const) {
      const visitor = newVisitor(registrar)
      const scope = 'openid domains:read'
      const { form } = await visitor.page(client.url({ scope, ...asked }))
      const started = await visitor.press(form, 'sso:acme')
      assert.equal(new URL(started.location ?? '').searchParams.get('max_age'), max_age)
    }
  })
})
