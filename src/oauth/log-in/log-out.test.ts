// The end of a log-in: an authorization page that was shown under it issues nothing any more.
import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { newOwner } from '../../../test/support/owner.ts'
import { rowsIn } from '../../../test/support/owner-sql.ts'
import { startService } from '../../../test/support/service.ts'
import { cookieBrowser, ours } from '../../../test/support/sign-in.ts'
import { openIssuer, someUser, ssoSettings } from '../../../test/support/sso/identity-providers.ts'
import {
  formIn,
  isPage,
  newClient,
  newVisitor,
  type Seen,
  type Visitor,
} from '../consent/consent.fixture.ts'
import { ssoReturn } from './single-sign-on.fixture.ts'

const issuer = await openIssuer()
after(() => issuer.close())
const registrar = await startService({ settings: ssoSettings({ acme: issuer.url }) })
const client = await newClient(registrar)
const rows = rowsIn(registrar)
beforeEach(() => Object.assign(issuer, { user: someUser(), faults: {} }))

const cookieHeader = ({ cookies }: Visitor) =>
  [...cookies.values()].map(({ pair }) => pair).join('; ')
async function logOut(visitor: Visitor): Promise<void> {
  const headers = { ...ours, cookie: cookieHeader(visitor) }
  const out = await registrar.request('POST', '/v1/dashboard/logout', { body: {}, headers })
  assert.equal(out.status, 204, out.text)
}
const pageOf = (seen: Seen) => {
  const input = formIn(seen).inputs.find(({ name }) => name === 'interaction')
  return `/oauth/authorize?interaction=${input?.value}`
}

/** Neither the page nor its form, as it was shown before, is of anybody logged in. */
async function isLoggedOut(visitor: Visitor, consent: Seen): Promise<void> {
  const again = await visitor.open(pageOf(consent))
  assert.doesNotMatch(again.text, /Logged in as|value="allow"/)
  const answer = await visitor.press(formIn(consent), 'allow', { preset: 'read' })
  assert.doesNotMatch(answer.location ?? '', /authorize\/|code=/)
  assert.doesNotMatch(answer.text, /Logged in as/)
}

async function dashboardVisitor() {
  const by = await cookieBrowser(registrar)
  const visitor = newVisitor(registrar)
  visitor.cookies.set('session /', { pair: by.cookie, path: '/' })
  return { by, visitor }
}
async function continued(visitor: Visitor): Promise<Seen> {
  const { form } = await visitor.page(client.url())
  return visitor.press(form, 'continue')
}
async function allowed(visitor: Visitor, consent: Seen): Promise<void> {
  await visitor.leave(await visitor.press(formIn(consent), 'allow', { preset: 'read' }))
}

describe('a log-out of the dashboard', () => {
  it('ends a log-in through a provider that is pending in an authorization', async () => {
    const visitor = newVisitor(registrar)
    const consent = await ssoReturn(registrar, visitor, { client })
    assert.match(consent.text, /Logged in as/)
    await logOut(visitor)
    await isLoggedOut(visitor, consent)
  })

  it('ends one by password, given at the page itself', async () => {
    const { visitor } = await dashboardVisitor()
    const { form } = await visitor.page(client.url())
    const logIn = await visitor.press(form, 'switch')
    const owner = await newOwner(registrar)
    const consent = await visitor.logIn(formIn(logIn), owner)
    assert.match(consent.text, /Logged in as/)
    await logOut(visitor)
    await isLoggedOut(visitor, consent)
  })

  it('ends the log-in of consents that were given in it: a new app gets the log-in page', async () => {
    const { visitor } = await dashboardVisitor()
    await allowed(visitor, await continued(visitor))
    assert.match((await visitor.page(client.url())).text, /Logged in as/)
    await logOut(visitor)
    const other = await newClient(registrar, { client_name: 'Other' })
    isPage(await visitor.page(other.url()), 200, /name="password"/)
  })

  it('ends that of a consent by password in the same browser, and of no other browser', async () => {
    const owner = await newOwner(registrar)
    const { visitor } = await dashboardVisitor()
    const elsewhere = newVisitor(registrar)
    for (const one of [visitor, elsewhere]) {
      const { form } = await one.page(client.url())
      const page = one === visitor ? await one.press(form, 'switch') : { form }
      const consent = await one.logIn('form' in page ? page.form : formIn(page), owner)
      await allowed(one, consent)
    }
    await logOut(visitor)
    assert.doesNotMatch((await visitor.page(client.url())).text, /Logged in as/)
    assert.match((await elsewhere.page(client.url())).text, /Logged in as/)
  })

  it('in the list of sessions does the same', async () => {
    const { by, visitor } = await dashboardVisitor()
    await allowed(visitor, await continued(visitor))
    const [session] = await rows(
      'select id from sessions where customer_id = $1 and oauth_uid is null',
      [by.account.id],
    )
    const path = `/v1/account/sessions/${session.id}`
    const headers = { ...ours }
    assert.equal((await by.send('DELETE', path, { headers })).status, 204)
    assert.doesNotMatch((await visitor.page(client.url())).text, /Logged in as|Continue as/)
  })
})

describe('a session of the dashboard that another of the account replaces', () => {
  it('leaves the browser logged in at the consent page', async () => {
    const visitor = newVisitor(registrar)
    await allowed(visitor, await ssoReturn(registrar, visitor, { client }))
    const again = await ssoReturn(registrar, visitor, { client, asked: { prompt: 'login' } })
    await allowed(visitor, again)
    assert.match((await visitor.page(client.url())).text, /Logged in as/)
  })
})

describe('a changed password', () => {
  it('ends a log-in by the one before that is pending in an authorization', async () => {
    const owner = await newOwner(registrar)
    const visitor = newVisitor(registrar)
    const consent = await visitor.consentPage(client.url(), owner)
    await rows('update passwords set changed_at = now() where customer_id = $1', [owner.id])
    await isLoggedOut(visitor, consent)
  })
})
