// Paths without a route: a page for a browser, the contract's problem document for all others.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sharedService } from '../../../test/support/service.ts'

const registrar = await sharedService({ worker: false })
const json = 'application/problem+json'
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const open = (path: string, accept: string | null = browser, method = 'GET') =>
  fetch(registrar.url + path, {
    method,
    headers: accept === null ? {} : { accept },
    redirect: 'manual',
  })
/** The origin of pages. */
const pages = `http://localhost:${new URL(registrar.url).port}`

describe('a path without a route', () => {
  it('leads a browser from the usual names of a page to the page of the dashboard', async () => {
    const places: [string, string][] = [
      ['/login', '/dashboard/log-in'],
      ['/login/', '/dashboard/log-in'],
      ['/Sign-In?next=/domains', '/dashboard/log-in'],
      ['/signup', '/dashboard/sign-up'],
      ['/forgot-password', '/dashboard/password/forgotten'],
    ]
    for (const [path, place] of places) {
      const response = await open(path)
      assert.equal(response.status, 302, path)
      assert.equal(response.headers.get('location'), pages + place, path)
      assert.equal(response.headers.get('vary'), 'Accept')
    }
  })

  it('gives a browser a page with links, at the status of the problem', async () => {
    for (const path of ['/dashbord', '/docs2/x', '/v1/nothing', '/v2', '/%3Cscript%3E', '/<b>']) {
      const response = await open(path)
      assert.equal(response.status, 404, path)
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/)
      assert.match(response.headers.get('content-security-policy') ?? '', /^default-src 'none'/)
      assert.equal(response.headers.get('vary'), 'Accept')
      const page = await response.text()
      assert.match(page, /<h1>Page not found<\/h1>/)
      for (const place of ['/dashboard/', '/dashboard/log-in', '/docs'])
        assert.ok(page.includes(`href="${pages}${place}"`), place)
      assert.doesNotMatch(page, /<script>|<b>/)
    }
    assert.equal((await open('/dashbord', browser, 'HEAD')).status, 404)
    const long = await (await open(`/${'a'.repeat(1000)}`)).text()
    assert.match(long, /\/a{79}…</)
  })

  it('gives every other client the problem document of the contract', async () => {
    for (const path of ['/login', '/dashbord', '/v1/nothing', '//evil'])
      for (const accept of [
        null,
        '*/*',
        'application/json',
        `${json}, */*`,
        'text/html, application/json',
      ]) {
        const response = await open(path, accept)
        const body: Record<string, unknown> = Object(await response.json())
        assert.equal(response.status, 404, path)
        assert.equal(response.headers.get('content-type')?.split(';')[0], json)
        assert.deepEqual([body.status, body.code], [404, 'route_not_found'])
      }
    const posted = await open('/login', browser, 'POST')
    assert.deepEqual([posted.status, Object(await posted.json()).code], [404, 'route_not_found'])
    const known = await open('/v1/account', browser, 'DELETE')
    assert.deepEqual([known.status, Object(await known.json()).code], [405, 'method_not_allowed'])
  })
})
