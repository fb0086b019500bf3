// The session cookie over HTTP: its attributes, the routes where it authenticates, and the ends of
// a session.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rowsIn } from '../support/owner-sql.ts'
import { sharedService } from '../support/service.ts'
import {
  browserWith,
  cookieBrowser,
  cookieOf,
  logInWith,
  ours,
  ownersPassword,
} from '../support/sign-in.ts'

const registrar = await sharedService()
const { url } = registrar
const name = `__Host-session-${new URL(url).port}`
const sql = rowsIn(registrar)
const first = await cookieBrowser(registrar)

describe('the cookie of a log-in', () => {
  test('has the prefix __Host-, is Secure, HttpOnly, SameSite=Lax, and hides the token', async () => {
    const { account } = await cookieBrowser(registrar)
    const { headers, body, text } = await logInWith(registrar, account, ours)
    const [cookie = '', ...more] = headers.getSetCookie()
    assert.deepEqual(more, [])
    const [pair = '', ...attributes] = cookie.split('; ')
    assert.match(pair, new RegExp(`^${name}=ses_[0-9A-Za-z]{40}$`))
    assert.deepEqual(attributes.sort(), ['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure'])
    assert.equal(body.access_token, null)
    assert.deepEqual(Object.keys(body).sort(), [
      'access_token',
      'customer',
      'expires_at',
      'token_type',
    ])
    assert.ok(!text.includes('ses_'))
    assert.equal(headers.get('cache-control'), 'no-store')
  })

  test('is only for a request that asks for it', async () => {
    const { account } = await cookieBrowser(registrar)
    const { headers, body } = await logInWith(registrar, account, {})
    assert.deepEqual(headers.getSetCookie(), [])
    assert.match(body.access_token, /^ses_/)
    assert.equal((await logInWith(registrar, account, { ...ours, 'x-session': 'yes' })).status, 422)
  })

  test('is new each time, and the session that it replaces in its browser ends', async () => {
    const mine = await cookieBrowser(registrar)
    const elsewhere = await cookieBrowser(registrar, mine.account)
    const body = { email: mine.account.email, password: ownersPassword }
    const again = await mine.send('POST', '/v1/dashboard/login', { body, headers: ours })
    const cookie = cookieOf(again.headers)
    const renewed = browserWith(registrar, { ...mine, cookie })
    assert.notEqual(renewed.cookie, mine.cookie)
    assert.deepEqual(
      await Promise.all([mine, renewed, elsewhere].map((by) => by.status())),
      [401, 200, 200],
    )
  })

  test('never takes the value that the request brought (session fixation)', async () => {
    const planted = `ses_${'A'.repeat(40)}`
    const headers = { ...ours, cookie: `${name}=${planted}` }
    const { headers: given } = await logInWith(registrar, first.account, headers)
    assert.ok(!cookieOf(given).includes(planted))
    assert.equal((await first.send('GET', '/v1/account', { headers })).status, 401)
  })

  test('is in no log line, and only as a digest in the database', async () => {
    assert.ok(!registrar.logs.join('\n').includes(first.token.slice(4)))
    const rows = JSON.stringify(await sql('select s::text from sessions s', []))
    assert.ok(!rows.includes(first.token.slice(4)))
  })
})

describe('the cookie authenticates', () => {
  test('the API, as the owner in person, and its audit rows say dashboard', async () => {
    assert.equal((await first.send('GET', '/v1/account')).body.id, first.account.id)
    assert.equal((await first.send('GET', '/v1/account/sessions')).status, 200)
    assert.equal(
      (await first.send('PATCH', '/v1/account', { headers: ours, body: { name: 'New' } })).status,
      200,
    )
    const rows = await sql(
      `select entry_point, actor_type from audit_logs
        where customer_id = $1 and action = 'update_account'`,
      [first.account.id],
    )
    assert.deepEqual(rows[0], { entry_point: 'dashboard', actor_type: 'customer' })
  })
})

