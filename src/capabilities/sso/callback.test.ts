// Refusals of the callback, as a table: forged, replayed and foreign responses, and providers that
// fail.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { type StandIn, sendJson } from '../../../test/support/sso/identity-providers.ts'
import { type SsoBrowser, ssoBrowser } from '../../../test/support/sso/sso-browser.ts'
import { openSso, outcome } from './sso.fixture.ts'

const { registrar, rows, issuer, other, github, atCallback } = await openSso()

type Refusal = {
  title: string
  expected: string
  faults?: StandIn['faults']
  /** Changes the callback's path. */
  path?: (path: string) => string
  browser?: () => Promise<SsoBrowser>
}
const withoutCode = (error: string) => (response: URLSearchParams) => {
  response.delete('code')
  response.set('error', error)
}
const invalid = '403 sso_response_not_valid'
const failed = '502 sso_provider_failed'
const down = '503 sso_provider_unreachable'
const at = (path: string, answer: (response: ServerResponse) => void) => ({
  answer: (asked: string, response: ServerResponse) => {
    if (asked !== path) return false
    answer(response)
    return true
  },
})
const hour_s = 3_600
const now_s = () => Math.floor(Date.now() / 1000)

const refusals: Refusal[] = [
  {
    title: 'a wrong state',
    expected: '403 sso_state_not_valid',
    path: (path) => path.replace(/state=sst_.{4}/, 'state=sst_abcd'),
  },
  {
    title: 'no state',
    expected: '403 sso_state_not_valid',
    path: (path) => path.replace(/state=\w+/, ''),
  },
  {
    title: "another provider's state",
    expected: '403 sso_state_not_valid',
    path: (path) => path.replace('/acme/', '/other/'),
  },
  {
    title: 'another browser',
    expected: '403 sso_state_not_valid',
    browser: async () => {
      const browser = ssoBrowser(registrar)
      await browser.start('acme')
      return browser
    },
  },
  {
    title: 'a browser without the cookie',
    expected: '403 sso_state_not_valid',
    browser: async () => ssoBrowser(registrar),
  },
  {
    title: 'an unknown provider',
    expected: '404 sso_provider_not_found',
    path: (path) => path.replace('/acme/', '/unknown/'),
  },
  {
    title: "the user's refusal",
    expected: '403 sso_refused',
    faults: { response: withoutCode('access_denied') },
  },
  {
    title: "an error of the provider's",
    expected: failed,
    faults: { response: withoutCode('server_error') },
  },
  {
    title: 'a code that was never issued',
    expected: invalid,
    path: (p) => p.replace(/code=\w+/, 'code=x'),
  },
  { title: 'no code', expected: invalid, path: (path) => path.replace(/code=\w+&/, '') },
  {
    title: 'a foreign iss',
    expected: invalid,
    faults: { response: (response) => response.set('iss', 'https://evil.example') },
  },
  {
    title: 'no iss of a provider that sends it',
    expected: invalid,
    faults: { response: (response) => response.delete('iss') },
  },
  {
    title: 'an ID token of another issuer',
    expected: invalid,
    faults: { claims: (claims) => ({ ...claims, iss: 'https://evil.example' }) },
  },
  {
    title: 'an ID token for another client',
    expected: invalid,
    faults: { claims: (claims) => ({ ...claims, aud: 'another' }) },
  },
  {
    title: 'an ID token with another nonce',
    expected: invalid,
    faults: { claims: (claims) => ({ ...claims, nonce: 'another' }) },
  },
  {
    title: 'an ID token without nonce',
    expected: invalid,
    faults: { claims: ({ nonce: _nonce, ...claims }) => claims },
  },
  {
    title: 'an expired ID token',
    expected: invalid,
    faults: { claims: (claims) => ({ ...claims, exp: now_s() - hour_s }) },
  },
  {
    title: 'an ID token without subject',
    expected: invalid,
    faults: { claims: ({ sub: _sub, ...claims }) => claims },
  },
  {
    title: 'a subject that is too long',
    expected: invalid,
    faults: { claims: (claims) => ({ ...claims, sub: 's'.repeat(256) }) },
  },
  {
    title: 'an ID token with alg none',
    expected: invalid,
    faults: { header: { alg: 'none' }, signature: '' },
  },
  {
    title: 'an ID token with alg HS256',
    expected: invalid,
    faults: { header: { alg: 'HS256' } },
  },
  {
    title: 'an ID token with a forged signature',
    expected: invalid,
    faults: { signature: Buffer.alloc(256, 1).toString('base64url') },
  },
  {
    title: 'an ID token with an unknown key',
    expected: invalid,
    faults: { header: { kid: 'another' } },
  },
  {
    title: 'a token endpoint that answers 500',
    expected: failed,
    faults: at('/token', (response) => response.writeHead(500).end()),
  },
  {
    title: 'a token endpoint that redirects',
    expected: failed,
    faults: at('/token', (response) =>
      response.writeHead(307, { location: `${other.url}/token` }).end(),
    ),
  },
  {
    title: 'a token endpoint that answers with a page',
    expected: failed,
    faults: at('/token', (response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello'),
    ),
  },
  {
    title: 'an answer of 2 MB',
    expected: failed,
    faults: at('/token', (response) =>
      sendJson(response, { access_token: 'x'.repeat(2_000_000), token_type: 'Bearer' }),
    ),
  },
  {
    title: 'a client that the provider does not know',
    expected: failed,
    faults: at('/token', (response) => sendJson(response, { error: 'invalid_client' }, 401)),
  },
  {
    title: 'a connection that breaks',
    expected: down,
    faults: at('/token', (response) => response.destroy()),
  },
  {
    title: 'a provider that does not answer in time',
    expected: down,
    faults: at('/token', () => undefined),
  },
]

describe('the callback refuses, with the next step and no ticket', () => {
  for (const { title, expected, faults = {}, ...refusal } of refusals)
    it(title, async () => {
      issuer.faults = faults
      const { browser, path: sent } = await atCallback()
      const path = refusal.path?.(sent) ?? sent
      const before = issuer.requests.length
      const answer = await ((await refusal.browser?.()) ?? browser).open(path)
      assert.equal(outcome(answer), expected, answer.text)
      assert.ok(answer.body.next_action.hint)
      assert.equal(answer.status >= 500, answer.headers.has('retry-after'))
      assert.ok(!answer.text.includes('stk_'))
      // A state that is not valid costs the provider nothing.
      if (expected.includes('state')) assert.equal(issuer.requests.length, before)
    })

  it('a response that was used already, and its state cannot be tried again after an error', async () => {
    const { browser, path } = await atCallback()
    assert.equal((await browser.open(path)).status, 200)
    assert.equal(outcome(await browser.open(path)), '403 sso_state_not_valid')
    issuer.faults = at('/token', (response) => response.writeHead(500).end())
    const second = await atCallback()
    assert.equal(outcome(await second.browser.open(second.path)), failed)
    issuer.faults = {}
    assert.equal(outcome(await second.browser.open(second.path)), '403 sso_state_not_valid')
  })

  it('one of 20 concurrent uses of a response is the only one with a ticket', async () => {
    const { browser, path } = await atCallback()
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.open(path)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })

  it('a state that has expired', async () => {
    const { browser, path } = await atCallback()
    await rows(`update sso_log_ins set expires_at = now() - interval '1 s'`)
    assert.equal(outcome(await browser.open(path)), '403 sso_state_not_valid')
  })

  it("GitHub's errors, which are 200, and an API that fails", async () => {
    const { browser, path } = await atCallback('github')
    assert.equal(outcome(await browser.open(path.replace(/code=\w+/, 'code=x'))), invalid)
    github.faults = at('/api/v3/user/emails', (response) => sendJson(response, { message: 'no' }))
    const second = await atCallback('github')
    assert.equal(outcome(await second.browser.open(second.path)), failed)
  })
})
