// The session of an operator's browser over HTTP: its cookie, the proof against cross-site request
// forgery, its ends, and that it is no customer's session.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rowsIn } from '../support/owner-sql.ts'
import { sharedService } from '../support/service.ts'
import { cookieBrowser, ours as customersOwn } from '../support/sign-in.ts'

const registrar = await sharedService()
const { url } = registrar
const sql = rowsIn(registrar)
const name = `__Host-operator_session-${new URL(url).port}`
const ours = { 'x-session': 'operator', 'sec-fetch-site': 'same-origin' }
const tag = process.pid

async function newKey(label: string) {
  const body = { name: `${label} ${tag}` }
  const options = { token: registrar.operatorKey, body }
  const answer = await registrar.request('POST', '/v1/internal/operator-keys', options)
  assert.equal(answer.status, 201, answer.text)
  return { id: answer.body.key.id, key: answer.body.operator_key }
}

const logIn = (operator_key: string, headers: Record<string, string> = ours) =>
  registrar.request('POST', '/v1/operator/login', { body: { operator_key }, headers })

async function browserOf(key: string) {
  const answer = await logIn(key)
  assert.equal(answer.status, 200, answer.text)
  const cookie = answer.headers.getSetCookie()[0]?.split('; ')[0] ?? ''
  const send = (method: string, path: string, headers: Record<string, string> = ours) =>
    registrar.request(method, path, { headers: { ...headers, cookie } })
  return { cookie, answer, send }
}

const { id, key } = await newKey('Browser')
const mine = await browserOf(key)

describe('the log-in with an operator key', () => {
  test('gives a __Host- cookie that is Secure, HttpOnly and SameSite=Strict, and hides the token', async () => {
    const [cookie = '', ...more] = mine.answer.headers.getSetCookie()
    assert.deepEqual(more, [])
    const [pair = '', ...attributes] = cookie.split('; ')
    assert.match(pair, new RegExp(`^${name}=ops_[0-9A-Za-z]{40}$`))
    assert.deepEqual(attributes.sort(), ['HttpOnly', 'Path=/', 'SameSite=Strict', 'Secure'])
    assert.ok(!mine.answer.text.includes('ops_'))
    const { expires_at, ends_at, ...rest } = mine.answer.body
    assert.deepEqual(rest, { name: `Browser ${tag}`, key_id: id })
    const minutes = [expires_at, ends_at].map((at) => (Date.parse(at) - Date.now()) / 60_000)
    assert.ok(Math.abs((minutes[0] ?? 0) - 30) < 1 && Math.abs((minutes[1] ?? 0) - 480) < 1)
  })

  test('stores only a digest, and is audited by the name of the key', async () => {
    const [, token = ''] = mine.cookie.split('=')
    const dump = JSON.stringify(await sql('select s::text from operator_sessions s'))
    assert.ok(!dump.includes(token.slice(4)))
    const rows = await sql(
      `select entry_point, actor_type, customer_id from audit_logs
        where action = 'log_in_operator' and actor_label = $1`,
      [`Browser ${tag}`],
    )
    assert.deepEqual(rows, [
      { entry_point: 'dashboard', actor_type: 'operator', customer_id: null },
    ])
  })

  test('is refused for a wrong key, a key of a customer and a revoked one, all alike', async () => {
    const customer = await registrar.customer({ funds_cents: 0, contact: false })
    const revoked = await newKey('Revoked')
    const path = `/v1/internal/operator-keys/${revoked.id}/revoke`
    await registrar.request('POST', path, { token: registrar.operatorKey })
    for (const wrong of [`op_${'w'.repeat(40)}`, customer.key, revoked.key, 'x']) {
      const { status, body, headers } = await logIn(wrong)
      assert.deepEqual([status, body.code], [401, 'wrong_operator_key'])
      assert.deepEqual(headers.getSetCookie(), [])
    }
  })

  test('is refused to other sites, and to a request without X-Session', async () => {
    for (const sent of ['cross-site', 'same-site', 'none']) {
      const answer = await logIn(key, { ...ours, 'sec-fetch-site': sent })
      assert.deepEqual([answer.status, answer.body.code], [403, 'cross_site_request'], sent)
      assert.deepEqual(answer.headers.getSetCookie(), [])
    }
    assert.equal((await logIn(key, { 'sec-fetch-site': 'same-origin' })).status, 422)
    assert.equal((await logIn(key, customersOwn)).status, 422)
  })
})

