// Verification: the account it creates, once, and the codes and links that do not.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { usualScopes } from '../api-keys/api-key.ts'
import { openSignUps, outcomeOf, password, secretsOf, verifyAt } from './sign-up.fixture.ts'

let jump_ms = 0
const registrar = await openSignUps({
  app: { clock: { now: () => new Date(Date.now() + jump_ms) } },
  settings: { TERMS_URL: 'https://a.example/terms', TERMS_VERSION: '2026-11-01' },
})
const { call, db, verify, started, register, answer, mails } = registrar
const logIn = (email: string, given = password) =>
  call('POST /v1/dashboard/login', { body: { email, password: given } })
const countOf = async (email: string) =>
  (await db.query('select id from customers where lower(email) = lower($1)', [email])).length

describe('the code', () => {
  it('creates the account with a session, a key for MCP and the accepted terms', async () => {
    const { email, signup_id, code } = await started('Ada@example.org')
    const { status, body } = await verify({ signup_id, code })
    assert.equal(status, 201, JSON.stringify(body))
    const { customer, access_token, token_type, expires_at, mcp_api_key, ...rest } = body
    assert.deepEqual([rest, token_type], [{}, 'Bearer'])
    const { id, email_verified, name, status: state } = Object(customer)
    assert.deepEqual([email_verified, name, state], [true, 'Ada Lovelace', 'active'])
    assert.match(String(access_token), /^ses_[0-9A-Za-z]{40}$/)
    assert.ok(Date.parse(String(expires_at)) - Date.now() > 6.9 * 86_400_000)
    assert.match(String(mcp_api_key), /^ar_test_[0-9A-Za-z]{40}$/)
    for (const token of [String(access_token), String(mcp_api_key)])
      assert.equal((await call('GET /v1/account', { token })).body.id, id)
    const keys = await call(`GET /v1/customers/${id}/api-keys`, { token: String(access_token) })
    assert.deepEqual(
      keys.list.map((key) => [key.name, key.scopes]),
      [['MCP', usualScopes]],
    )
    assert.equal((await logIn(email)).status, 200)
    const terms = 'select version from terms_acceptances where customer_id = $1'
    assert.deepEqual(await db.query(terms, [id]), [{ version: '2026-11-01' }])
    const [used] = await db.query('select password_hash from sign_ups where id = $1', [signup_id])
    assert.equal(used?.password_hash, null)
  })

  it('is audited in the log of the new owner, without secrets', async () => {
    const { signup_id, code, token } = await started()
    const { body } = await verify({ signup_id, code })
    const rows = await db.query(
      `select action, actor_type, result, status_code, metadata from audit_logs
        where customer_id = $1`,
      [Object(body.customer).id],
    )
    assert.deepEqual(
      rows.map(({ action, actor_type, result, status_code }) => [
        action,
        actor_type,
        result,
        status_code,
      ]),
      [['verify_sign_up', 'customer', 'success', 201]],
    )
    const dump = JSON.stringify(rows)
    const secrets = [code, token, password, String(body.mcp_api_key), String(body.access_token)]
    assert.ok(!secrets.some((secret) => dump.includes(secret)), dump)
  })
})

describe('a code', () => {
  it('allows five attempts, also concurrent ones', async () => {
    const { signup_id, code, email } = await started()
    const wrong = code === '000000' ? '000001' : '000000'
    const tries = Array.from({ length: 20 }, () => verify({ signup_id, code: wrong }))
    for (const answer of await Promise.all(tries))
      assert.equal(outcomeOf(answer), '403 code_not_valid')
    assert.equal(outcomeOf(await verify({ signup_id, code })), '403 code_not_valid')
    const [row] = await db.query('select tries from sign_ups where id = $1', [signup_id])
    assert.deepEqual([row?.tries, await countOf(email)], [5, 0])
  })

  it('is valid for its own sign-up only, and for ten minutes', async () => {
    const [mine, theirs] = [await started(), await started()]
    const crossed = { signup_id: mine.signup_id, code: theirs.code }
    if (mine.code !== theirs.code)
      assert.equal(outcomeOf(await verify(crossed)), '403 code_not_valid')
    jump_ms = 601_000
    try {
      const { signup_id, code, token } = mine
      assert.equal(outcomeOf(await verify({ signup_id, code })), '403 code_not_valid')
      assert.equal(outcomeOf(await verify({ token })), '403 code_not_valid')
    } finally {
      jump_ms = 0
    }
  })

  it('is refused after twenty wrong ones a day for the address, while the link stays valid', async () => {
    const { signup_id, code, token } = await started()
    await verify({ signup_id, code: code === '000000' ? '000001' : '000000' })
    await db.query(
      `update sign_in_failures set level = 20, at = clock_timestamp()
        where key like 'sign-up-code:%'`,
    )
    assert.equal(outcomeOf(await verify({ signup_id, code })), '429 too_many_tries')
    assert.equal((await verify({ token })).status, 201)
    await db.query('delete from sign_in_failures')
  })

  it('works for no address that has an account, whatever is sent', async () => {
    const { id } = await registrar.customer()
    const [row] = await db.query('select email from customers where id = $1', [id])
    const { body } = await register(String(row?.email))
    await answer()
    const codes = Array.from({ length: 4 }, (_, i) => String(i).repeat(6))
    for (const code of codes)
      assert.equal(
        outcomeOf(await verify({ signup_id: body.signup_id, code })),
        '403 code_not_valid',
      )
    assert.equal((await logIn(String(row?.email))).status, 401)
  })
})

