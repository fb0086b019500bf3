// Cross-site request forgery (CSRF) and CORS: requests that a page of another site makes with the
// session cookie of a browser.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rowsIn } from '../support/owner-sql.ts'
import { sharedService } from '../support/service.ts'
import { cookieBrowser, logInWith, ours } from '../support/sign-in.ts'

const registrar = await sharedService()
const { url } = registrar
const { port } = new URL(url)
const sql = rowsIn(registrar)
const first = await cookieBrowser(registrar)
const rename = (headers: Record<string, string>, body: unknown = { name: 'Renamed' }) =>
  first.send('PATCH', '/v1/account', { headers, body })
const nameNow = async () => (await first.send('GET', '/v1/account')).body.name

const json = { 'x-session': 'cookie' }
const forged: [string, Record<string, string>][] = [
  ['of another site', { ...json, 'sec-fetch-site': 'cross-site' }],
  ['of another subdomain or port', { ...json, 'sec-fetch-site': 'same-site' }],
  ['of no page', { ...json, 'sec-fetch-site': 'none' }],
  [
    'with an Origin that the other field contradicts',
    {
      ...json,
      'sec-fetch-site': 'cross-site',
      origin: url,
    },
  ],
  ['of another origin', { ...json, origin: 'https://evil.example' }],
  ['of an origin that begins like ours', { ...json, origin: `${url}.evil.example` }],
  ['of another port', { ...json, origin: 'http://127.0.0.1:1' }],
  ['of an opaque origin', { ...json, origin: 'null' }],
  ['without either field', json],
  ['without X-Session', { 'sec-fetch-site': 'same-origin' }],
]

describe('a request that another site makes with the cookie', () => {
  for (const [title, headers] of forged)
    test(`is refused ${title}, and changes nothing`, async () => {
      const before = await nameNow()
      const { status, body, headers: given } = await rename(headers, { name: `Forged ${title}` })
      assert.deepEqual([status, body.code], [403, 'cross_site_request'])
      assert.match(given.get('content-type') ?? '', /^application\/problem\+json/)
      assert.equal(await nameNow(), before)
    })

  test('is refused as a form or plain text', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
      for (const [method, path] of [
        ['PATCH', '/v1/account'],
        ['POST', '/v1/dashboard/logout'],
      ] as const) {
        const headers = { ...ours, 'content-type': type }
        const { status } = await first.send(method, path, { headers, body: { name: 'Forged' } })
        assert.equal(status, 415, `${path} ${type}`)
      }
    assert.equal((await first.send('GET', '/v1/account')).status, 200)
  })

  test('is refused as a GET that has an effect: a link brings the cookie', async () => {
    const path = '/v1/domains/absent.com/transfer-auth-code'
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    const { status, body } = await first.send('GET', path, { headers: link })
    assert.deepEqual([status, body.code], [403, 'cross_site_request'])
    assert.equal((await first.send('GET', path, { headers: ours })).status, 404)
    const put = await first.send('GET', '/v1/dashboard/logout', { headers: link })
    assert.equal(put.status, 405)
  })

  test('is accepted from our own origin where the browser sends no Sec-Fetch-Site', async () => {
    const origins = [url, `http://localhost:${port}`]
    for (const origin of origins)
      assert.equal((await rename({ 'x-session': 'cookie', origin })).status, 200, origin)
  })

  test('gets no session cookie for the account of its choice, either', async () => {
    for (const [title, headers] of forged.filter(([, sent]) => 'x-session' in sent)) {
      const { status, headers: given } = await logInWith(registrar, first.account, headers)
      assert.equal(status, 403, title)
      assert.deepEqual(given.getSetCookie(), [])
    }
  })

  test('leaves no row in the log of the owner', async () => {
    const count = async () =>
      (await sql('select 1 from audit_logs where customer_id = $1', [first.account.id])).length
    const before = await count()
    await rename({ 'sec-fetch-site': 'cross-site', 'x-session': 'cookie' })
    assert.equal(await count(), before)
  })
})

test('no other origin may read a response: no CORS header, and no preflight is answered', async () => {
  for (const origin of [
    'https://evil.example',
    'null',
    `${url}.evil.example`,
    `http://localhost:${port}`,
    'http://127.0.0.1:1',
    'file://',
  ]) {
    const read = await first.send('GET', '/v1/account', { headers: { origin } })
    const preflight = await first.send('OPTIONS', '/v1/account', {
      headers: {
        origin,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'x-session',
      },
    })
    assert.equal(preflight.status, 405)
    for (const { headers } of [read, preflight])
      assert.deepEqual(
        [...headers.keys()].filter((field) => field.startsWith('access-control-')),
        [],
      )
  }
})
