// The fast path of parseHost returns what UTS 46 returns.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { toASCII, toUnicode } from 'tr46'
import { hostRules, parseHost } from './host.ts'

const endsInNumber = /(^|\.)([0-9]+|0x[0-9a-f]*)$/

/** The rules without the short way, for names without A-labels. */
function byTheBook(text: string): string | undefined {
  const ascii = toASCII(text.endsWith('.') ? text.slice(0, -1) : text, hostRules)
  return ascii === null || ascii === '' || endsInNumber.test(ascii) ? undefined : ascii
}

const sign = fc.constantFrom(...'aZ09-.-._ \u212a\u00e9')
const long = fc.integer({ min: 55, max: 70 }).map((length) => 'a'.repeat(length))
const name = fc
  .array(fc.oneof(sign, sign, sign, fc.constantFrom('com', 'ab--', '0x1'), long), { maxLength: 12 })
  .map((parts) => parts.join(''))
  .filter((text) => !/xn--/i.test(text))

it('returns what UTS 46 returns, whatever the letters, hyphens, dots and lengths', () => {
  fc.assert(
    fc.property(name, (text) => assert.equal(parseHost(text), byTheBook(text))),
    { numRuns: 3000 },
  )
})

it('leaves a name without A-labels as it is in Unicode', () => {
  fc.assert(
    fc.property(name, (text) => {
      const host = parseHost(text)
      if (host === undefined || host.includes('xn--')) return
      assert.deepEqual(toUnicode(host, hostRules), { domain: host, error: false })
    }),
    { numRuns: 3000 },
  )
})

it('keeps the longest label and name, and refuses one more', () => {
  const label = 'a'.repeat(63)
  const longest = `${label}.${label}.${label}.${'a'.repeat(61)}`
  assert.equal(parseHost(longest), longest)
  assert.equal(parseHost(`${longest}a`), undefined)
  assert.equal(parseHost(`${label}a.com`), undefined)
  assert.equal(parseHost('Example.COM.'), 'example.com')
})
