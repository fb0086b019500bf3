// Log-in: the session that it creates, and that responses do not disclose accounts.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Body } from '../../../../test/support/test-pipeline.ts'
import { checkPassword } from '../passwords/check-password.ts'
import { PasswordHasher } from '../passwords/hashing.ts'
import { goodPassword, openSignIn } from '../sign-in.fixture.ts'
import { beginSession } from './sessions.ts'

const registrar = await openSignIn({ passwordHasher: new PasswordHasher() })
const { app, call, db } = registrar
const { passwordHasher } = app
const at = 'POST /v1/dashboard/login'
const logIn = (email: string, password: string, address = '192.0.2.1') =>
  call(at, { body: { email, password }, address })

describe('the right password', () => {
  it('gives a session with all rights of the owner', async () => {
    const owner = await registrar.owner()
    const answer = await logIn(owner.email.toUpperCase(), goodPassword)
    assert.equal(answer.status, 200)
    const { customer, access_token, token_type, expires_at, ...rest } = answer.body
    assert.deepEqual(rest, {})
    assert.equal(token_type, 'Bearer')
    assert.match(String(access_token), /^ses_[0-9A-Za-z]{40}$/)
    const days = (Date.parse(String(expires_at)) - Date.now()) / 86_400_000
    assert.ok(days > 6.9 && days < 7.01, `${days} days`)
    const account = await call('GET /v1/account', { token: String(access_token) })
    assert.deepEqual(account.body, { ...Object(customer), limits: null })
    const keys = `POST /v1/customers/${owner.id}/api-keys`
    const made = await call(keys, { token: String(access_token), body: { scopes: ['keys:write'] } })
    assert.equal(made.status, 201)
  })

  it("is audited in the owner's own log, as the owner", async () => {
    const owner = await registrar.owner()
    await logIn(owner.email, goodPassword)
    const rows = await db.query(
      `select actor_type, result, status_code, target_type from audit_logs
        where customer_id = $1 and action = 'log_in'`,
      [owner.id],
    )
    const row = { actor_type: 'customer', result: 'success', status_code: 200 }
    assert.deepEqual(rows, [{ ...row, target_type: 'session' }])
  })

  it('gives a new token each time, of which only a digest is stored', async () => {
    const owner = await registrar.owner()
    const tokens = [await registrar.session(owner), await registrar.session(owner)]
    assert.notEqual(tokens[0], tokens[1])
    const dump = JSON.stringify(await db.query('select s::text from sessions s'))
    for (const token of tokens) assert.ok(!dump.includes(token.slice(4)))
  })

  it('lets a suspended owner in, to read', async () => {
    const owner = await registrar.owner()
    await db.query(`update customers set status = 'suspended' where id = $1`, [owner.id])
    const token = await registrar.session(owner)
    assert.equal((await call('GET /v1/account', { token })).body.status, 'suspended')
    const change = await call('PATCH /v1/account', { token, body: { name: 'New' } })
    assert.deepEqual([change.status, change.body.code], [403, 'account_suspended'])
  })

  it('is rehashed with the current costs, which ends nothing', async () => {
    const owner = await registrar.owner()
    const weak = await passwordHasher.hash(goodPassword, {
      memory_kib: 64,
      passes: 1,
      parallelism: 1,
    })
    const set = 'update passwords set hash = $2 where customer_id = $1 returning changed_at'
    const [before] = await db.query(set, [owner.id, weak])
    const earlier = await registrar.session(owner)
    const rows = await db.query('select hash, changed_at from passwords where customer_id = $1', [
      owner.id,
    ])
    assert.match(String(rows[0]?.hash), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.deepEqual(rows[0]?.changed_at, before?.changed_at)
    assert.equal((await call('GET /v1/account', { token: earlier })).status, 200)
    assert.equal((await logIn(owner.email, goodPassword)).status, 200)
  })
})

describe('a wrong password', () => {
  it('gets the same response for the same work, whether there is an account or not', async () => {
    const owner = await registrar.owner()
    const closed = await registrar.owner()
    await db.query(`update customers set status = 'closed' where id = $1`, [closed.id])
    const { id } = await registrar.customer()
    const [without] = await db.query('select email from customers where id = $1', [id])
    const tried: [string, string][] = [
      [owner.email, 'not the password'],
      [closed.email, goodPassword],
      [String(without?.email), goodPassword],
      ['unknown@example.net', goodPassword],
    ]
    const seen = new Set<string>()
    for (const [email, password] of tried) {
      const before = passwordHasher.count
      const { request_id: _, ...body }: Body = (await logIn(email, password)).body
      seen.add(JSON.stringify({ body, hashes: passwordHasher.count - before }))
    }
    assert.equal(seen.size, 1, [...seen].join('\n'))
    const [only] = [...seen].map((one) => JSON.parse(one))
    assert.deepEqual([only.body.status, only.body.code, only.hashes], [401, 'wrong_credentials', 1])
  })

  it('writes nothing into the log of the account', async () => {
    const owner = await registrar.owner()
    await logIn(owner.email, 'not the password')
    const rows = await db.query(`select action from audit_logs where customer_id = $1`, [owner.id])
    assert.ok(!rows.some(({ action }) => action === 'log_in'))
  })

  it('gets 422 for a malformed address or password', async () => {
    const wrong = [
      {},
      { email: 'x' },
      { password: '' },
      { password: 'x'.repeat(257) },
      { email: 7 },
    ]
    for (const change of wrong) {
      const body = { email: 'a@example.net', password: 'b', ...change }
      const answer = await call(at, { body: change === wrong[0] ? {} : body })
      assert.equal(answer.status, 422, JSON.stringify(change))
    }
  })
})

it('creates no session for a password that was changed since it was checked', async () => {
  const { id, email } = await registrar.owner()
  const tried = { email, password: goodPassword, address: '192.0.2.1' }
  const checked = await checkPassword(registrar.app, tried)
  assert.ok(checked.kind === 'good')
  const { customer_id, password_changed_at } = checked
  const place = { agent: 'test', address: '192.0.2.1' }
  const begin = () =>
    beginSession(registrar.app, registrar.app.db, { customer_id, password_changed_at, ...place })
  assert.ok(await begin())
  await db.query(`update passwords set changed_at = now() where customer_id = $1`, [id])
  assert.equal(await begin(), undefined)
})
