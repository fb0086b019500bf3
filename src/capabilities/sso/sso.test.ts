// Single sign-on against stand-in providers over HTTP: the accounts that it creates and logs in to,
// and the redirects of the browser.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cookieOf, ours } from '../../../test/support/sign-in.ts'
import { someUser } from '../../../test/support/sso/identity-providers.ts'
import { ssoBrowser } from '../../../test/support/sso/sso-browser.ts'
import { openSso } from './sso.fixture.ts'

const { registrar, rows, issuer, other, github, exchanged, atCallback } = await openSso()

describe('a new identity', () => {
  for (const [provider, standIn] of Object.entries({ acme: issuer, github }))
    it(`of ${provider} makes an account with a session and a key, and logs in afterwards`, async () => {
      const { user } = standIn
      const made = await exchanged(provider)
      assert.equal(made.status, 200, made.text)
      const { customer, access_token, mcp_api_key } = made.body
      assert.deepEqual([customer.email, customer.name], [user.email, 'Ada'])
      assert.equal(customer.email_verified, true)
      assert.match(mcp_api_key, /^ar_test_/)
      for (const token of [access_token, mcp_api_key]) {
        const account = await registrar.request('GET', '/v1/account', { token })
        assert.equal(account.body.id, customer.id)
      }
      // The address may change at the provider: issuer and subject are the identity.
      standIn.user = { ...user, email: `renamed-${user.email}`, email_verified: false }
      const again = await exchanged(provider)
      assert.equal(again.status, 200, again.text)
      assert.deepEqual([again.body.customer.id, again.body.mcp_api_key], [customer.id, null])
      const listed = await registrar.request('GET', '/v1/account/identities', {
        token: again.body.access_token,
      })
      const [identity, ...more] = listed.body.identities
      assert.deepEqual(more, [])
      assert.deepEqual(
        [identity.provider, identity.issuer, identity.email],
        [provider, standIn.url, user.email],
      )
      const audited = await rows(
        `select action, actor_type, result from audit_logs where customer_id = $1 order by id`,
        [customer.id],
      )
      const row = { action: 'exchange_sso_ticket', actor_type: 'customer', result: 'success' }
      assert.deepEqual(audited, [row, row])
    })

  it('of another issuer with the same subject is another identity', async () => {
    const first = await exchanged('acme')
    other.user = { ...someUser(), sub: issuer.user.sub }
    const second = await exchanged('other')
    assert.notEqual(first.body.customer.id, second.body.customer.id)
  })

  it('takes the profile from the userinfo endpoint where the ID token has none', async () => {
    issuer.faults.claims = ({ email: _email, email_verified: _verified, ...claims }) => claims
    const made = await exchanged()
    assert.equal(made.body.customer?.email, issuer.user.email, made.text)
  })

  it('gives the session as a cookie to a browser that asks for it', async () => {
    const browser = ssoBrowser(registrar)
    const made = await browser.exchange({ ticket: await browser.ticket('acme') }, ours)
    assert.equal(made.body.access_token, null, made.text)
    const cookie = cookieOf(made.headers)
    assert.match(made.headers.getSetCookie()[0] ?? '', /HttpOnly; SameSite=Lax/)
    const account = await registrar.request('GET', '/v1/account', { headers: { cookie } })
    assert.equal(account.body.id, made.body.customer.id)
  })
})

describe('the browser', () => {
  it('is sent to the dashboard with the ticket in the fragment', async () => {
    const browser = ssoBrowser(registrar)
    const started = await browser.start('acme', { return_to: '/dashboard/domains?q=a#b' })
    const path = await browser.agree(started)
    const answer = await browser.open(path, { accept: 'text/html,*/*;q=0.8' })
    assert.equal(answer.status, 303)
    const to = new URL(answer.headers.get('location') ?? '')
    const { port } = new URL(registrar.url)
    assert.equal(to.origin + to.pathname, `http://localhost:${port}/dashboard/sso`)
    const fragment = new URLSearchParams(to.hash.slice(1))
    assert.equal(fragment.get('return_to'), '/dashboard/domains?q=a#b')
    const ticket = fragment.get('ticket') ?? ''
    assert.equal((await browser.exchange({ ticket })).status, 200)
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
  })

  it('is sent to the log-in page with the error, without a ticket', async () => {
    issuer.faults.response = (response) => {
      response.delete('code')
      response.set('error', 'access_denied')
    }
    const { browser, path } = await atCallback()
    const answer = await browser.open(path, { accept: 'text/html' })
    assert.equal(answer.status, 303)
    const to = new URL(answer.headers.get('location') ?? '')
    assert.equal(to.pathname + to.search + to.hash, '/dashboard/log-in?sso_error=sso_refused')
  })

  for (const [return_to, query] of [
    ['/dashboard/domains?q=a#b', '&next=%2Fdomains%3Fq%3Da%23b'],
    ['/dashboard/', ''],
    ['/dashboards/a', ''],
    ['/docs', ''],
  ] as const)
    it(`is sent to the log-in page after an error, on the way to ${return_to}`, async () => {
      issuer.faults.response = (response) => {
        response.delete('code')
        response.set('error', 'access_denied')
      }
      const browser = ssoBrowser(registrar)
      const path = await browser.agree(await browser.start('acme', { return_to }))
      const answer = await browser.open(path, { accept: 'text/html' })
      const to = new URL(answer.headers.get('location') ?? '')
      const page = `/dashboard/log-in?sso_error=sso_refused${query}`
      assert.equal(to.pathname + to.search + to.hash, page)
    })

  it('logs in in two tabs at once', async () => {
    const browser = ssoBrowser(registrar)
    const started = [await browser.start('acme'), await browser.start('acme')]
    for (const one of started) {
      const answer = await browser.open(await browser.agree(one))
      assert.equal(answer.status, 200, answer.text)
    }
  })
})
