// The dashboard over HTTP: the paths of its page, the caching of its files, and the page during a
// build.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { buildIfStale } from '../../../dashboard/build.ts'
import { sharedService } from '../../../test/support/service.ts'
import { readSettings } from '../../config/config.ts'
import { bundleFolder, type DashboardBuild } from './dashboard-build.ts'
import { addDashboard } from './dashboard-routes.ts'

const registrar = await sharedService({ worker: false })
const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const open = (path: string, headers: Record<string, string> = page, method = 'GET') =>
  fetch(registrar.url + path, { method, headers, redirect: 'manual' })

/** The origin of pages: passkeys need a domain name. */
const pages = `http://localhost:${new URL(registrar.url).port}`

/** A server with the dashboard alone, whose build is in this state. */
async function serverIn(state: DashboardBuild['state']): Promise<FastifyInstance> {
  const server = Fastify()
  await server.register((scope, _options, ready) => {
    addDashboard(scope, { settings: readSettings({}), build: { state } })
    ready()
  })
  after(() => server.close())
  return server
}

describe('the root', () => {
  it('leads a browser to the dashboard and an API client to the documents', async () => {
    const places: [string, string][] = [
      ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', `${pages}/dashboard/`],
      ['*/*', `${registrar.url}/docs`],
      ['application/json', `${registrar.url}/docs`],
    ]
    for (const [accept, place] of places) {
      const response = await open('/', { accept })
      assert.equal(response.status, 302)
      assert.equal(response.headers.get('location'), place)
      assert.equal(response.headers.get('vary'), 'Accept')
    }
  })
})

describe('the page', () => {
  let bundled: DashboardBuild['state']
  before(async () => {
    await buildIfStale()
    bundled = 'ready'
  })

  it('is served for every path of the dashboard that a browser opens', async () => {
    const server = await serverIn(bundled)
    for (const path of ['', 'log-in', 'domains/example.com', 'domains?status=active']) {
      const response = await server.inject({ url: `/dashboard/${path}`, headers: page })
      assert.equal(response.statusCode, 200, path)
      assert.match(response.body, /<div id="root">/)
      assert.equal(response.headers['cache-control'], 'no-cache')
      const policy = String(response.headers['content-security-policy'])
      assert.match(policy, /^default-src 'none'; .*frame-ancestors 'none'$/)
      assert.doesNotMatch(policy, /unsafe|\*|https?:/)
    }
  })

  it('is served to a client that accepts anything', async () => {
    const server = await serverIn(bundled)
    for (const headers of [{ accept: '*/*' }, {}])
      for (const url of ['/dashboard/', '/dashboard/domains']) {
        const response = await server.inject({ url, headers })
        assert.deepEqual([response.statusCode, /<div id="root">/.test(response.body)], [200, true])
      }
  })

  it('is no answer to an API client, to another method, or outside of the dashboard', async () => {
    for (const response of [
      await open('/dashboard/domains', { accept: 'application/json' }),
      await open('/dashboard/domains', { accept: 'application/json, */*' }),
      await open('/dashboards/domains', { accept: 'application/json' }),
      await open('/dashboards/domains', { accept: '*/*' }),
      await open('/dashboard/assets/none.js', { accept: '*/*' }),
    ]) {
      assert.equal(response.status, 404)
      assert.match(await response.text(), /"code":"route_not_found"/)
    }
    const posted = await open('/dashboard/domains', page, 'POST')
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD'])
  })

  it('is where the path without its slash leads', async () => {
    const response = await open('/dashboard')
    assert.deepEqual([response.status, response.headers.get('location')], [308, '/dashboard/'])
  })

  it('links to files that are immutable and compressed at the build', async () => {
    const server = await serverIn(bundled)
    const { body } = await server.inject({ url: '/dashboard/', headers: page })
    const files = [...body.matchAll(/(?:src|href)="(\/dashboard\/assets\/[^"]+)"/g)]
    assert.ok(files.length >= 3, body)
    for (const [, url = ''] of files) {
      const headers = { 'accept-encoding': 'gzip, br' }
      const response = await server.inject({ url, headers })
      assert.equal(response.statusCode, 200, url)
      assert.equal(response.headers['content-encoding'], 'br')
      assert.equal(response.headers['cache-control'], 'public, max-age=31536000, immutable')
    }
  })

  it('has no file outside of its assets, and a missing one is not cached', async () => {
    assert.ok(readdirSync(bundleFolder).includes('manifest.json'))
    const wrong = ['assets/none.js', 'assets/', 'assets/..%2findex.html', 'assets/.env']
    for (const path of [...wrong, 'manifest.json']) {
      const headers = path.startsWith('assets') ? page : { accept: '*/*' }
      const response = await open(`/dashboard/${path}`, headers)
      assert.equal(response.status, 404, path)
      assert.equal(response.headers.get('cache-control'), 'no-store')
    }
  })
})

