// The documents made of the catalog: complete, linked, and safe whatever a definition says.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import Fastify from 'fastify'
import Type from 'typebox'
import { operation, owner } from '../../app.ts'
import { operations } from '../../catalog.ts'
import { readSettings } from '../../config/config.ts'
import { declaredFaults, fault, kinds } from '../../kit/fault.ts'
import { html } from '../../kit/html.ts'
import { declaredAssets } from '../../pages/static-asset.ts'
import { linesOf } from '../descriptions/fields.ts'
import { refusalRule } from '../descriptions/guide.ts'
import { operationsPage } from '../descriptions/markdown.ts'
import { errorTable, operationTable } from '../descriptions/markdown-tables.ts'
import { byStatus, faultsOf, tokenOf } from '../descriptions/operation-docs.ts'
import { addDocuments } from './api-documents.ts'
import { sitePage, sitePaths } from './site/site-map.ts'

const roots = { base_url: 'https://registrar.example', mcp_url: 'https://mcp.example' }
const settings = readSettings({ PUBLIC_URL: roots.base_url, MCP_URL: roots.mcp_url })
// Before this file declares one of its own.
const faults = declaredFaults()
const paths = sitePaths(operations)
const pages: Record<string, string> = Object.fromEntries(
  paths.map((path) => [path, sitePage(path, { settings, operations, faults })]),
)
const idsOf = (page: string) => [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)

/** Throws where a tag is not closed, or closed in the wrong place. */
function assertBalanced(page: string): void {
  const open: string[] = []
  const empty = new Set(['meta', 'br', 'link', 'input'])
  for (const [, slash, name = ''] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
    if (empty.has(name)) continue
    if (slash === '') open.push(name)
    else assert.equal(open.pop(), name)
  }
  assert.deepEqual(open, [])
}

describe('the pages for people', () => {
  it('have an anchor for every operation and every error', () => {
    for (const { name, area } of operations) {
      const path = paths.find((one) => pages[one]?.includes(`<h1>${area}</h1>`))
      assert.ok(path, area)
      assert.ok(idsOf(pages[path] ?? '').includes(name), name)
    }
    const anchors = idsOf(pages['/docs/errors'] ?? '')
    for (const { code } of faults) assert.ok(anchors.includes(code), code)
  })

  it('show the sentence, the status, the next step and the facts of every error', () => {
    const sections = (pages['/docs/errors'] ?? '').split('<section class="fault"')
    for (const { code, kind, sentence, hint, next, facts } of faults) {
      const section = sections.find((one) => one.includes(`<h2 id="${code}">`)) ?? ''
      for (const text of [sentence, hint, next, `${kinds[kind].status} ${kinds[kind].title}`])
        assert.ok(section.includes(html`${text}`.text), `${code}: ${text}`)
      for (const name of Object.keys(facts)) assert.ok(section.includes(`<code>${name}`), name)
    }
  })

  it('use each id once', () => {
    for (const page of Object.values(pages))
      assert.deepEqual(idsOf(page).toSorted(), [...new Set(idsOf(page))].toSorted())
  })

  it('have only links that resolve', () => {
    const wellKnown = ['/.well-known/oauth-authorization-server', '/.well-known/mcp.json']
    const assets = declaredAssets().map(({ path }) => path)
    const files = ['/openapi.json', '/llms.txt', '/llms-full.txt']
    const elsewhere = [...files, ...wellKnown, ...assets]
    const pagesOfOwners = [
      ...['', 'sign-up', 'api-keys', 'balance', 'contacts', 'mailbox', 'connect', 'connected-apps'],
      ...['account/security', 'approvals', 'audit-log', 'billing/top-up', 'domains', 'invoices'],
      ...['approvals/settings', 'support'],
    ].map((path) => `/dashboard/${path}`)
    for (const [from, page] of Object.entries(pages))
      for (const [, href = ''] of page.matchAll(/ href="([^"]*)"/g)) {
        const [path, anchor] = href.split('#')
        if (elsewhere.includes(href) || pagesOfOwners.includes(href)) continue
        const target = pages[path === '' || path === undefined ? from : path]
        assert.ok(target, href)
        if (anchor !== undefined && anchor !== 'content')
          assert.ok(idsOf(target).includes(anchor), `${from}: ${href}`)
      }
  })

  it('are whole HTML with nothing inline', () => {
    for (const page of Object.values(pages)) {
      assertBalanced(page)
      assert.match(page, /^<!doctype html>\n<html lang="en">/)
      assert.doesNotMatch(page, /<script>|<style|javascript:| on[a-z]+=| style=/i)
    }
  })

  it('show the addresses of the settings', () => {
    assert.match(pages['/docs/connect'] ?? '', /https:\/\/registrar\.example\/v1/)
    assert.match(pages['/docs/connect'] ?? '', /https:\/\/mcp\.example\/mcp/)
  })

  it('show the limits of the settings', () => {
    const limited = { ...settings, requests_per_minute: 4321 }
    const parts = { settings: limited, operations, faults }
    assert.match(sitePage('/docs/rate-limits', parts), /4,321/)
  })

  it('are in the navigation of every page, which marks the one that is open', () => {
    for (const [open, page] of Object.entries(pages)) {
      for (const path of paths) assert.ok(page.includes(`<a href="${path}"`), `${open}: ${path}`)
      assert.deepEqual(
        [...page.matchAll(/<a href="([^"]*)" aria-current="page"/g)].map(([, href]) => href),
        [open],
      )
    }
  })

  it('have curl, TypeScript and MCP samples of an operation that is a tool', () => {
    const page = pages['/docs/operations/domains'] ?? ''
    const section = /<section class="operation" aria-labelledby="renew_domain">[\s\S]*?<\/section>/
    const [sample = ''] = section.exec(page) ?? []
    for (const label of ['curl', 'TypeScript', 'MCP', 'Response 200'])
      assert.ok(sample.includes(`<p class="caption">${label}</p>`), label)
  })
})

