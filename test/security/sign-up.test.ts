// Sign-up and the change of the e-mail address over HTTP, from request to mail: headers, hosts,
// origins, cookies and logs.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pageOrigin } from '../../src/origins.ts'
import { rowsIn } from '../support/owner-sql.ts'
import { startService } from '../support/service.ts'
import { cookieOf, ours, ownersPassword, sessionOf } from '../support/sign-in.ts'

const registrar = await startService()
const { url } = registrar
const password = 'a horse, a battery & a staple of two'
const registerPath = '/v1/dashboard/register'
let made = 0
const newEmail = () => {
  made += 1
  return `person-${made}@example.org`
}
const register = (email: string, headers: Record<string, string> = {}) =>
  registrar.request('POST', registerPath, {
    body: { email, password, name: 'Ada' },
    headers,
  })

/** A sign-up as its mail arrived. */
async function started(headers: Record<string, string> = {}) {
  const email = newEmail()
  const { body, status, text } = await register(email, headers)
  assert.equal(status, 202, text)
  const [mail] = await registrar.mails({ to: email, subject: /^Verify your email address/ })
  const mailed = mail?.text ?? ''
  const code = /^\d{6}$/m.exec(mailed)?.[0] ?? ''
  const link = /^https?:\/\/\S+#token=\S+$/m.exec(mailed)?.[0] ?? ''
  return { email, signup_id: String(body.signup_id), code, link: new URL(link) }
}
const verify = (body: object, headers: Record<string, string> = {}) =>
  registrar.request('POST', `${registerPath}/verify`, { body, headers })
const tokenOf = (link: URL) => link.hash.slice('#token='.length)

test('a verification gives the session as a __Host- cookie to a page that asks for it', async () => {
  const { signup_id, code, email } = await started()
  const { status, body, headers, text } = await verify({ signup_id, code }, ours)
  assert.equal(status, 201, text)
  const [cookie = ''] = headers.getSetCookie()
  const [, ...attributes] = cookie.split('; ')
  assert.match(cookie, /^__Host-session-\d+=ses_/)
  assert.deepEqual(attributes.sort(), ['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure'])
  assert.equal(body.access_token, null)
  assert.ok(!text.includes('ses_'))
  const sent = { headers: { ...ours, cookie: cookieOf(headers) } }
  const account = await registrar.request('GET', '/v1/account', sent)
  assert.deepEqual([account.body.email, account.body.email_verified], [email, true])
})

test('each verification has a session of its own, also in a browser that has one', async () => {
  const [one, two] = [await started(), await started()]
  const first = await verify({ token: tokenOf(one.link) }, ours)
  const cookie = cookieOf(first.headers)
  const second = await verify({ token: tokenOf(two.link) }, { ...ours, cookie })
  assert.equal(second.status, 201, second.text)
  assert.notEqual(cookieOf(second.headers), cookie)
  const old = await registrar.request('GET', '/v1/account', { headers: { ...ours, cookie } })
  assert.equal(old.status, 401, 'the session that was replaced has ended')
})

describe('a cross-site request', () => {
  const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }

  test('with the cookie neither changes the address nor rotates the key', async () => {
    const { signup_id, code } = await started()
    const cookie = cookieOf((await verify({ signup_id, code }, ours)).headers)
    for (const headers of [{ cookie }, { cookie, ...evil }, { ...ours, cookie, ...evil }])
      for (const [method, path, body] of [
        ['PATCH', '/v1/account', { email: newEmail() }],
        ['POST', '/v1/dashboard/config/mcp-api-key/rotate', {}],
        ['POST', '/v1/account/email/verify', { token: `emt_${'a'.repeat(40)}` }],
      ] as const) {
        const { status, text } = await registrar.request(method, path, { body, headers })
        assert.ok(status === 401 || status === 403, `${method} ${path}: ${status} ${text}`)
        assert.ok(!text.includes('email_link_not_valid'), 'it is refused before it is run')
      }
  })

  test('that is no JSON begins no sign-up', async () => {
    const body = JSON.stringify({ email: newEmail(), password, name: 'Ada' })
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const headers = { 'content-type': type, ...evil }
      const answer = await fetch(url + registerPath, { method: 'POST', headers, body })
      assert.equal(answer.status, 415, type)
    }
  })

  test('by GET changes nothing', async () => {
    for (const path of [registerPath, `${registerPath}/verify`, '/v1/account/email/verify']) {
      const answer = await registrar.request('GET', path)
      assert.ok(answer.status === 404 || answer.status === 405, `${path}: ${answer.status}`)
    }
  })
})

test('the host of a mailed link comes from the settings, whatever the request says', async () => {
  const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
  const { link } = await started({ ...forged, forwarded: 'host=evil.example' })
  assert.equal(link.origin, pageOrigin(registrar.service.settings))
  assert.equal(link.search, '', 'the token is in the fragment alone')
})

test('responses are neither stored nor sniffed', async () => {
  const { signup_id, code } = await started()
  const answers = [
    await register(newEmail()),
    await verify({ signup_id, code }),
    await verify({ signup_id, code }),
    await registrar.request('GET', '/v1/dashboard/config'),
    await registrar.request('GET', '/v1/dashboard/signup/config'),
  ]
  for (const { headers, status } of answers) {
    assert.equal(headers.get('cache-control'), 'no-store', `${status}`)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
  }
})

test('no other origin may read a response with credentials', async () => {
  for (const origin of ['https://evil.example', 'null', `${url}.evil.example`]) {
    const { headers } = await verify({ token: `sgt_${'a'.repeat(40)}` }, { origin })
    assert.equal(headers.get('access-control-allow-credentials'), null)
    assert.ok(![origin, '*'].includes(headers.get('access-control-allow-origin') ?? ''), origin)
  }
})

test('the old address is notified by a mail that names the new one', async () => {
  const account = await registrar.customer({ funds_cents: 0, contact: false })
  const token = await sessionOf(registrar, account)
  const email = newEmail()
  const change = (body: object) => registrar.request('PATCH', '/v1/account', { token, body })
  assert.equal((await change({ email })).body.code, 'password_needed')
  assert.equal((await change({ email, current_password: ownersPassword })).status, 200)
  const [link] = await registrar.mails({ to: email, subject: /new email address/ })
  const [, secret] = /#token=(\w+)/.exec(link?.text ?? '') ?? []
  const body = { token: secret }
  const done = await registrar.request('POST', '/v1/account/email/verify', { token, body })
  assert.deepEqual([done.status, done.body.email], [200, email])
  const old = await registrar.mails({ to: account.email, subject: /email address/, count: 2 })
  assert.ok(old.every(({ text }) => text?.includes(email)))
})

test('no log line and no row has a password, a code or a token', async () => {
  const { signup_id, code, link } = await started()
  const { body } = await verify({ signup_id, code })
  const logs = registrar.logs.join('')
  const secrets = [password, tokenOf(link), body.access_token, body.mcp_api_key]
  assert.ok(logs.includes(registerPath))
  for (const secret of secrets) assert.ok(!logs.includes(secret))
  assert.ok(!logs.includes(`"${code}"`))
  for (const table of ['sign_ups', 'mails', 'audit_logs', 'tasks', 'sessions', 'api_keys']) {
    const rows = JSON.stringify(await rowsIn(registrar)(`select t::text from ${table} t`))
    for (const secret of secrets) assert.ok(!rows.includes(secret), table)
  }
})