describe('the service worker', () => {
  it('keeps its name, is checked at each load, is one file, and has a policy of its own', async () => {
    await buildIfStale()
    const server = await serverIn('ready')
    const response = await server.inject({ url: '/dashboard/push-worker.js' })
    assert.equal(response.statusCode, 200)
    assert.match(String(response.headers['content-type']), /^(text|application)\/javascript/)
    assert.equal(response.headers['cache-control'], 'no-cache')
    assert.equal(response.headers['content-security-policy'], "default-src 'none'")
    assert.doesNotMatch(response.body, /\b(import|export)\b|fetch/)
    const building = await serverIn('building')
    const none = await building.inject({ url: '/dashboard/push-worker.js' })
    assert.equal(none.statusCode, 404)
  })
})

describe('a page at a loopback address', () => {
  it('moves to the same path at localhost, for GET and HEAD of a browser', async () => {
    for (const path of ['/dashboard/', '/dashboard/domains/example.com?tab=history'])
      for (const method of ['GET', 'HEAD']) {
        const response = await open(path, page, method)
        assert.deepEqual(
          [response.status, response.headers.get('location'), response.headers.get('vary')],
          [302, pages + path, 'Accept'],
        )
      }
    const moved = await fetch(`${pages}/dashboard/log-in`, { headers: page, redirect: 'manual' })
    assert.notEqual(moved.status, 302)
  })

  it('stays where it is for the API, OAuth, MCP, documents, the password pages and files', async () => {
    const paths = [
      '/v1/health',
      '/v1/dashboard/config',
      '/oauth/authorize',
      '/password/forgotten',
      '/mcp',
      '/docs',
      '/openapi.json',
      '/.well-known/oauth-authorization-server',
      '/dashboard/assets/none.js',
    ]
    for (const path of paths) {
      const response = await open(path)
      assert.ok(!(response.headers.get('location') ?? '').startsWith(pages), path)
    }
  })

  it('stays at another port, which a tunnel has, and at another name', async () => {
    const server = await serverIn('building')
    const statusAt = async (host: string) =>
      (await server.inject({ url: '/dashboard/', headers: { ...page, host } })).statusCode
    const { port } = new URL(readSettings({}).base_url)
    assert.equal(await statusAt(`127.0.0.1:${port}`), 302)
    assert.equal(await statusAt(`[::1]:${port}`), 302)
    for (const host of ['127.0.0.1:1', `192.0.2.1:${port}`, `a.example:${port}`, 'a b', ''])
      assert.equal(await statusAt(host), 503, host)
  })
})

describe('a dashboard without a bundle', () => {
  it('shows that it is being built, and reloads', async () => {
    const server = await serverIn('building')
    const response = await server.inject({ url: '/dashboard/', headers: page })
    assert.deepEqual([response.statusCode, response.headers.refresh], [503, '2'])
    assert.match(response.body, /being built/)
  })

  it('shows the command that builds it, or that the build failed', async () => {
    const texts = { no_bundler: /npm ci --include=dev/, failed: /build failed/ } as const
    for (const state of ['no_bundler', 'failed'] as const) {
      const server = await serverIn(state)
      const response = await server.inject({ url: '/dashboard/', headers: page })
      assert.equal(response.statusCode, 503)
      assert.match(response.body, texts[state])
      assert.equal(response.headers.refresh, undefined)
    }
  })
})
