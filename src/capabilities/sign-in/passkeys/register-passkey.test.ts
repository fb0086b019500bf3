// Registration of passkeys over HTTP: the options, the record, and each response that must be
// refused.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { softwareAuthenticator } from '../../../../test/contract/support/software-authenticator.ts'
import { rowsIn } from '../../../../test/support/owner-sql.ts'
import { sharedService } from '../../../../test/support/service.ts'
import { type CookieBrowser, cookieBrowser, sessionOf } from '../../../../test/support/sign-in.ts'
import {
  assertRefused,
  creation,
  type FalsifiedFields,
  passkeyService,
  register,
} from './passkeys.fixture.ts'

const registrar = await sharedService()
const sql = rowsIn(registrar)
const { page, passkeyOwner } = passkeyService(registrar)

const mailsTo = ({ account }: CookieBrowser) =>
  sql('select kind from mails where customer_id = $1 order by id', [account.id])

describe('the registration of a passkey', () => {
  it('asks for a discoverable credential with user verification, of the domain of the pages', async () => {
    const by = await cookieBrowser(registrar)
    const options = await creation(by)
    const { rp, user, attestation, authenticatorSelection, challenge } = options
    assert.equal(rp.id, 'localhost')
    assert.equal(Buffer.from(user.id, 'base64url').toString(), by.account.id)
    assert.equal(attestation, 'none')
    assert.equal(authenticatorSelection.residentKey, 'required')
    assert.equal(authenticatorSelection.userVerification, 'required')
    assert.ok(Buffer.from(challenge, 'base64url').length >= 16)
  })

  it('lists the passkey, audits it, and notifies the owner by mail', async () => {
    const { by, id, key } = await passkeyOwner()
    const { body } = await by.send('GET', '/v1/account/passkeys')
    const [passkey, ...others] = body.passkeys
    assert.deepEqual(others, [])
    assert.deepEqual([passkey.id, passkey.name, passkey.last_used_at], [id, 'Laptop', null])
    const rows = await sql(
      `select target, result, entry_point from audit_logs
        where customer_id = $1 and action = 'register_passkey'`,
      [by.account.id],
    )
    assert.deepEqual(rows, [{ target: String(id), result: 'success', entry_point: 'dashboard' }])
    assert.ok((await mailsTo(by)).some(({ kind }) => kind === 'passkey_added'))
    const again = await creation(by)
    assert.deepEqual(
      again.excludeCredentials.map((one: { id: string }) => one.id),
      [key.id],
    )
  })

  it('needs a log-in that is recent, as its removal does', async () => {
    const { by, id } = await passkeyOwner()
    const token = await sessionOf(registrar, by.account)
    const credential = softwareAuthenticator().create({ challenge: 'eA', user: { id: 'eA' } }, page)
    for (const [method, path, body] of [
      ['POST', '/v1/account/passkeys/options', {}],
      ['POST', '/v1/account/passkeys', { credential }],
      ['DELETE', `/v1/account/passkeys/${id}`, undefined],
    ] as const) {
      const options = body === undefined ? { token } : { token, body }
      const { status, body: problem } = await registrar.request(method, path, options)
      assert.deepEqual([status, problem.code], [403, 'fresh_log_in_needed'], path)
    }
    const listed = await registrar.request('GET', '/v1/account/passkeys', { token })
    assert.equal(listed.body.passkeys.length, 1)
  })
})

describe('the response to a registration', () => {
  it('is refused with a wrong origin, domain, challenge, type, or without user verification', async () => {
    const falsifications: [string, FalsifiedFields][] = [
      ['origin', { origin: 'https://evil.example' }],
      ['port', { origin: 'http://localhost:1' }],
      ['the address in place of the domain', { origin: registrar.url }],
      ['domain', { rp_id: 'evil.example' }],
      ['challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
      ['type', { type: 'webauthn.get' }],
      ['verification', { verified: false }],
    ]
    const by = await cookieBrowser(registrar)
    for (const [why, falsified] of falsifications) {
      const options = await creation(by)
      const credential = softwareAuthenticator().create(options, { ...page, ...falsified })
      await assertRefused(register(by, credential), why)
    }
    const { body } = await by.send('GET', '/v1/account/passkeys')
    assert.deepEqual(body.passkeys, [])
  })

  it('is refused when its challenge is used, expired, or of another session', async () => {
    const [by, other] = [await cookieBrowser(registrar), await cookieBrowser(registrar)]
    const options = await creation(by)
    await assertRefused(register(other, softwareAuthenticator().create(options, page)), 'session')
    const first = softwareAuthenticator()
    assert.equal((await register(by, first.create(options, page))).status, 201)
    await assertRefused(register(by, softwareAuthenticator().create(options, page)), 'used')
    const late = await creation(by)
    await sql(`update passkey_challenges set expires_at = now() where challenge = $1`, [
      late.challenge,
    ])
    await assertRefused(register(by, softwareAuthenticator().create(late, page)), 'expired')
  })

  it('is refused for an id of the credential of no byte, or of more than 1023', async () => {
    const by = await cookieBrowser(registrar)
    for (const [id_bytes, status] of [
      [0, 403],
      [1024, 403],
      [1023, 201],
    ] as const) {
      const credential = softwareAuthenticator(id_bytes).create(await creation(by), page)
      // The authenticator's data alone say the id that would be stored.
      const answer = await register(by, { ...credential, id: 'eA', rawId: 'eA' })
      assert.equal(answer.status, status, answer.text)
    }
  })

  it('is refused for a credential that is registered already, also by another customer', async () => {
    const { key } = await passkeyOwner()
    const other = await cookieBrowser(registrar)
    const options = await creation(other)
    const { status, body } = await register(other, key.create(options, page))
    assert.deepEqual([status, body.code], [409, 'passkey_exists'])
  })
})
