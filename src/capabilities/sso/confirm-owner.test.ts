// A fresh log-in of a session's owner through an identity provider: by an identity that is linked
// to the account, after a log-in at the provider, and by nothing else.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { someUser } from '../../../test/support/sso/identity-providers.ts'
import { ssoBrowser } from '../../../test/support/sso/sso-browser.ts'
import { openSso, outcome } from './sso.fixture.ts'

const { registrar, issuer, rows, exchanged } = await openSso()

/** An owner whose log-in was an hour ago, in a browser that began to confirm it. */
async function confirming() {
  const { body } = await exchanged()
  const id: string = body.customer.id
  const token: string = body.access_token
  await rows(
    `update sessions set signed_in_at = now() - interval '1 hour' where customer_id = $1`,
    [id],
  )
  registrar.service.app.authentications.invalidate()
  const browser = ssoBrowser(registrar)
  const start = () =>
    browser.start('acme', { confirm_owner: true }, { authorization: `Bearer ${token}` })
  const answered = async () => {
    const callback = await browser.open(await browser.agree(await start()))
    return browser.exchange({ ticket: callback.body.ticket })
  }
  const newKey = (by: string) =>
    registrar.request('POST', `/v1/customers/${id}/api-keys`, { token: by, body: {} })
  return { id, token, user: issuer.user, browser, start, answered, newKey }
}

describe('the confirmation of an owner by a provider', () => {
  it('asks the provider for a log-in, and is a fresh log-in', async () => {
    const { id, token, start, answered, newKey } = await confirming()
    assert.equal(outcome(await newKey(token)), '403 fresh_log_in_needed')
    assert.equal((await start()).url.searchParams.get('max_age'), '0')
    const { status, body, text } = await answered()
    assert.equal(status, 200, text)
    assert.equal(body.customer.id, id)
    assert.equal((await newKey(body.access_token)).status, 201)
  })

  it('is refused when the log-in at the provider is older than the start', async () => {
    const { browser, start } = await confirming()
    const hourAgo = Math.floor(Date.now() / 1_000) - 3_600
    issuer.faults = { claims: (claims) => ({ ...claims, auth_time: hourAgo }) }
    const callback = await browser.open(await browser.agree(await start()))
    assert.equal(outcome(callback), '403 sso_response_not_valid')
  })

  it('by a user who is new here is refused, and creates no account', async () => {
    const { id, token, answered, newKey } = await confirming()
    issuer.user = someUser()
    assert.equal(outcome(await answered()), '403 sso_other_identity')
    const made = await rows('select id from customers where email = $1', [issuer.user.email])
    assert.deepEqual(made, [])
    const linked = await rows('select id from sso_identities where customer_id = $1', [id])
    assert.equal(linked.length, 1)
    assert.equal(outcome(await newKey(token)), '403 fresh_log_in_needed')
  })

  it('by a user with the address of the account, but another subject, is refused', async () => {
    const { user, answered } = await confirming()
    issuer.user = someUser({ email: user.email })
    assert.equal(outcome(await answered()), '403 sso_other_identity')
  })

  it('by the owner of another account is refused, and begins no session', async () => {
    const theirs = someUser()
    issuer.user = theirs
    const other = await exchanged()
    issuer.user = someUser()
    const { answered } = await confirming()
    const counted = () =>
      rows('select count(*)::int from sessions where customer_id = $1', [other.body.customer.id])
    const before = await counted()
    issuer.user = theirs
    assert.equal(outcome(await answered()), '403 sso_other_identity')
    assert.deepEqual(await counted(), before)
  })

  it('needs a session', async () => {
    const path = '/v1/dashboard/sso/acme/start'
    const body = { confirm_owner: true }
    const { key } = await registrar.customer({ funds_cents: 0, contact: false })
    for (const options of [{ body }, { body, token: key }])
      assert.equal(outcome(await registrar.request('POST', path, options)), '403 session_required')
  })
})