describe('the page "Getting started"', () => {
  it('leads to the first domain without a word on the sandbox in production', () => {
    const simulated = operations.filter(({ area }) => area === 'Sandbox').map(({ path }) => path)
    assert.ok(simulated.includes('/v1/sandbox/top-ups'))
    const pageIn = (environment: 'sandbox' | 'production') =>
      sitePage('/docs', { settings: { ...settings, environment }, operations, faults })
    const main = (page: string) => page.slice(page.indexOf('<main'), page.indexOf('</main>'))
    const words = /sandbox|simulated|mailbox|ar_test_|first start of the service/i
    assert.match(main(pageIn('sandbox')), words)
    const page = main(pageIn('production'))
    assert.doesNotMatch(page, words)
    for (const path of simulated) assert.ok(!page.includes(path), path)
    assert.match(page, /export API_KEY=ar_live_/)
    assert.match(page, /href="\/dashboard\/sign-up"[\s\S]*href="\/dashboard\/balance"/)
    const steps = ['account', 'api-key', 'contact', 'first-purchase']
    const places = steps.map((id) => page.indexOf(`<h2 id="${id}"`))
    assert.ok(places.every((place, i) => place > (places[i - 1] ?? 0)))
  })
})

describe('the rule of confirm_price', () => {
  const asking = faults.filter(({ next }) => next === 'confirm_price')

  it('leaves a price above the limit to the owner, in each hint and in the guide', () => {
    assert.deepEqual(asking.map(({ code }) => code).sort(), [
      'premium_not_allowed',
      'price_changed',
      'quote_expired',
    ])
    for (const { code, hint } of asking)
      assert.match(hint, /^If .*your owner .*; otherwise ask your owner first\.$/, code)
    assert.match(refusalRule, /confirm_price .* never raise the limit yourself/)
  })
})

const hostile = `<script>alert("1")</script> & 'x' | "y"`
const odd = fault('docs_test_odd', 'conflict', { sentence: hostile, hint: hostile })
const strange = operation({
  name: 'strange_one',
  does: hostile,
  more: hostile,
  at: 'POST /v1/strange',
  area: hostile,
  who: owner('domains:write'),
  takes: Type.Object({ text: Type.String({ description: hostile, default: hostile }) }),
  gives: Type.Array(Type.Object({ inner: Type.Object({ deep: Type.Integer() }) })),
  fails: [odd],
  effect: 'transaction',
  run: async () => [],
})

describe('a definition with markup in its words', () => {
  it('is shown as text', () => {
    const parts = { settings, operations: [strange], faults: [odd] }
    for (const path of [...sitePaths([strange]).slice(-1), '/docs/errors']) {
      const page = sitePage(path, parts)
      assert.doesNotMatch(page, /<script>/)
      assert.match(page, /&lt;script&gt;alert\(&quot;1&quot;\)/)
      assertBalanced(page)
    }
  })

  it('keeps the columns of a table', () => {
    const columnsOf = (page: string, name: string) => {
      const row = page.split('\n').find((line) => line.startsWith('|') && line.includes(name))
      return row?.match(/(?<!\\)\|/g)?.length
    }
    assert.equal(columnsOf(operationsPage([strange]), 'strange_one'), 7)
    assert.equal(columnsOf(operationTable([strange]), 'strange_one'), 4)
    assert.equal(columnsOf(errorTable([odd], [strange]), 'docs_test_odd'), 4)
  })

  it('is escaped in a template unless it is HTML', () => {
    assert.equal(html`<p title="${'"<'}">${[html`<b>${'&'}</b>`, 1, null]}</p>`.text, expected)
  })
})
const expected = '<p title="&quot;&lt;"><b>&amp;</b>1</p>'

