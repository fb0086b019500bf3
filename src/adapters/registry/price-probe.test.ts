// Price probes: labels in the script of every internationalized TLD, and the order of the forms.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toASCII, toUnicode } from 'tr46'
import { parseHost } from '../../kit/net/host.ts'
import { newId } from '../../kit/random.ts'
import type { Prices } from './port.ts'
import { type Probed, probeLabels, probePrices } from './price-probe.ts'

/** Zones of the root, by script. */
const zones: [script: string, tld: string][] = [
  ['Cyrillic', 'рф'],
  ['Cyrillic', 'срб'],
  ['Han', '中国'],
  ['Han', '网址'],
  ['Arabic', 'السعودية'],
  ['Arabic', 'موريتانيا'],
  ['Devanagari', 'भारत'],
  ['Bengali', 'বাংলা'],
  ['Tamil', 'சிங்கப்பூர்'],
  ['Thai', 'ไทย'],
  ['Hangul', '한국'],
  ['Greek', 'ελ'],
  ['Georgian', 'გე'],
  ['Armenian', 'հայ'],
  ['Hebrew', 'ישראל'],
  ['Hiragana', 'みんな'],
]
const ids = fc.constant(null).map(() => newId('prb', 1_700_000_000_000))
const probing = (id: string) => ({ profile: { price_probes: {} }, randomId: () => id })

for (const [script, unicode] of zones)
  test(`.${unicode}: the first probe is a host name in ${script}`, () => {
    const tld = toASCII(unicode) ?? assert.fail(unicode)
    fc.assert(
      fc.property(ids, (id) => {
        const [own = '', ascii] = probeLabels(tld, probing(id))
        assert.equal(parseHost(`${own}.${tld}`), `${own}.${tld}`)
        assert.match(toUnicode(own).domain, new RegExp(`^[\\p{Script=${script}}\\p{M}]{4,}$`, 'u'))
        assert.match(ascii ?? '', /^price-probe-[a-z0-9]+$/)
      }),
      { numRuns: 200 },
    )
  })

test('an ASCII zone is asked with a hyphen first, then with letters alone', () => {
  fc.assert(
    fc.property(ids, (id) => {
      const labels = probeLabels('com', probing(id))
      assert.equal(labels.length, 2)
      assert.match(labels[0] ?? '', /^price-probe-[a-z0-9]+$/)
      assert.match(labels[1] ?? '', /^[a-z]{20,63}$/)
      for (const label of labels) assert.equal(parseHost(`${label}.com`), `${label}.com`)
    }),
  )
})

const reported: Prices = { currency: 'USD', create: '1', renew: '1', transfer: '1', restore: '1' }

test('the named label comes first; a silent TLD is not asked again, a refused one is', async () => {
  const asked: string[][] = []
  const profile = { price_probes: { io: 'named' } }
  const answers: Record<string, Probed> = { silent: 'unreachable', com: reported }
  const found = await probePrices(
    ['com', 'io', 'silent'],
    { profile, randomId: () => 'abc1' },
    async (names) => {
      asked.push(names)
      return names.map((name) => {
        const tld = name.split('.')[1] ?? ''
        return tld === 'io' && asked.length === 3 ? reported : (answers[tld] ?? 'refused')
      })
    },
  )
  assert.deepEqual([...found.keys()].sort(), ['com', 'io'])
  assert.deepEqual(asked, [
    ['price-probe-abc1.com', 'named.io', 'price-probe-abc1.silent'],
    ['price-probe-abc1.io'],
    ['priceprobeabch.io'],
  ])
})
