// Password resets: requests disclose nothing; codes and links work once and expire.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { goodPassword, openSignIn, secretsOf } from '../sign-in.fixture.ts'
import { askAt, codeOf, next, openResets } from './reset.fixture.ts'

let jump_ms = 0
const registrar = await openSignIn({ clock: { now: () => new Date(Date.now() + jump_ms) } })
const { db, call } = registrar
const { ask, confirm, asked } = openResets(registrar)

describe('a request', () => {
  it('gets the same response for an address without an account', async () => {
    const owner = await registrar.owner()
    const shapes = new Set<string>()
    for (const email of [owner.email, 'unknown@example.net']) {
      const { status, body } = await ask(email)
      assert.match(String(body.reset_id), /^pwl_\w{26}$/)
      assert.equal(body.email, email)
      const ms = Date.parse(String(body.expires_at)) - Date.parse(String(body.resend_after))
      shapes.add(JSON.stringify([status, Object.keys(body), ms]))
    }
    assert.deepEqual([...shapes].length, 1)
  })

  it('does the same work for both: one row each, and no look-up of accounts', async () => {
    const owner = await registrar.owner()
    for (const email of [owner.email, 'unknown-2@example.net']) {
      const id = String((await ask(email)).body.reset_id)
      const rows = await db.query(
        'select customer_id, token_hash, code_mac, answered_at from password_links where id = $1',
        [id],
      )
      const nothing = { customer_id: null, token_hash: null, code_mac: null, answered_at: null }
      assert.deepEqual(rows, [nothing])
    }
  })

  it('mails code and link to the owner only', async () => {
    const { owner, mail, code, token } = await asked()
    assert.match(code, /^\d{6}$/)
    assert.match(mail?.text ?? '', /^http:\/\/127\.0\.0\.1:8080\/password\?token=pwt_/m)
    assert.match(token, /^pwt_[0-9A-Za-z]{40}$/)
    await ask('unknown-3@example.net')
    await registrar.answerResets()
    assert.deepEqual(await registrar.mails('password_reset', 'unknown-3@example.net'), [])
    const rows = await db.query(
      `select actor_type, result from audit_logs
        where customer_id = $1 and action = 'request_password_reset'`,
      [owner.id],
    )
    assert.deepEqual(rows, [{ actor_type: 'system', result: 'success' }])
  })

  it('stores neither code nor token in clear text', async () => {
    const { code, token, reset_id } = await asked()
    for (const table of ['password_links', 'mails', 'audit_logs', 'sign_in_failures']) {
      const dump = JSON.stringify(await db.query(`select t::text as row from ${table} t`))
      assert.ok(!dump.includes(token.slice(4)), table)
      assert.ok(!dump.includes(`"${code}"`) && !dump.includes(`(${code})`), table)
    }
    const [row] = await db.query('select code_mac from password_links where id = $1', [reset_id])
    assert.ok(row?.code_mac instanceof Buffer && row.code_mac.length === 32)
  })

  it('gets 422 for a malformed address', async () => {
    for (const email of ['', 'x', 'a@b@c.example', 'a@example.net\r\nBcc: b@example.net', 7])
      assert.equal((await call(askAt, { body: { email } })).status, 422, String(email))
  })
})

describe('the code', () => {
  it('sets the password once, ends all sessions, and notifies the owner', async () => {
    const { owner, reset_id, code } = await asked()
    const [one, two] = [await registrar.session(owner), await registrar.session(owner)]
    const answer = await confirm({ reset_id, code })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const { email, sessions_ended, changed_at } = answer.body
    assert.deepEqual([email, sessions_ended], [owner.email, 2])
    assert.ok(Math.abs(Date.parse(String(changed_at)) - Date.now()) < 60_000)
    for (const token of [one, two])
      assert.equal((await call('GET /v1/account', { token })).status, 401)
    assert.equal(
      await registrar.guess(owner.email, '192.0.2.9', goodPassword),
      '401 wrong_credentials',
    )
    assert.equal(await registrar.guess(owner.email, '192.0.2.9', next), '200')
    assert.equal(codeOf(await confirm({ reset_id, code })), '403 link_not_good')
    assert.equal((await registrar.mails('password_changed', owner.email)).length, 1)
    assert.equal((await call('GET /v1/account', { token: owner.key })).status, 200)
  })

  it('is audited without the code', async () => {
    const { owner, reset_id, code } = await asked()
    await confirm({ reset_id, code })
    const rows = await db.query(
      `select result, metadata from audit_logs
        where customer_id = $1 and action = 'confirm_password_reset'`,
      [owner.id],
    )
    assert.equal(rows.length, 1)
    assert.equal(Object(rows[0]?.metadata).by, 'mailed_digits')
    const dump = JSON.stringify(rows)
    assert.ok(![code, next].some((secret) => dump.includes(secret)), dump)
  })

  it('is valid for its own request only', async () => {
    const [mine, theirs] = [await asked(), await asked()]
    const crossed = { reset_id: mine.reset_id, code: theirs.code }
    if (mine.code !== theirs.code) assert.equal(codeOf(await confirm(crossed)), '403 link_not_good')
    const unknown = String((await ask('unknown-5@example.net')).body.reset_id)
    const tried = await confirm({ reset_id: unknown, code: mine.code })
    assert.equal(codeOf(tried), '403 link_not_good')
  })
})

