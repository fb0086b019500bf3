// Linked identities: their list, and the removal that leaves a way to log in.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { givePassword, sessionOf } from '../../../test/support/sign-in.ts'
import { openSso, outcome } from './sso.fixture.ts'

const { registrar, exchanged, mailTo } = await openSso()

describe('linked identities', () => {
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
