// Security headers of every HTML page that the service serves: framing, sources, form targets,
// caching.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { formOf } from '../support/browser.ts'
import { decideAt, filledIn, newOwner, openBrowser } from '../support/owner.ts'
import { type Answer, sharedService } from '../support/service.ts'
import { newVerifier, openAttacker } from './client.ts'

const registrar = await sharedService()
const { authorizeUrl, register, send } = openAttacker(registrar)
const owner = await newOwner(registrar)
const client = await register()
const site = await register({ redirect_uris: ['https://client.example/o;a,uth/cb?x=1'] })
const app = await register({ redirect_uris: ['com.example.app:/oauth'] })

const isPage = ({ headers }: Pick<Answer, 'headers'>) =>
  headers.get('content-type')?.startsWith('text/html') ?? false

/** Directives of Content-Security-Policy by name. */
function interactionPolicyOf({ headers }: Pick<Answer, 'headers'>): Map<string, string> {
  const policy = headers.get('content-security-policy') ?? ''
  const directives = policy.split(';').map((one) => one.trim().split(/ (.*)/s))
  return new Map(directives.map(([name = '', value = '']) => [name, value]))
}

function assertGuarded(page: Answer, what: string): void {
  assert.ok(isPage(page), `${what} is no page`)
  const { headers } = page
  const policy = interactionPolicyOf(page)
  for (const name of ['default-src', 'base-uri', 'frame-ancestors'])
    assert.equal(policy.get(name), "'none'", `${what}: ${name}`)
  assert.ok(policy.has('form-action'), `${what}: form-action`)
  for (const [name, value] of policy)
    assert.doesNotMatch(value, /unsafe|\*|data:/, `${what}: ${name} ${value}`)
  const sources = [...page.text.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)].map(
    ([, attributes = '', script = '']) =>
      / src="(?:\/oauth)?\/assets\/[\w.-]+"/.test(attributes) && script === ''
        ? "'self'"
        : `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
  assert.equal(policy.get('script-src') ?? '', sources.join(' '), `${what}: script-src`)
  assert.doesNotMatch(page.text, /<[^>]+\son\w+=|javascript:/i, what)
  assert.equal(headers.get('x-frame-options'), 'DENY', what)
  assert.equal(headers.get('referrer-policy'), 'no-referrer', what)
  assert.equal(headers.get('x-content-type-options'), 'nosniff', what)
  const isPublic = what.startsWith('/docs')
  assert.equal(headers.get('cache-control'), isPublic ? 'public, max-age=300' : 'no-store', what)
}

/** The page that sends a code, or an error, to the client. */
async function formPost(of: typeof client, changes: Record<string, string> = {}): Promise<Answer> {
  const browser = openBrowser(registrar.url)
  const asked = authorizeUrl(of, newVerifier(), { response_mode: 'form_post', ...changes })
  const opened = await browser.open(asked)
  assert.ok('page' in opened)
  const consent = formOf(opened.page.text, opened.page.url)
  if (consent?.action.origin !== new URL(registrar.url).origin) return { body: {}, ...opened.page }
  const ended = await decideAt(browser, consent, { login: owner })
  assert.ok('page' in ended)
  return { body: {}, ...ended.page }
}

describe('the page of response_mode=form_post', () => {
  test('sends a code to the redirect URI only', async () => {
    const page = await formPost(client)
    assert.match(page.text, /name="code"/)
    assertGuarded(page, 'form_post')
    assert.equal(interactionPolicyOf(page).get('form-action'), client.redirect_uri)
    assert.equal(interactionPolicyOf(page).get('script-src')?.split(' ').length, 1)
  })

  test('escapes a redirect URI in the policy, and allows the scheme of an app', async () => {
    const page = await formPost(site)
    assertGuarded(page, 'form_post to a site')
    const action = interactionPolicyOf(page).get('form-action')
    assert.equal(action, 'https://client.example/o%3Ba%2Cuth/cb')
    assert.equal(interactionPolicyOf(await formPost(app)).get('form-action'), 'com.example.app:')
  })

  test('has the same headers with an error', async () => {
    for (const changes of [{ prompt: 'none' }, { resource: 'https://evil.example' }]) {
      const page = await formPost(client, changes)
      assert.match(page.text, /name="error"/)
      assertGuarded(page, JSON.stringify(changes))
      assert.equal(interactionPolicyOf(page).get('form-action'), client.redirect_uri)
    }
  })
})

describe('every page', () => {
  const authorize = () => authorizeUrl(client, newVerifier()).href
  const form = (path: string, fields: Record<string, string>) =>
    send(path, { method: 'POST', body: new URLSearchParams(fields) })
  const pages: Record<string, () => Promise<Answer>> = {
    '/docs': () => send('/docs'),
    '/docs/errors': () => send('/docs/errors'),
    '/docs/operations/domains': () => send('/docs/operations/domains'),
    'GET /password': () => send('/password'),
    'GET /password with a token': () => send('/password?token=pwt_x'),
    'POST /password': () => form('/password', { token: 'x', password: 'a', again: 'b' }),
    'POST /password in another form': () =>
      send('/password', { method: 'POST', body: 'x', headers: { 'content-type': 'text/x' } }),
    'GET /password/done': () => send('/password/done'),
    'GET /password/forgotten': () => send('/password/forgotten'),
    'POST /password/forgotten': () => form('/password/forgotten', { email: 'none' }),
    'GET /password/forgotten/asked': () => send('/password/forgotten/asked'),
    'log-in': async () => {
      const opened = await openBrowser(registrar.url).open(authorize())
      assert.ok('page' in opened)
      return { body: {}, ...opened.page }
    },
    consent: async () => {
      const browser = openBrowser(registrar.url)
      const opened = await browser.open(authorize())
      assert.ok('page' in opened)
      const form = formOf(opened.page.text, opened.page.url)
      assert.ok(form)
      const ended = await browser.submit(form, filledIn(form, owner, {}))
      assert.ok('page' in ended)
      assert.match(ended.page.text, /value="allow"/)
      return { body: {}, ...ended.page }
    },
    'a wrong password': async () => {
      const browser = openBrowser(registrar.url)
      const opened = await browser.open(authorize())
      assert.ok('page' in opened)
      const consent = formOf(opened.page.text, opened.page.url)
      assert.ok(consent)
      const wrong = { ...owner, password: 'not this one, never' }
      const ended = await browser.submit(consent, filledIn(consent, wrong, {}))
      assert.ok('page' in ended)
      return { body: {}, ...ended.page }
    },
    'an unknown client': () =>
      send('/oauth/authorize?client_id=unknown&response_type=code', {
        headers: { accept: 'text/html' },
      }),
    'no such interaction': () => send('/oauth/authorize?interaction=x'),
    'no such step': () => send('/oauth/authorize/x', { headers: { accept: 'text/html' } }),
    'a submission without an interaction': () => form('/oauth/authorize', {}),
    'a NUL in a parameter': () => send('/oauth/authorize?client_id=%00'),
    'an error response to an unknown client': async () => {
      // Where a sandbox has its pages.
      const host = `localhost:${new URL(registrar.url).port}`
      const unknownClient = await register()
      return send(authorizeUrl(unknownClient, newVerifier(), { response_type: 'token' }).href, {
        headers: { host, 'sec-fetch-dest': 'document', accept: 'text/html' },
      })
    },
    'the body of a redirect': () =>
      send(authorizeUrl(client, newVerifier(), { response_type: 'token' }).href, {
        headers: { accept: 'text/html' },
      }),
  }
  for (const [what, open] of Object.entries(pages))
    test(what, async () => assertGuarded(await open(), what))

  test('of any route, for any request', async () => {
    let seen = 0
    for (const path of routesOf(registrar.service.server.printRoutes({ commonPrefix: false })))
      for (const init of [{}, { method: 'POST', body: 'x' }]) {
        const answer = await send(path, { ...init, headers: { accept: 'text/html' } })
        if (!isPage(answer)) continue
        seen += 1
        assertGuarded(answer, path)
      }
    assert.ok(seen >= 10, `${seen} pages`)
  })
})

/** Paths of a printed tree of routes, with "x" in the place of parameters. */
function routesOf(printed: string): string[] {
  const parents: string[] = []
  return printed.split('\n').flatMap((line) => {
    const [, indent = '', own = '', methods] =
      /^([\s│]*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?/.exec(line) ?? []
    if (!line.includes('── ')) return []
    const depth = indent.length / 4
    parents.splice(depth)
    parents[depth] = own
    return methods === undefined ? [] : [parents.join('').replaceAll(/:\w+/g, 'x')]
  })
}