describe('the code and time', () => {
  it('allows five attempts, also concurrent ones, with an account or without', async () => {
    const { owner, reset_id, code } = await asked()
    const wrong = code === '000000' ? '000001' : '000000'
    const tries = Array.from({ length: 20 }, () => confirm({ reset_id, code: wrong }))
    for (const answer of await Promise.all(tries)) assert.equal(codeOf(answer), '403 link_not_good')
    assert.equal(codeOf(await confirm({ reset_id, code })), '403 link_not_good')
    const [row] = await db.query('select tries from password_links where id = $1', [reset_id])
    assert.equal(row?.tries, 5)
    assert.equal(await registrar.guess(owner.email, '192.0.2.9', goodPassword), '200')
  })

  it('is valid for ten minutes', async () => {
    const { reset_id, code, token } = await asked()
    try {
      jump_ms = 601_000
      assert.equal(codeOf(await confirm({ reset_id, code })), '403 link_not_good')
      assert.equal(codeOf(await confirm({ token })), '403 link_not_good')
    } finally {
      jump_ms = 0
    }
  })

  it('stays valid where the new password is rejected', async () => {
    const { owner, reset_id, code } = await asked()
    const local = owner.email.split('@')[0] ?? ''
    for (let i = 0; i < 6; i += 1)
      assert.equal((await confirm({ reset_id, code, password: `${local}11` })).status, 422)
    assert.equal((await confirm({ reset_id, code })).status, 200)
  })
})

describe('the link', () => {
  it('works once, also concurrently, and invalidates the others of the account', async () => {
    const { owner, token } = await asked()
    await ask(owner.email)
    await registrar.answerResets()
    const mails = await registrar.mails('password_reset', owner.email)
    const later = secretsOf(mails[1]).token
    assert.ok(later !== '' && later !== token)
    const answers = await Promise.all(Array.from({ length: 8 }, () => confirm({ token })))
    // Attempts that could only wait are answered with Retry-After, and find it used then.
    const late = ['403 link_not_good', '503 sign_in_busy']
    const statuses = answers.map(codeOf).filter((status) => !late.includes(status))
    assert.deepEqual(statuses, ['200'])
    assert.equal(codeOf(await confirm({ token })), '403 link_not_good')
    assert.equal(codeOf(await confirm({ token: later })), '403 link_not_good')
  })

  it('is invalid once the account has another address, or is closed', async () => {
    const [moved, closed] = [await asked(), await asked()]
    const move = `update customers set email = 'moved@example.net' where id = $1`
    await db.query(move, [moved.owner.id])
    await db.query(`update customers set status = 'closed' where id = $1`, [closed.owner.id])
    for (const { token, reset_id, code } of [moved, closed]) {
      assert.equal(codeOf(await confirm({ token })), '403 link_not_good')
      assert.equal(codeOf(await confirm({ reset_id, code })), '403 link_not_good')
    }
  })

  it('proves the address, and gives a first password to an account that has none', async () => {
    const { id } = await registrar.customer()
    const [row] = await db.query('select email from customers where id = $1', [id])
    const email = String(row?.email)
    await ask(email)
    await registrar.answerResets()
    const [mail] = await registrar.mails('password_reset', email)
    assert.equal((await confirm({ token: secretsOf(mail).token })).status, 200)
    const token = await registrar.session({ id, key: '', key_id: 0, email, password: next })
    assert.equal((await call('GET /v1/account', { token })).body.email_verified, true)
  })
})

it('answers 422 unless exactly one way is given, complete, with an acceptable password', async () => {
  const token = `pwt_${'a'.repeat(40)}`
  const wrong = [
    {},
    { reset_id: 'pwl_1' },
    { code: '123456' },
    { reset_id: 'pwl_1', code: '123456', token },
    { reset_id: 'pwl_1', code: '12345' },
    { token, password: 'short' },
    { token, password: 'password1' },
    { token, password: 'x'.repeat(257) },
  ]
  for (const body of wrong) assert.equal((await confirm(body)).status, 422, JSON.stringify(body))
  assert.equal(codeOf(await confirm({ token })), '403 link_not_good')
})
