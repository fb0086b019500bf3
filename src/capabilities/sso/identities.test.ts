// Linked identities: their list, and the removal that leaves a way to log in.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { givePassword, ownersPassword, sessionOf } from '../../../test/support/sign-in.ts'
import { someUser } from '../../../test/support/sso/identity-providers.ts'
import { ssoBrowser } from '../../../test/support/sso/sso-browser.ts'
import { openSso, outcome } from './sso.fixture.ts'

const { registrar, issuer, exchanged, mailTo } = await openSso()

async function linked() {
  const { body } = await exchanged()
  const token: string = body.access_token
  const { body: listed } = await registrar.request('GET', '/v1/account/identities', { token })
  return {
    id: body.customer.id,
    email: body.customer.email,
    token,
    identity: listed.identities[0],
  }
}

describe('linked identities', () => {
  const remove = (id: number, token: string) =>
    registrar.request('DELETE', `/v1/account/identities/${id}`, { token })

  it('are removed, but not the last way to log in', async () => {
    const { id, email, token, identity } = await linked()
    assert.equal(outcome(await remove(identity.id, token)), '409 last_log_in')
    await givePassword(registrar, { id, email })
    assert.equal((await remove(identity.id, token)).status, 204)
    assert.equal(outcome(await remove(identity.id, token)), '404 sso_identity_not_found')
    assert.match(await mailTo(email, /was removed/), /acme was removed from yours/)
    assert.equal(outcome(await exchanged()), '409 sso_link_needed')
  })

  it('are 404 for another account, and need a recent log-in', async () => {
    const { id, email, identity } = await linked()
    const other = await registrar.customer({ funds_cents: 0, contact: false })
    const theirs = await sessionOf(registrar, other)
    assert.equal(outcome(await remove(identity.id, theirs)), '404 sso_identity_not_found')
    const { body } = await registrar.request('GET', '/v1/account/identities', { token: theirs })
    assert.deepEqual(body.identities, [])
    // A session whose log-in was an hour ago.
    const old = await sessionOf(registrar, { ...other, id, email })
    assert.equal(outcome(await remove(identity.id, old)), '403 fresh_log_in_needed')
  })

  it('are not for keys', async () => {
    const { key } = await registrar.customer({ funds_cents: 0, contact: false })
    const answer = await registrar.request('GET', '/v1/account/identities', { token: key })
    assert.equal(outcome(answer), '403 session_required')
  })
})

describe('linking in a session', () => {
  it('needs a recent log-in and the browser, whatever the address', async () => {
    const owner = await linked()
    issuer.user = someUser()
    const browser = ssoBrowser(registrar)
    const ticket = await browser.ticket('acme')
    const link = (token: string, by = browser) =>
      registrar.request('POST', '/v1/account/identities', {
        token,
        body: { ticket },
        headers: { cookie: by.cookie() },
      })
    const elsewhere = ssoBrowser(registrar)
    await elsewhere.start('acme')
    assert.equal(outcome(await link(owner.token, elsewhere)), '403 sso_ticket_not_valid')
    const other = await registrar.customer({ funds_cents: 0, contact: false })
    // A session whose log-in was an hour ago; the ticket stays valid.
    const old = await sessionOf(registrar, { ...other, id: owner.id, email: owner.email })
    assert.equal(outcome(await link(old)), '403 fresh_log_in_needed')
    const made = await link(owner.token)
    assert.equal(made.status, 201, made.text)
    assert.deepEqual([made.body.provider, made.body.email], ['acme', issuer.user.email])
    assert.match(await mailTo(owner.email, /can log in to your account/), /was linked to yours/)
    assert.equal(outcome(await link(owner.token)), '403 sso_ticket_not_valid')
    const again = await exchanged()
    assert.equal(again.body.customer.id, owner.id)
  })

  it('is refused for an identity of another account', async () => {
    await linked()
    const other = await registrar.customer({ funds_cents: 0, contact: false })
    await givePassword(registrar, other)
    const session = await registrar.request('POST', '/v1/dashboard/login', {
      body: { email: other.email, password: ownersPassword },
    })
    const browser = ssoBrowser(registrar)
    const answer = await registrar.request('POST', '/v1/account/identities', {
      token: session.body.access_token,
      body: { ticket: await browser.ticket('acme') },
      headers: { cookie: browser.cookie() },
    })
    assert.equal(outcome(answer), '409 sso_identity_exists')
  })
})