describe('the session', () => {
  test('is the operator with its name, at its own routes and at those of customers', async () => {
    const session = await mine.send('GET', '/v1/operator/session')
    assert.deepEqual([session.status, session.body.name], [200, `Browser ${tag}`])
    const customer = await registrar.customer({ funds_cents: 0, contact: false })
    for (const path of ['/v1/internal/parked-orders', `/v1/customers/${customer.id}`])
      assert.equal((await mine.send('GET', path)).status, 200, path)
    const account = await mine.send('GET', '/v1/account')
    assert.deepEqual([account.status, account.body.code], [403, 'customer_required'])
  })

  test('needs the proof for reading, too', async () => {
    const path = '/v1/internal/parked-orders'
    const forged: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site', 'x-session': 'operator' },
      { 'sec-fetch-site': 'same-site', 'x-session': 'operator' },
      { 'sec-fetch-site': 'none', 'x-session': 'operator' },
      { 'x-session': 'operator' },
      { 'x-session': 'operator', origin: 'https://evil.example' },
    ]
    for (const headers of forged) {
      const answer = await mine.send('GET', path, headers)
      assert.deepEqual([answer.status, answer.body.code], [403, 'cross_site_request'])
    }
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, customersOwn])
      assert.equal((await mine.send('GET', path, headers)).status, 401)
    const type = { ...ours, 'content-type': 'text/plain' }
    assert.equal((await mine.send('POST', '/v1/operator/logout', type)).status, 415)
  })

  test('is neither a bearer token nor the session of a customer, nor one of them it', async () => {
    const [, token = ''] = mine.cookie.split('=')
    const bearer = await registrar.request('GET', '/v1/internal/parked-orders', { token })
    assert.deepEqual([bearer.status, bearer.body.code], [401, 'invalid_token'])
    const customer = await cookieBrowser(registrar)
    const value = customer.cookie.split('=')[1] ?? ''
    const swapped = { ...ours, cookie: `${name}=${value}` }
    const path = '/v1/internal/parked-orders'
    assert.equal((await registrar.request('GET', path, { headers: swapped })).status, 401)
    const both = { ...ours, cookie: `${customer.cookie}; ${mine.cookie}` }
    assert.equal((await registrar.request('GET', path, { headers: both })).status, 200)
    const own = { ...customersOwn, cookie: `${customer.cookie}; ${mine.cookie}` }
    assert.equal((await registrar.request('GET', '/v1/account', { headers: own })).status, 200)
    assert.equal((await registrar.request('GET', path, { headers: own })).status, 401)
  })
})

describe('its end', () => {
  test('comes at the log-out, which removes the cookie', async () => {
    const browser = await browserOf(key)
    const answer = await browser.send('POST', '/v1/operator/logout')
    assert.equal(answer.status, 204)
    assert.match(answer.headers.getSetCookie()[0] ?? '', new RegExp(`^${name}=; Max-Age=0; `))
    assert.equal((await browser.send('GET', '/v1/operator/session')).status, 401)
    assert.equal((await mine.send('GET', '/v1/operator/session')).status, 200)
  })

  test('comes with that of its key: revoked or rotated', async () => {
    for (const verb of ['revoke', 'rotate']) {
      const other = await newKey(`Ends by ${verb}`)
      const browser = await browserOf(other.key)
      assert.equal((await browser.send('GET', '/v1/operator/session')).status, 200)
      const path = `/v1/internal/operator-keys/${other.id}/${verb}`
      assert.equal((await mine.send('POST', path)).status, 200)
      const ended = await browser.send('GET', '/v1/operator/session')
      assert.deepEqual([ended.status, ended.body.code], [401, 'invalid_token'], verb)
    }
  })

  test('comes after 30 minutes without a call, and after eight hours with calls', async () => {
    const set = (what: string, cookie: string) =>
      sql(
        `update operator_sessions set ${what} where token_hash = sha256($1::bytea) returning id`,
        [cookie.split('=')[1]],
      )
    for (const [what, status] of [
      [`last_used_at = now() - interval '29 minutes'`, 200],
      [`last_used_at = now() - interval '31 minutes'`, 401],
      [`expires_at = now() + interval '1 minute'`, 200],
      [`expires_at = now()`, 401],
    ] as const) {
      const browser = await browserOf(key)
      assert.equal((await set(what, browser.cookie)).length, 1)
      const { status: found } = await browser.send('GET', '/v1/operator/session')
      assert.equal(found, status, what)
    }
  })

  test('is put off by its use', async () => {
    const browser = await browserOf(key)
    const [, token] = browser.cookie.split('=')
    await sql(
      `update operator_sessions set last_used_at = now() - interval '10 minutes'
        where token_hash = sha256($1::bytea)`,
      [token],
    )
    const { body } = await browser.send('GET', '/v1/operator/session')
    assert.ok(Date.parse(body.expires_at) - Date.now() > 29 * 60_000, body.expires_at)
  })
})
