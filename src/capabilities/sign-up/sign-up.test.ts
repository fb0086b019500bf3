// Sign-up requests: known and unknown addresses get the same response for the same work; mails are
// bounded where no caller sees it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { notedStatements } from '../../../test/support/database.ts'
import { openSignUps, outcomeOf, password, resendAt, secretsOf } from './sign-up.fixture.ts'

let jump_ms = 0
const registrar = await openSignUps({
  app: { clock: { now: () => new Date(Date.now() + jump_ms) } },
})
const { app, call, db, register, verify, answer, mails, started } = registrar
const { passwordHasher } = app
const later = (ms: number) => {
  jump_ms += ms
  const drained = `update sign_in_failures set at = at - make_interval(secs => $1)`
  return db.query(drained, [ms / 1_000])
}

async function knownEmail(): Promise<string> {
  const { id } = await registrar.customer()
  const [row] = await db.query('select email from customers where id = $1', [id])
  return String(row?.email)
}

/** The names of the statements, and the number of hashes, of some work. */
async function workOf(work: () => Promise<unknown>): Promise<{ names: string[]; hashes: number }> {
  const names: string[] = []
  const [real, before] = [app.db, passwordHasher.count]
  app.db = notedStatements(real, (name) => names.push(name))
  try {
    await work()
  } finally {
    app.db = real
  }
  return { names, hashes: passwordHasher.count - before }
}

describe('a known and an unknown address', () => {
  it('get the same response', async () => {
    const shapes = new Set<string>()
    for (const email of [await knownEmail(), 'unknown@example.org']) {
      const { status, body, headers } = await register(email)
      assert.match(String(body.signup_id), /^sgn_\w{26}$/)
      assert.equal(body.email, email)
      const ms = Date.parse(String(body.expires_at)) - Date.parse(String(body.resend_after))
      shapes.add(JSON.stringify([status, Object.keys(body), ms, Object.keys(headers)]))
    }
    const keys = ['signup_id', 'email', 'expires_at', 'resend_after']
    assert.deepEqual(
      [...shapes].map((shape) => JSON.parse(shape).slice(0, 3)),
      [[202, keys, 540_000]],
    )
  })

  it('cost the same statements and one hash, and no look-up of accounts', async () => {
    const works: object[] = []
    for (const email of [await knownEmail(), 'unknown-2@example.org'])
      works.push(await workOf(() => register(email)))
    assert.deepEqual(works[0], works[1])
    const take = 'sign_in_take_units'
    assert.deepEqual(works[0], {
      names: [take, take, 'sign_ups_insert', 'sign_ups_notify', 'audit_append'],
      hashes: 1,
    })
  })

  it('cost the same to resend, and get the same response', async () => {
    const seen: unknown[] = []
    for (const email of [await knownEmail(), 'unknown-3@example.org']) {
      const { signup_id } = (await register(email)).body
      await answer()
      const resend = () => call(resendAt, { body: { signup_id }, address: '203.0.113.77' })
      let answered: unknown
      const work = await workOf(async () => {
        const { status, body } = await resend()
        answered = [status, Object.keys(body), body.email === email]
      })
      seen.push([work, answered])
    }
    assert.deepEqual(seen[0], seen[1])
    assert.deepEqual(Object(seen[0])[1][0], 202)
  })

  it('cost the same statements for a wrong code', async () => {
    const seen: unknown[] = []
    for (const email of [await knownEmail(), 'unknown-4@example.org']) {
      const { signup_id } = (await register(email)).body
      await answer()
      const { code } = secretsOf((await mails(email)).at(-1))
      const wrong = code === '000000' ? '000001' : '000000'
      let answered = ''
      const work = await workOf(async () => {
        answered = outcomeOf(await verify({ signup_id, code: wrong }))
      })
      seen.push([work, answered])
    }
    assert.deepEqual(seen[0], seen[1])
    assert.equal(Object(seen[0])[1], '403 code_not_valid')
  })
})

