// Log-in with passkeys over HTTP: the session, and each response that must be refused.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { softwareAuthenticator } from '../../../../test/contract/support/software-authenticator.ts'
import { rowsIn } from '../../../../test/support/owner-sql.ts'
import { sharedService, startService } from '../../../../test/support/service.ts'
import { type CookieBrowser, cookieOf, ours } from '../../../../test/support/sign-in.ts'
import { assertRefused, type FalsifiedFields, passkeyService } from './passkeys.fixture.ts'

const registrar = await sharedService()
const sql = rowsIn(registrar)
const { page, passkeyOwner, challenge, logIn, logInWithPasskey } = passkeyService(registrar)

const mailsTo = ({ account }: CookieBrowser) =>
  sql('select kind from mails where customer_id = $1 order by id', [account.id])

describe('a log-in with a passkey', () => {
  it('gives a fresh session of its owner, in a cookie, and is audited', async () => {
    const owner = await passkeyOwner()
    const { status, body, headers, text } = await logInWithPasskey(owner)
    assert.equal(status, 200, text)
    assert.equal(body.customer.id, owner.by.account.id)
    assert.equal(body.access_token, null)
    const headersNow = { ...ours, cookie: cookieOf(headers) }
    const at = '/v1/account/passkeys/options'
    const fresh = await registrar.request('POST', at, { headers: headersNow, body: {} })
    assert.equal(fresh.status, 200)
    const rows = await sql(
      `select actor_type, metadata ->> 'passkey' as passkey from audit_logs
        where customer_id = $1 and action = 'log_in_with_passkey'`,
      [owner.by.account.id],
    )
    assert.deepEqual(rows, [{ actor_type: 'customer', passkey: String(owner.id) }])
    const listed = await owner.by.send('GET', '/v1/account/passkeys')
    assert.notEqual(listed.body.passkeys[0].last_used_at, null)
  })

  it('gives a bearer token where no cookie is asked for, also to an account without password', async () => {
    const { by, key } = await passkeyOwner()
    await sql('delete from passwords where customer_id = $1', [by.account.id])
    const { options, cookie } = await challenge()
    const { body } = await logIn(cookie, key.get(options, page), {})
    assert.match(body.access_token, /^ses_/)
    const account = await registrar.request('GET', '/v1/account', { token: body.access_token })
    assert.equal(account.body.id, by.account.id)
  })

  it('names no account in its options, which are alike for every browser', async () => {
    const [one, two] = [await challenge(), await challenge()]
    assert.deepEqual({ ...one.options, challenge: '' }, { ...two.options, challenge: '' })
    assert.notEqual(one.options.challenge, two.options.challenge)
    assert.deepEqual(one.options.allowCredentials ?? [], [])
    assert.equal(one.options.userVerification, 'required')
    const [, ...attributes] = (one.set[0] ?? '').split('; ')
    const expected = ['HttpOnly', 'Max-Age=300', 'Path=/', 'SameSite=Strict', 'Secure']
    assert.deepEqual(attributes.sort(), expected)
  })
})