describe('the same verification again', () => {
  it('of eight at once creates one account and one session; the rest get that it exists', async () => {
    for (const way of ['code', 'token'] as const) {
      const { signup_id, code, token, email } = await started()
      const body = way === 'code' ? { signup_id, code } : { token }
      const answers = await Promise.all(Array.from({ length: 4 }, () => verify(body)))
      const outcomes = answers.map(outcomeOf).sort()
      assert.deepEqual(outcomes, ['201', ...Array(3).fill('409 account_exists')], way)
      assert.equal(await countOf(email), 1)
      const sessions = await db.query(
        `select s.id from sessions s join customers c on c.id = s.customer_id where c.email = $1`,
        [email],
      )
      assert.equal(sessions.length, 1)
    }
  })

  it('after a lost response says what to do, and gives no second session', async () => {
    const { signup_id, code, token, email } = await started()
    assert.equal((await verify({ signup_id, code })).status, 201)
    for (const body of [{ signup_id, code }, { token }]) {
      const again = await verify(body)
      assert.equal(outcomeOf(again), '409 account_exists')
      assert.equal(Object(again.body.next_action).type, 'authenticate')
      assert.equal(again.body.access_token, undefined)
    }
    assert.equal((await logIn(email)).status, 200)
  })

  it('of two sign-ups for one address creates one account', async () => {
    const email = 'twice@example.org'
    const first = await started(email)
    const second = await started(email)
    const both = [first, second].map(({ signup_id, code }) => ({ signup_id, code }))
    const answers = await Promise.all(both.map((body) => verify(body)))
    assert.deepEqual(answers.map(outcomeOf).sort(), ['201', '409 account_exists'])
    assert.equal(await countOf(email), 1)
  })

  it('after an operator created the account leaves its password alone', async () => {
    const { signup_id, code, email } = await started()
    const body = { email, name: 'By an operator' }
    const made = await call('POST /v1/customers', { token: registrar.operator, body })
    assert.equal(made.status, 201)
    assert.equal(outcomeOf(await verify({ signup_id, code })), '409 account_exists')
    assert.equal((await logIn(email)).status, 401)
  })
})

describe('SIGN_UP', () => {
  for (const [sign_up, code] of [
    ['invite', 'invitation_needed'],
    ['closed', 'sign_up_closed'],
  ] as const)
    it(`${sign_up} refuses sign-ups, resends and verifications, also of one begun before`, async () => {
      const closed = await openSignUps({ settings: { SIGN_UP: sign_up } })
      closed.app.settings.sign_up = 'open'
      const { signup_id, code: digits, token } = await closed.started()
      closed.app.settings.sign_up = sign_up
      const { id } = await closed.customer()
      const [row] = await closed.db.query('select email from customers where id = $1', [id])
      const answers = [
        await closed.register('x@example.org'),
        await closed.register(String(row?.email)),
        await closed.call('POST /v1/dashboard/register/resend', { body: { signup_id } }),
        await closed.verify({ signup_id, code: digits }),
        await closed.verify({ token }),
      ]
      assert.deepEqual(answers.map(outcomeOf), Array(5).fill(`403 ${code}`))
      const config = await closed.call('GET /v1/dashboard/signup/config')
      assert.equal(config.body.sign_up, sign_up)
    })
})

it('answers 422 unless exactly one way is given, complete', async () => {
  const token = `sgt_${'a'.repeat(40)}`
  const wrong = [
    {},
    { signup_id: 'sgn_1' },
    { code: '123456' },
    { signup_id: 'sgn_1', code: '123456', token },
    { signup_id: 'sgn_1', code: '12345' },
    { token: 'short' },
    { token, scopes: ['keys:write'] },
  ]
  for (const body of wrong)
    assert.equal((await call(verifyAt, { body })).status, 422, JSON.stringify(body))
  assert.equal(outcomeOf(await verify({ token })), '403 code_not_valid')
})

describe('the facts of a link', () => {
  const linkAt = 'POST /v1/dashboard/register/link'

  it('are address, time and place of the sign-up, and reading them uses nothing', async () => {
    const { body: begun } = await register('Bea@example.org', { address: '198.51.100.7' })
    await answer()
    const { token } = secretsOf((await mails('Bea@example.org')).at(-1))
    const { status, body } = await call(linkAt, { body: { token } })
    assert.equal(status, 200, JSON.stringify(body))
    const { created_at, agent, ...rest } = body
    assert.deepEqual(rest, { email: 'Bea@example.org', address: '198.51.100.7' })
    assert.ok(Math.abs(Date.parse(String(created_at)) - Date.now() - jump_ms) < 60_000)
    assert.equal(typeof agent, 'string')
    assert.equal((await call(linkAt, { body: { token } })).status, 200)
    assert.equal((await verify({ token })).status, 201, String(begun.signup_id))
    assert.equal(outcomeOf(await call(linkAt, { body: { token } })), '409 account_exists')
  })

  it('are not shown for a wrong token, or once the link has expired', async () => {
    const { token } = await started()
    for (const wrong of [`${token.slice(0, -1)}_`, `sgt_${'a'.repeat(40)}`])
      assert.equal(outcomeOf(await call(linkAt, { body: { token: wrong } })), '403 code_not_valid')
    jump_ms += 11 * 60_000
    assert.equal(outcomeOf(await call(linkAt, { body: { token } })), '403 code_not_valid')
  })
})