describe('the cookie does not authenticate', () => {
  test('tools of MCP and endpoints of OAuth', async () => {
    const params = { name: 'get_account', arguments: {} }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const headers = { ...ours, accept: 'application/json, text/event-stream' }
    assert.equal((await first.send('POST', '/mcp', { body, headers })).status, 401)
    assert.equal((await first.send('GET', '/oauth/userinfo', { headers: ours })).status, 401)
    const grant = 'grant_type=authorization_code&code=x&redirect_uri=https://a.example/'
    const form = {
      ...ours,
      cookie: first.cookie,
      'content-type': 'application/x-www-form-urlencoded',
    }
    const token = await fetch(`${url}/oauth/token`, { method: 'POST', body: grant, headers: form })
    assert.ok([400, 401].includes(token.status), `${token.status}`)
  })

  test('operations of operators', async () => {
    const operatorRoutes: [string, string][] = [
      ['POST', '/v1/customers'],
      ['POST', '/v1/pricing/tlds/sync'],
      ['GET', '/v1/internal/parked-orders'],
      ['POST', `/v1/customers/${first.account.id}/password-setup`],
    ]
    for (const [method, path] of operatorRoutes) {
      const body = method === 'GET' ? {} : { body: {} }
      const { status, body: problem } = await first.send(method, path, { headers: ours, ...body })
      assert.deepEqual([status, problem.code], [401, 'unauthenticated'], path)
    }
  })

  test("requests for another customer's objects", async () => {
    const other = await cookieBrowser(registrar)
    const path = `/v1/customers/${other.account.id}/api-keys`
    assert.equal((await first.send('GET', path)).status, 404)
  })

  test('a request with a bearer token beside it, not even where that is invalid', async () => {
    const other = await registrar.customer({ funds_cents: 0, contact: false })
    const both = await first.send('GET', '/v1/account', { token: other.key })
    assert.equal(both.body.id, other.id)
    for (const authorization of [`Bearer ${other.key}x`, 'Bearer ', 'Basic eDp5'])
      for (const path of ['/v1/account', '/v1/health'])
        assert.equal((await first.send('GET', path, { headers: { authorization } })).status, 401)
  })

  test('with an API key in place of a session', async () => {
    const headers = { cookie: `${name}=${first.account.key}` }
    assert.equal((await first.send('GET', '/v1/account', { headers })).status, 401)
  })

  test('under another name, or where it is there twice', async () => {
    const { token } = first
    for (const cookie of [
      `__Host-session=${token}`,
      `session=${token}`,
      `__Host-session-1=${token}`,
      `${name}=${token}; ${name}=ses_x`,
    ])
      assert.equal(
        (await first.send('GET', '/v1/account', { headers: { cookie } })).status,
        401,
        cookie,
      )
    const among = { cookie: `a=b; ${name}=${token}; c="d=e"` }
    assert.equal((await first.send('GET', '/v1/account', { headers: among })).status, 200)
  })
})

describe('the session of a cookie ends', () => {
  test('with a log-out, which removes the cookie and ends it here, too', async () => {
    const by = await cookieBrowser(registrar)
    const { status, headers } = await by.send('POST', '/v1/dashboard/logout', { headers: ours })
    assert.equal(status, 204)
    const [removed = '', ...attributes] = (headers.getSetCookie()[0] ?? '').split('; ')
    assert.equal(removed, `${name}=`)
    assert.deepEqual(attributes.sort(), [
      'HttpOnly',
      'Max-Age=0',
      'Path=/',
      'SameSite=Lax',
      'Secure',
    ])
    assert.equal(await by.status(), 401)
  })

  test('but a log-out with a bearer token leaves the cookie alone', async () => {
    const by = await cookieBrowser(registrar)
    const token = String((await logInWith(registrar, by.account, {})).body.access_token)
    const { headers } = await by.send('POST', '/v1/dashboard/logout', { token })
    assert.deepEqual(headers.getSetCookie(), [])
    assert.equal(await by.status(), 200)
  })

  test('with a new password, in all other browsers', async () => {
    const by = await cookieBrowser(registrar)
    const others = [
      await cookieBrowser(registrar, by.account),
      await cookieBrowser(registrar, by.account),
    ]
    const body = { current_password: ownersPassword, new_password: `${ownersPassword}, again` }
    const changed = await by.send('POST', '/v1/account/password', { body, headers: ours })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(await Promise.all([by, ...others].map((by) => by.status())), [200, 401, 401])
  })

  test('from the list of sessions', async () => {
    const by = await cookieBrowser(registrar)
    const { body } = await by.send('GET', '/v1/account/sessions', {})
    const path = `/v1/account/sessions/${body.sessions[0].id}`
    assert.equal((await by.send('DELETE', path, { headers: ours })).status, 204)
    assert.equal(await by.status(), 401)
  })

  test('after a day without a request, and after seven days', async () => {
    const ends: [string, string][] = [
      ['last_used_at', `now() - interval '25 hours'`],
      ['expires_at', 'now()'],
    ]
    for (const [column, at] of ends) {
      const by = await cookieBrowser(registrar)
      await sql(`update sessions set ${column} = ${at} where customer_id = $1`, [by.account.id])
      assert.equal(await by.status(), 401, column)
    }
  })

  test('and its cookie then prevents neither public requests nor a log-in', async () => {
    const by = await cookieBrowser(registrar)
    await by.send('POST', '/v1/dashboard/logout', { headers: ours })
    assert.equal((await by.send('GET', '/v1/pricing/tlds', {})).status, 200)
    const body = { email: by.account.email, password: ownersPassword }
    assert.equal(
      (await by.send('POST', '/v1/dashboard/login', { body, headers: ours })).status,
      200,
    )
    const ended = await by.send('GET', '/v1/account', {})
    assert.deepEqual([ended.status, ended.body.code], [401, 'invalid_token'])
  })
})
