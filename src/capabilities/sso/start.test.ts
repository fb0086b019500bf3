// Start of a log-in: the request to the provider, and the paths to which the browser may return.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { rowsIn } from '../../../test/support/owner-sql.ts'
import { startService } from '../../../test/support/service.ts'
import { openIssuer, sendJson, ssoSettings } from '../../../test/support/sso/identity-providers.ts'
import { ssoBrowser } from '../../../test/support/sso/sso-browser.ts'
import { openSso, outcome } from './sso.fixture.ts'

const { registrar, rows, issuer } = await openSso()
const start = (provider: string, body: object = {}) =>
  registrar.request('POST', `/v1/dashboard/sso/${provider}/start`, { body })

describe('the start', () => {
  it('asks the provider with PKCE, state, nonce and our redirect URI', async () => {
    const { url, state } = await ssoBrowser(registrar).start('acme')
    const asked = Object.fromEntries(url.searchParams)
    assert.equal(asked.state, state)
    assert.equal(asked.code_challenge_method, 'S256')
    assert.match(asked.nonce ?? '', /^\w{32}$/)
    const { port } = new URL(registrar.url)
    const callback = `http://localhost:${port}/v1/dashboard/sso/acme/callback`
    assert.equal(asked.redirect_uri, callback)
    const [row] = await rows('select * from sso_log_ins order by id desc limit 1')
    assert.ok(!JSON.stringify(row).includes(asked.nonce ?? ''), 'the nonce is stored in clear')
  })

  it('is 404 for a provider that is not set', async () => {
    assert.equal(outcome(await start('unknown')), '404 sso_provider_not_found')
    assert.equal(outcome(await start('constructor')), '404 sso_provider_not_found')
  })

  it('is 503 while the provider is down, and works once it is back', async () => {
    // Its metadata has not been read yet.
    const late = await openIssuer()
    after(() => late.close())
    const node = await startService({ settings: ssoSettings({ late: late.url }) })
    late.faults = { answer: (_path, response) => Boolean(response.destroy()) }
    const path = '/v1/dashboard/sso/late/start'
    const answer = await node.request('POST', path, { body: {} })
    assert.equal(outcome(answer), '503 sso_provider_unreachable')
    late.faults.answer = (_path, response) => {
      sendJson(response, { issuer: 'https://evil.example' })
      return true
    }
    const foreign = await node.request('POST', path, { body: {} })
    assert.equal(outcome(foreign), '502 sso_provider_failed')
    late.faults = {}
    assert.equal((await node.request('POST', path, { body: {} })).status, 200)
  })
})

describe('the limits of starts', () => {
  it('are of an address, and refuse before the provider is asked or a row is stored', async () => {
    const node = await startService({ settings: ssoSettings({ acme: issuer.url }) })
    const path = '/v1/dashboard/sso/acme/start'
    const begin = () => node.request('POST', path, { body: {} })
    const invalid = await node.request('POST', path, { body: { return_to: '//evil.example' } })
    assert.equal(invalid.status, 422)
    const answers = await Promise.all(Array.from({ length: 60 }, begin))
    assert.deepEqual(new Set(answers.map(outcome)), new Set(['200']))
    issuer.requests.length = 0
    const refused = await begin()
    assert.equal(outcome(refused), '429 too_many_tries')
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
    assert.deepEqual(issuer.requests, [])
    const [{ count }] = await rowsIn(node)('select count(*)::int from sso_log_ins')
    assert.equal(count, 60)
  })
})

describe('the path to return to', () => {
  const ways = [
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '\\\\evil.example',
    'https:evil.example',
    'https://evil.example',
    'https:/evil.example',
    'http://localhost.evil.example',
    'http://localhost@evil.example',
    'http://localhost:1@evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    '/\t/evil.example',
    '/\n/evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    'evil.example',
    '',
    '?next=1',
    `/${'a'.repeat(2_001)}`,
    'http://localhost/dashboard/',
  ]
  for (const return_to of ways)
    it(`is 422 for ${JSON.stringify(return_to.slice(0, 40))}`, async () => {
      const answer = await start('acme', { return_to })
      assert.equal(answer.status, 422, answer.text)
      assert.deepEqual(answer.body.detail[0].loc, ['body', 'return_to'])
    })

  it('is one of this service, in the form in which a browser reads them', async () => {
    const { port } = new URL(registrar.url)
    const paths = {
      '/dashboard/': '/dashboard/',
      '/dashboard/domains?q=//x': '/dashboard/domains?q=//x',
      '/a/../dashboard': '/dashboard',
      [`http://localhost:${port}/dashboard/a`]: '/dashboard/a',
      [`http://127.0.0.1:${port}/dashboard/a`]: '/dashboard/a',
    }
    for (const [return_to, read] of Object.entries(paths)) {
      assert.equal((await start('acme', { return_to })).status, 200, return_to)
      const [row] = await rows('select return_to from sso_log_ins order by id desc limit 1')
      assert.equal(row?.return_to, read)
    }
  })
})
