// Header fields of every response, API, documents and pages, as a browser gets them behind HTTPS.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '../../src/catalog.ts'
import { startService } from '../support/service.ts'

const { service } = await startService({
  settings: { PUBLIC_URL: 'https://registrar.example' },
  worker: false,
})
const origin = `http://127.0.0.1:${service.settings.port}`
const answers = (path: string, method = 'GET') =>
  fetch(origin + path, {
    method,
    redirect: 'manual',
    headers: { accept: 'text/html,application/json;q=0.9,*/*;q=0.8' },
  })

const pages = ['/dashboard/', '/dashboard/no-such-page', '/docs', '/password', '/oauth/authorize']
const documents = [
  ...['/', '/openapi.json', '/llms.txt', '/robots.txt', '/.well-known/mcp.json'],
  ...['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration', '/none'],
]

function assertEverywhere({ headers }: Response): void {
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.match(headers.get('referrer-policy') ?? '', /^(no-referrer|same-origin)$/)
  const [, age] = /^max-age=(\d+)/.exec(headers.get('strict-transport-security') ?? '') ?? []
  assert.ok(Number(age) >= 31_536_000, headers.get('strict-transport-security') ?? 'none')
}

describe('header fields', () => {
  for (const { method, path } of operations)
    it(`of ${method} ${path} forbid storing the answer`, async () => {
      const response = await answers(path.replaceAll(/\{\w+\}/g, '1'), method)
      assertEverywhere(response)
      assert.equal(response.headers.get('cache-control'), 'no-store')
      assert.doesNotMatch(response.headers.get('content-type') ?? '', /html/)
    })

  for (const path of [...documents, ...pages])
    it(`of ${path} are those of every answer`, async () => assertEverywhere(await answers(path)))

  for (const path of pages)
    it(`of the page ${path} allow neither inline code nor frames`, async () => {
      const { headers, status } = await answers(path)
      assert.match(headers.get('content-type') ?? '', /^text\/html/, `${status}`)
      const policy = headers.get('content-security-policy') ?? ''
      assert.match(policy, /default-src 'none'|default-src 'self'/)
      assert.match(policy, /frame-ancestors 'none'/)
      assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval|\*/)
    })
})