describe('the mail', () => {
  it('has code and link for a free address, the link from the settings and in the fragment', async () => {
    const { email, code, token } = await started()
    assert.match(code, /^\d{6}$/)
    assert.match(token, /^sgt_[0-9A-Za-z]{40}$/)
    const [mail] = await mails(email)
    const text = mail?.text ?? ''
    assert.ok(text.includes(`http://localhost:8080/dashboard/sign-up/verify#token=${token}`))
    assert.ok(text.startsWith('Hello,\n'), 'no text of the caller reaches the address')
    assert.ok(!text.includes('Ada'))
  })

  it('differs for an address with an account, has no code, and is in the log of its owner', async () => {
    const email = await knownEmail()
    const { body } = await register(email.toUpperCase())
    await answer()
    const [mail] = await mails(email)
    assert.equal(mail?.kind, 'sign_up_known')
    assert.match(mail?.text ?? '', /already\shas\san\saccount/)
    assert.deepEqual(secretsOf(mail), { code: '', token: '' })
    const rows = await db.query(
      `select a.actor_type from audit_logs a join customers c on c.id = a.customer_id
        where lower(c.email) = $1 and a.action = 'sign_up' and a.target = $2`,
      [email, body.signup_id],
    )
    assert.deepEqual(rows, [{ actor_type: 'system' }])
  })

  it('is bounded for one address and one network, and the response is the same all the while', async () => {
    for (const email of [await knownEmail(), 'flooded@example.org']) {
      for (let i = 0; i < 5; i += 1)
        assert.equal((await register(email, { address: `203.1.7.${i}` })).status, 202)
      await answer()
      assert.equal((await mails(email)).length, 3, 'of one network')
      for (let i = 0; i < 12; i += 1)
        assert.equal((await register(email, { address: `203.2.${i}.1` })).status, 202)
      await answer()
      assert.equal((await mails(email)).length, 10, 'in all')
    }
  })

  it('is bounded for resends, too, and an earlier code stays valid then', async () => {
    const { signup_id, email } = await started('resent@example.org')
    for (let i = 0; i < 5; i += 1) {
      const answer = await call(resendAt, { body: { signup_id }, address: `203.3.7.${i}` })
      assert.equal(answer.status, 202)
      await registrar.answer()
    }
    const sent = await mails(email)
    assert.equal(sent.length, 4)
    const times = 'select code_expires_at < expires_at as kept from sign_ups where id = $1'
    assert.deepEqual(await db.query(times, [signup_id]), [{ kept: true }])
    const latest = secretsOf(sent.at(-1))
    assert.equal(outcomeOf(await verify({ signup_id, code: latest.code })), '201')
  })

  it('takes no reset mail from the account that has the address', async () => {
    const email = await knownEmail()
    for (let i = 0; i < 12; i += 1) await register(email, { address: `203.4.${i}.1` })
    await answer()
    const rows = await db.query(`select key from sign_in_failures where key like 'mail:%'`)
    assert.deepEqual(rows, [])
  })
})