describe('the response to a log-in with a passkey', () => {
  it('is refused with a wrong origin, domain, challenge, type, or without user verification', async () => {
    const owner = await passkeyOwner()
    const falsifications: [string, FalsifiedFields][] = [
      ['origin', { origin: 'https://evil.example' }],
      ['port', { origin: 'http://localhost:1' }],
      ['domain', { rp_id: 'evil.example' }],
      ['challenge', { challenge: owner.first }],
      ['type', { type: 'webauthn.create' }],
      ['verification', { verified: false }],
    ]
    for (const [why, falsified] of falsifications)
      await assertRefused(logInWithPasskey(owner, falsified), why)
    assert.equal((await logInWithPasskey(owner)).status, 200)
  })

  it('is refused when the response is replayed, late, or comes from another browser', async () => {
    const { key } = await passkeyOwner()
    const { options, cookie } = await challenge()
    const credential = key.get(options, page)
    await assertRefused(logIn((await challenge()).cookie, credential), 'browser')
    await assertRefused(logIn('', credential), 'no cookie')
    assert.equal((await logIn(cookie, credential)).status, 200)
    await assertRefused(logIn(cookie, credential), 'replay')
    const late = await challenge()
    await sql('update passkey_challenges set expires_at = now() where challenge = $1', [
      late.options.challenge,
    ])
    await assertRefused(logIn(late.cookie, key.get(late.options, page)), 'late')
  })

  it('succeeds once among concurrent answers to one challenge', async () => {
    const { key } = await passkeyOwner()
    const { options, cookie } = await challenge()
    const credential = key.get(options, page)
    const answers = await Promise.all([1, 2, 3, 4].map(() => logIn(cookie, credential)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403, 403, 403])
  })

  it("is refused under another customer's name, with another's key, or an unknown credential", async () => {
    const [owner, other] = [await passkeyOwner(), await passkeyOwner()]
    const handle = Buffer.from(other.by.account.id).toString('base64url')
    await assertRefused(logInWithPasskey(owner, { user_handle: handle }), 'handle')
    const { options, cookie } = await challenge()
    const stolen = { ...owner.key.get(options, page), id: other.key.id, rawId: other.key.id }
    await assertRefused(logIn(cookie, stolen), 'key')
    const unknown = softwareAuthenticator()
    const next = await challenge()
    await assertRefused(
      logIn(next.cookie, unknown.get(next.options, { ...page, user_handle: handle })),
      'unknown',
    )
  })

  it('is refused when the signature counter has not grown: the key was copied', async () => {
    const owner = await passkeyOwner()
    assert.equal((await logInWithPasskey(owner, { count: 7 })).status, 200)
    for (const count of [7, 6, 0])
      await assertRefused(logInWithPasskey(owner, { count }), `${count}`)
    assert.equal((await logInWithPasskey(owner, { count: 8 })).status, 200)
  })

  it('works without a counter: such authenticators always say 0', async () => {
    const owner = await passkeyOwner()
    for (let i = 0; i < 2; i += 1)
      assert.equal((await logInWithPasskey(owner, { count: 0 })).status, 200)
  })

  it('is refused once the account is closed', async () => {
    const owner = await passkeyOwner()
    await sql(`update customers set status = 'closed' where id = $1`, [owner.by.account.id])
    await assertRefused(logInWithPasskey(owner), 'closed')
  })
})

describe('a passkey that is removed', () => {
  it('no longer logs in, and the owner is notified by mail', async () => {
    const owner = await passkeyOwner()
    const path = `/v1/account/passkeys/${owner.id}`
    assert.equal((await owner.by.send('DELETE', path, { headers: ours })).status, 204)
    await assertRefused(logInWithPasskey(owner), 'removed')
    assert.ok((await mailsTo(owner.by)).some(({ kind }) => kind === 'passkey_removed'))
    const again = await owner.by.send('DELETE', path, { headers: ours })
    assert.deepEqual([again.status, again.body.code], [404, 'passkey_not_found'])
  })

  it("is never another customer's", async () => {
    const [owner, other] = [await passkeyOwner(), await passkeyOwner()]
    const path = `/v1/account/passkeys/${owner.id}`
    const { status, body } = await other.by.send('DELETE', path, { headers: ours })
    assert.deepEqual([status, body.code], [404, 'passkey_not_found'])
    assert.equal((await logInWithPasskey(owner)).status, 200)
  })
})

it('has no domain where PUBLIC_URL is an IP address: 409 says why', async () => {
  const there = await startService({
    settings: { PUBLIC_URL: 'http://192.0.2.1:8080' },
    worker: false,
  })
  const url = `http://127.0.0.1:${there.service.settings.port}/v1/dashboard/passkey/options`
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', body: '{}', headers })
  const { code, detail } = Object(await answer.json())
  assert.deepEqual([answer.status, code], [409, 'passkeys_unavailable'])
  assert.match(detail, /IP address/)
})
