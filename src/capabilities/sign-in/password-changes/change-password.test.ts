// Password changes: by the owner in person only; other sessions end.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { systemCall } from '../../audit/index.ts'
import { authenticateSessions } from '../sessions/authenticate-session.ts'
import { goodPassword, openSignIn } from '../sign-in.fixture.ts'
import { changePassword } from './change-password.ts'

let jump_ms = 0
const registrar = await openSignIn({ clock: { now: () => new Date(Date.now() + jump_ms) } })
const { db, call } = registrar
const at = 'POST /v1/account/password'
const new_password = 'quite another horse'
const change = (token: string, body: object = {}) =>
  call(at, { token, body: { new_password, ...body }, address: '192.0.2.1' })

/** As if the log-in were eleven minutes old. */
async function later<T>(work: () => Promise<T>): Promise<T> {
  jump_ms = 660_000
  try {
    return await work()
  } finally {
    jump_ms = 0
  }
}

describe('with the current password', () => {
  it('the new one counts, other sessions end, this one and API keys stay', async () => {
    const owner = await registrar.owner()
    const [mine, other] = [await registrar.session(owner), await registrar.session(owner)]
    const answer = await later(() => change(mine, { current_password: goodPassword }))
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    assert.equal(answer.body.sessions_ended, 1)
    const status = async (token: string) => (await call('GET /v1/account', { token })).status
    assert.deepEqual([await status(mine), await status(other)], [200, 401])
    assert.equal(await status(owner.key), 200)
    assert.equal(await registrar.guess(owner.email, '192.0.2.1', new_password), '200')
    assert.equal(
      await registrar.guess(owner.email, '192.0.2.1', goodPassword),
      '401 wrong_credentials',
    )
    const mails = await registrar.mails('password_changed', owner.email)
    assert.equal(mails.length, 1)
    assert.ok(!mails[0]?.text.includes(new_password))
  })

  it('which is wrong, nothing changes, and attempts are limited as log-ins are', async () => {
    const owner = await registrar.owner()
    const token = await registrar.session(owner)
    const wrong = () => change(token, { current_password: 'not the password' })
    const answer = await wrong()
    assert.deepEqual([answer.status, answer.body.code], [403, 'wrong_password'])
    const codes: unknown[] = []
    for (let i = 0; i < 11; i += 1) codes.push((await wrong()).body.code)
    assert.deepEqual([codes[8], codes[9]], ['wrong_password', 'too_many_tries'])
    assert.equal((await call('GET /v1/account', { token })).status, 200)
    const rows = await db.query(
      `select result, error_code from audit_logs
        where customer_id = $1 and action = 'change_password' order by id limit 1`,
      [owner.id],
    )
    assert.deepEqual(rows, [{ result: 'denied', error_code: 'wrong_password' }])
  })
})

describe('without the current password', () => {
  it('a log-in of the last ten minutes is enough, an older one is not', async () => {
    const owner = await registrar.owner()
    const token = await registrar.session(owner)
    const old = await later(() => change(token))
    assert.deepEqual([old.status, old.body.code], [403, 'password_needed'])
    assert.equal((await change(token)).status, 200)
  })

  it('a changed password makes no old log-in younger', async () => {
    const owner = await registrar.owner()
    const token = await registrar.session(owner)
    await change(token)
    assert.equal((await later(() => change(token))).body.code, 'password_needed')
  })
})

it('accepts any characters, each of them, and rejects common passwords', async () => {
  const owner = await registrar.owner()
  const token = await registrar.session(owner)
  const long = `${'é😀'.repeat(126)}over`
  for (const good of [long, 'with a \u0000 inside', '  \t  a\t  b ', 'ひらがなかたかな']) {
    assert.equal((await change(token, { new_password: good })).status, 200, good)
    const near = `${good.slice(0, -1)}x`
    assert.equal(await registrar.guess(owner.email, '192.0.2.1', near), '401 wrong_credentials')
    assert.equal(await registrar.guess(owner.email, '192.0.2.1', good), '200')
  }
  const local = owner.email.split('@')[0]
  const bad = ['password1!', 'seven77', `${long}é`, '\ud800 a lone half', `${local}`, owner.email]
  for (const one of bad) {
    const answer = await change(token, { new_password: one })
    assert.equal(answer.status, 422, one)
    assert.deepEqual(Object([answer.body.detail].flat()[0]).loc, ['body', 'new_password'])
  }
})

it('changes nothing for a session that was ended meanwhile', async () => {
  const owner = await registrar.owner()
  const caller = await authenticateSessions(registrar.app)(await registrar.session(owner))
  assert.ok(caller?.kind === 'customer')
  await db.query('update sessions set ended_at = now() where customer_id = $1', [owner.id])
  const late = { ...systemCall(registrar.app, 'test'), caller, customer_id: owner.id }
  const changing = changePassword.run({ new_password }, late, registrar.app)
  await assert.rejects(Promise.resolve(changing), { message: /Only the owner/ })
  assert.equal(await registrar.guess(owner.email, '192.0.2.1', goodPassword), '200')
})