describe('a request', () => {
  it('is limited to one a minute for one email address from one address, known or not', async () => {
    for (const email of [await knownEmail(), 'hasty@example.org']) {
      const first = await register(email, { address: '203.5.0.1' })
      const again = await register(email, { address: '203.5.0.1' })
      assert.deepEqual([first.status, outcomeOf(again)], [202, '429 too_many_tries'])
      const { signup_id } = first.body
      const resent = await call(resendAt, { body: { signup_id }, address: '203.5.0.1' })
      assert.equal(outcomeOf(resent), '429 too_many_tries')
      const wait = Number(again.headers['Retry-After'])
      assert.ok(wait > 0 && wait <= 60, `${wait}`)
    }
  })

  it('is 422 for a bad password, address or name, and stores nothing', async () => {
    const before = await db.query('select count(*) as n from sign_ups')
    const hashes = passwordHasher.count
    const wrong: [string, object][] = [
      ['short', { password: 'short' }],
      ['common', { password: 'password1' }],
      ['too long', { password: 'x'.repeat(257) }],
      ['of the address', { password: 'wrong-1abc' }],
      ['header injection', { email: 'a@example.org\r\nBcc: b@example.org' }],
      ['name with a break', { name: 'Ada\r\nBcc: b@example.org' }],
      ['blank name', { name: '  ' }],
      ['mass assignment', { status: 'active' }],
      ['mass assignment of the id', { customer_id: 'cus_1' }],
    ]
    for (const [title, body] of wrong) {
      const answer = await register('wrong-1@example.org', { body: { ...body } })
      assert.equal(answer.status, 422, title)
    }
    assert.deepEqual(await db.query('select count(*) as n from sign_ups'), before)
    assert.equal(passwordHasher.count, hashes, 'nothing is hashed for an invalid request')
  })

  it('is 422 for an address that no mail server takes, and not for the longest that one does', async () => {
    const host = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(60)}.example`
    const ofLength = (length: number) => `${'l'.repeat(length - host.length - 1)}@${host}`
    assert.equal((await register(ofLength(254))).status, 202)
    const answer = await register(ofLength(255))
    assert.deepEqual(answer.body.detail, [
      {
        loc: ['body', 'email'],
        msg: 'An email address has at most 254 characters',
        type: 'value_error',
      },
    ])
  })

  it('stores neither password, code nor token in clear text', async () => {
    const { signup_id, code, token } = await started()
    for (const table of ['sign_ups', 'mails', 'tasks', 'audit_logs', 'sign_in_failures']) {
      const dump = JSON.stringify(await db.query(`select t::text as row from ${table} t`))
      assert.ok(!dump.includes(token.slice(4)) && !dump.includes(password), table)
      assert.ok(!dump.includes(`"${code}"`) && !dump.includes(`,${code},`), table)
    }
    const [row] = await db.query('select * from sign_ups where id = $1', [signup_id])
    assert.ok(row?.code_mac instanceof Buffer && row.code_mac.length === 32)
    assert.match(String(row?.password_hash), /^\$argon2id\$/)
  })
})

describe('the audit log', () => {
  it('has request and resend without a customer, an address, or a secret', async () => {
    const { email, signup_id, code, token } = await started()
    await call(resendAt, { body: { signup_id }, address: '203.7.0.1' })
    const rows = await db.query(
      `select action, actor_type, customer_id, result, status_code, metadata from audit_logs
        where target = $1 order by id`,
      [signup_id],
    )
    const fields = { actor_type: 'anonymous', customer_id: null, result: 'success' }
    const rest = { ...fields, status_code: 202, metadata: {} }
    assert.deepEqual(rows, [
      { action: 'sign_up', ...rest },
      { action: 'resend_sign_up', ...rest },
    ])
    const dump = JSON.stringify(rows)
    assert.ok(![email, code, token, password].some((text) => dump.includes(text)))
  })
})

describe('a resend', () => {
  it('is 404 for an unknown id, a verified sign-up, and one of more than a day ago', async () => {
    const resend = async (signup_id: string) =>
      outcomeOf(await call(resendAt, { body: { signup_id }, address: '203.6.0.1' }))
    assert.equal(await resend(`sgn_${'0'.repeat(26)}`), '404 sign_up_not_found')
    const { signup_id, code } = await started()
    assert.equal(outcomeOf(await verify({ signup_id, code })), '201')
    assert.equal(await resend(signup_id), '404 sign_up_not_found')
    const old = await started()
    await later(25 * 3_600_000)
    assert.equal(await resend(old.signup_id), '404 sign_up_not_found')
  })

  it('replaces code and link, with five new attempts', async () => {
    const { signup_id, email, code, token } = await started()
    const wrong = code === '000000' ? '000001' : '000000'
    for (let i = 0; i < 6; i += 1) await verify({ signup_id, code: wrong })
    assert.equal(outcomeOf(await verify({ signup_id, code })), '403 code_not_valid')
    await later(61_000)
    assert.equal((await call(resendAt, { body: { signup_id } })).status, 202)
    await answer()
    assert.equal(outcomeOf(await verify({ token })), '403 code_not_valid')
    const latest = secretsOf((await mails(email)).at(-1))
    assert.equal(outcomeOf(await verify({ signup_id, code: latest.code })), '201')
  })
})
