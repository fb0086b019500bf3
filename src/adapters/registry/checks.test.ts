// Checks and prices where a registry refuses names: a refused name fails only itself, and a price
// probe uses a script that the zone takes. Both adapters are tested if both can be asked so.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { toASCII } from 'tr46'
import type { Sandbox } from '../../../sandbox/registry/index.ts'
import { open, profileOf, startEmptySandbox } from './fixtures/sandbox.ts'
import type { Registry } from './port.ts'

let sandbox: Sandbox
let registry: Registry
before(async () => {
  sandbox = await startEmptySandbox()
  registry = open(profileOf(sandbox, 'thick'))
})
after(async () => {
  await registry.close()
  await sandbox.close()
})
const options = { priority: 'normal', fees: true } as const
const a = (unicode: string) => toASCII(unicode) ?? assert.fail(unicode)

test('a name that the registry refuses is refused in its words; its neighbours are known', async () => {
  const names = ['one.test', 'latin.xn--p1ai', 'google.io', a('пример.рф'), 'two.io']
  const checked = await registry.check(names, options)
  assert.deepEqual(
    checked.map(({ domain, available, unreachable }) => [domain, available, unreachable]),
    [
      ['one.test', true, false],
      ['latin.xn--p1ai', false, false],
      ['google.io', false, false],
      [a('пример.рф'), true, false],
      ['two.io', true, false],
    ],
  )
  assert.match(checked[1]?.refused ?? '', /latin\.xn--p1ai is not in the script of \.рф/)
  assert.deepEqual(
    checked.map(({ refused }) => refused !== null),
    [false, true, false, false, false],
  )
})

/** For each code, whether a name that is refused with it is itself at fault. */
const refusals: [code: number, own: boolean][] = [
  [2001, true],
  [2004, true],
  [2005, true],
  [2306, true],
  [2000, false],
  [2101, false],
  [2103, false],
  [2201, false],
  [2307, false],
  [2308, false],
  [2400, false],
]
for (const [code, own] of refusals)
  test(`a check answered ${code} ${own ? 'refuses the name' : 'leaves it unknown'}`, async () => {
    const domain = `refused-with-${code}.test`
    const fault = { name: 'answer', command: 'domain:check', code, reason: 'because' } as const
    sandbox.setFault({ ...fault, domain, times: null })
    const [checked, neighbour] = await registry.check([domain, `beside-${code}.test`], options)
    sandbox.clearFaults()
    assert.deepEqual(
      [checked?.available, checked?.unreachable, checked?.refused !== null],
      own ? [false, false, true] : [null, true, false],
      JSON.stringify(checked),
    )
    if (own) assert.match(checked?.refused ?? '', /: because$/)
    if (own) assert.equal(neighbour?.available, true)
  })

test('an internationalised TLD has prices: the probe is in its own script', async () => {
  const found = await registry.prices(['test', 'xn--p1ai', 'io'])
  assert.deepEqual([...found.keys()].sort(), ['io', 'test', 'xn--p1ai'])
  assert.equal(found.get('xn--p1ai')?.create, '7.00')
})

test('a probe that is refused is tried in another form', async () => {
  // Acts as if the zone refused the script of its TLD and took ASCII labels.
  const { profile } = registry
  const named_profile = {
    ...profileOf(sandbox, 'thick'),
    price_probes: { io: 'whois', test: 'xn--p1ai' },
  }
  const named = open(named_profile)
  const found = await named.prices(['test', 'io', 'xn--p1ai'])
  await named.close()
  assert.deepEqual([...found.keys()].sort(), ['io', 'test', 'xn--p1ai'])
  assert.equal(profile.tlds.includes('xn--p1ai'), true)
})

test('the label that the profile names is asked first', async () => {
  const label = a('цена')
  const named = open({ ...profileOf(sandbox, 'thick'), price_probes: { 'xn--p1ai': label } })
  const before = sandbox.counters().thick.commands['domain:check']?.received ?? 0
  assert.deepEqual([...(await named.prices(['xn--p1ai'])).keys()], ['xn--p1ai'])
  assert.equal(sandbox.counters().thick.commands['domain:check']?.received, before + 1)
  await named.close()
})