describe('the description of an operation', () => {
  it('has its own errors first, then those of the pipeline that can occur', () => {
    const codes = faultsOf(strange).map(({ code }) => code)
    assert.equal(codes[0], 'docs_test_odd')
    for (const code of ['insufficient_scope', 'customer_required', 'account_suspended'])
      assert.ok(codes.includes(code), code)
    for (const code of ['operator_only', 'customer_not_found'])
      assert.ok(!codes.includes(code), code)
    const statuses = byStatus(faultsOf(strange)).map(([status]) => status)
    assert.deepEqual(statuses, [401, 403, 409, 413, 415, 429, 500, 503])
  })

  it('names the token', () => assert.equal(tokenOf(strange), 'scope domains:write'))

  it('shows nested fields', () => {
    const paths = linesOf('', JSON.parse(JSON.stringify(strange.gives)), true)
    assert.deepEqual(
      paths.map(({ path, type }) => [path, type]),
      [
        ['', 'list of object'],
        ['[].inner', 'object'],
        ['[].inner.deep', 'integer'],
      ],
    )
  })

  it('shows the description of a nullable field', () => {
    const schema = { anyOf: [{ type: 'string', description: 'A word.' }, { type: 'null' }] }
    assert.equal(linesOf('x', schema, false)[0]?.description, 'A word.')
  })

  it('shows limits, choices and defaults of a field', () => {
    const type = (schema: object) => linesOf('x', { ...schema }, true)[0]?.type
    assert.equal(type({ type: 'string', minLength: 1, maxLength: 9 }), 'string, 1 to 9 characters')
    assert.equal(type({ enum: ['USD', 'EUR'], default: 'USD' }), 'one of USD, EUR, default "USD"')
    assert.equal(type({ anyOf: [{ type: 'integer' }, { type: 'null' }] }), 'integer or null')
    assert.equal(type({ type: 'integer', minimum: 1 }), 'integer, at least 1')
    assert.equal(
      type({ items: { type: 'string' }, maxItems: 3 }),
      'list of string, at most 3 items',
    )
  })
})

describe('the documents over HTTP', async () => {
  const server = Fastify()
  addDocuments(server, { settings: readSettings({ PUBLIC_URL: roots.base_url }), operations })
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  after(() => server.close())

  it('are there for anyone, HTML whose policy and files are of this origin alone', async () => {
    for (const path of paths) {
      const response = await fetch(address + path)
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
      const policy = response.headers.get('content-security-policy') ?? ''
      assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; /)
      assert.doesNotMatch(policy, /unsafe|\*|https?:/)
      const page = await response.text()
      assert.doesNotMatch(page, /<style| style=/)
      const files = [...page.matchAll(/<link rel="(?:icon|stylesheet)" href="([^"]+)"/g)]
      files.push(...page.matchAll(/<script src="([^"]+)">/g))
      assert.equal(files.length, 4)
      for (const [, href = ''] of files) {
        const file = await fetch(address + href)
        assert.equal(file.status, 200, href)
        assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      }
    }
  })

  it('are where the root redirects to', async () => {
    const response = await fetch(`${address}/`, { redirect: 'manual' })
    assert.equal(response.status, 302)
    assert.equal(response.headers.get('location'), `${roots.base_url}/docs`)
    const links = response.headers.get('link') ?? ''
    for (const path of ['/llms.txt', '/openapi.json', '/.well-known/mcp.json'])
      assert.ok(links.includes(`${path}>; rel="service-`), links)
  })

  it('are found with a slash behind them', async () => {
    for (const path of paths) {
      const response = await fetch(`${address}${path}/`, { redirect: 'manual' })
      assert.equal(response.status, 302, path)
      assert.equal(response.headers.get('location'), `${roots.base_url}${path}`)
    }
  })

  it('include the OpenAPI document, for pages of any origin', async () => {
    const response = await fetch(`${address}/openapi.json`)
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    const document: unknown = await response.json()
    assert.equal(Object(document).openapi, '3.1.0')
    assert.equal(Object(document).servers[0].url, roots.base_url)
  })
})
