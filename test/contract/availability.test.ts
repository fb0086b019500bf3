// Availability: nothing unknown is ever shown as free.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { connectMcp } from '../support/mcp.ts'
import { startBuyerService } from './support/buyer-service.ts'
import { fresh, must } from './support/fixture.ts'

const registrar = await startBuyerService()
const { check, checkOne, received, request, sandbox } = registrar

beforeEach(() => sandbox.clearFaults())

test('answers 200 names in their order, each with its own result', async () => {
  const odd: Record<string, [string | null, boolean | null]> = {
    'not a name': ['invalid', false],
    'a.b.com': ['invalid', false],
    'google.com': ['registered', false],
    'nic.com': ['reserved', false],
    'x.com': ['reserved', false],
    'robot.com': ['premium', true],
    'name.nosuchtld': ['tld_not_supported', null],
    'free-as-a-bird.com': [null, true],
    'free-as-a-bird.io': [null, true],
    'xn--a.com': ['invalid', false],
  }
  const usual = Array.from({ length: 190 }, (_, i) => `batch-${i}.${['com', 'dev', 'io'][i % 3]}`)
  const names = [...Object.keys(odd), ...usual].sort()
  const entries = await check(names)
  assert.deepEqual(
    entries.map(({ domain }) => domain),
    names,
  )
  for (const entry of entries) {
    const [reason, available] = odd[entry.domain] ?? [null, true]
    assert.deepEqual([entry.reason, entry.available], [reason, available], entry.domain)
    assert.equal(entry.price !== null, available === true, entry.domain)
    const isAsked = reason !== 'invalid' && reason !== 'tld_not_supported'
    assert.equal(entry.source, isAsked ? 'registry' : null, entry.domain)
  }
})

test('an invalid name fails only its own entry, over REST and MCP', async () => {
  const odd = ['', ' ', 'a'.repeat(1025), `${'a'.repeat(1025)}.com`, 'nul\0.com', '\ud800.com']
  const names = ['odd-batch.com', ...odd, 'google.com']
  const agent = await connectMcp(`${registrar.url}/mcp`, 'modern', (await registrar.customer()).key)
  const call = { name: 'check_domain_availability', arguments: { domains: names } }
  const { structuredContent } = await agent.callTool(call)
  for (const entries of [await check(names), Object(structuredContent).domains]) {
    const seen = entries.map(({ reason, available }: Shown) => [reason, available])
    const invalid = odd.map(() => ['invalid', false])
    assert.deepEqual(seen, [[null, true], ...invalid, ['registered', false]])
    for (const { domain, detail } of entries) assert.ok(isPlain(domain) && isPlain(detail ?? ''))
  }
  for (const depth of ['\0', '\ud800']) {
    const body = { domains: ['a.com'], depth }
    assert.equal((await request('POST', '/v1/domains/check', { body })).status, 422)
  }
  const body = { domains: Array.from({ length: 200 }, () => 'a'.repeat(1400)) }
  assert.equal((await request('POST', '/v1/domains/check', { body })).status, 413)
})

type Shown = { reason: string | null; available: boolean | null }
const isPlain = (text: string) => text.isWellFormed() && !text.includes('\0') && text.length < 300

test('answers the same name as often as it is asked', async () => {
  const entries = await check(['twice.com', 'TWICE.com', 'twice.com.'])
  assert.deepEqual(
    entries.map(({ domain }) => domain),
    ['twice.com', 'twice.com', 'twice.com'],
  )
})

test('stores names as A-labels and shows their Unicode form', async () => {
  const [entry] = await check(['BÜCHER.com', 'straße.com', 'bücher。com'])
  assert.deepEqual([entry?.domain, entry?.domain_unicode], ['xn--bcher-kva.com', 'bücher.com'])
  const path = `/v1/domains/check/${encodeURIComponent('bücher.com')}`
  const { body } = await must(request('GET', path))
  assert.equal(body.domains[0].domain, 'xn--bcher-kva.com')
  const joined = (await check(['straße.com']))[0]
  assert.equal(joined?.domain, 'xn--strae-oqa.com', 'UTS 46 without its transition')
})

test('calls a label of more than 24 characters long', async () => {
  const entries = await check([`${'l'.repeat(24)}.com`, `${'l'.repeat(25)}.com`])
  assert.deepEqual(
    entries.map(({ long_domain }) => long_domain),
    [false, true],
  )
})

test('quick takes an answer of this minute, confirm asks the registry', async () => {
  const domain = `${fresh()}.com`
  assert.equal((await checkOne(domain)).source, 'registry')
  const asked = received('domain:check')
  const quick = await checkOne(domain, { depth: 'quick' })
  assert.deepEqual([quick.source, received('domain:check')], ['cache', asked])
  const confirmed = await checkOne(domain, { depth: 'confirm' })
  assert.deepEqual([confirmed.source, received('domain:check')], ['registry', asked + 1])
})

test('a registry that is silent makes its names unknown, and leaves the others', async () => {
  sandbox.setFault({ name: 'fail_2400', registry: 'thick', command: 'domain:check', times: null })
  const names = ['lonely.com', 'lonely.io', 'lonely.dev']
  const entries = await check(names)
  assert.deepEqual(
    entries.map(({ available, reason }) => [available, reason]),
    [
      [true, null],
      [null, 'registry_unreachable'],
      [true, null],
    ],
  )
  assert.equal(entries[1]?.price, null)
})

test('prices in another currency are other prices', async () => {
  const [dollars, euros] = await Promise.all([
    checkOne('money-talks.com'),
    checkOne('money-talks.com', { currency: 'EUR' }),
  ])
  assert.deepEqual([Object(dollars.price).currency, Object(euros.price).currency], ['USD', 'EUR'])
  assert.notEqual(dollars.price?.amount, euros.price?.amount)
})
