// Single sign-on within an authorization: the browser returns to the same page, logged in, with a
// new account, or with the confirmation of a link.
import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { newOwner } from '../../../test/support/owner.ts'
import { startService } from '../../../test/support/service.ts'
import { openIssuer, someUser, ssoSettings } from '../../../test/support/sso/identity-providers.ts'
import { formIn, isPage, newClient, newVisitor, type Visitor } from '../consent/consent.fixture.ts'

const issuer = await openIssuer()
after(() => issuer.close())
const registrar = await startService({ settings: ssoSettings({ acme: issuer.url }) })
const client = await newClient(registrar)
beforeEach(() => Object.assign(issuer, { user: someUser(), faults: {} }))

const html = { accept: 'text/html' }
const pathOf = (url: string | null) => {
  const { pathname, search } = new URL(url ?? '', registrar.url)
  return pathname + search
}

/** Path of the callback, as the provider sends the browser there. */
async function agreed(visitor: Visitor): Promise<string> {
  const { form } = await visitor.page(client.url())
  const started = await visitor.press(form, 'sso:acme')
  assert.equal(started.status, 303, started.text)
  assert.ok(started.location?.startsWith(issuer.url))
  const back = await fetch(started.location ?? '', { redirect: 'manual' })
  return pathOf(back.headers.get('location'))
}

/** Back at the page of the interaction. */
async function returned(visitor: Visitor) {
  const callback = await visitor.open(await agreed(visitor), html)
  assert.equal(callback.status, 303, callback.text)
  assert.doesNotMatch(callback.location ?? '', /ticket/)
  const page = await visitor.open(pathOf(callback.location))
  return page.status === 303 ? visitor.open(page.location ?? '') : page
}

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
    isPage(page, 422, /cancelled at the identity provider/)
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
    const at = pathOf(callback.location)
    assert.equal((await visitor.open(at)).status, 303)
    assert.ok(![...visitor.cookies.keys()].some((name) => name.includes('sso-ticket')))
    const { form } = await other.page(client.url())
    other.cookies.set(...ticket)
    const uid = form.inputs.find(({ name }) => name === 'interaction')?.value
    const replayed = await other.open(`/oauth/authorize?interaction=${uid}`)
    isPage(replayed, 422, /started in another browser/)
  })
})
