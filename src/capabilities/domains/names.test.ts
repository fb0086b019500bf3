// Domain names: accepted and refused forms, and the canonical form that is stored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isLong, parseDomainName } from './names.ts'

const sold = (tld: string) => ['com', 'test', 'co.example'].includes(tld)
const nameOf = (text: string) => {
  const name = parseDomainName(text, sold)
  return 'problem' in name ? null : name.name
}

test('names are folded to lower-case A-labels', () => {
  const cases: [string, string][] = [
    ['Example.COM', 'example.com'],
    ['example.com.', 'example.com'],
    ['faß.com', 'xn--fa-hia.com'],
    ['bücher.com', 'xn--bcher-kva.com'],
    ['XN--BCHER-KVA.com', 'xn--bcher-kva.com'],
    ['ａｂｃ.com', 'abc.com'],
    ['a。com', 'a.com'],
    ['a1-b2.com', 'a1-b2.com'],
    ['shop.co.example', 'shop.co.example'],
  ]
  for (const [text, kept] of cases) assert.equal(nameOf(text), kept, text)
})

test('refuses invalid names', () => {
  const cases = [
    '',
    '.',
    '.com',
    'com',
    'a..com',
    '-a.com',
    'a-.com',
    'ab--c.com',
    'a_b.com',
    'a b.com',
    ' a.com',
    'a.com/',
    'a@b.com',
    '1.2.3.4',
    '0x7f.1',
    '%41.com',
    'www.a.com',
    'xn--a.com',
    'xn--zzzzzzz999.com',
    `${'a'.repeat(64)}.com`,
    'a\u200db.com',
    '*.com',
    'a.com:80',
    '[::1]',
  ]
  for (const text of cases) assert.equal(nameOf(text), null, JSON.stringify(text))
})

test('a TLD of none of our registries is well-formed, but not sold', () => {
  const name = parseDomainName('a.zzz', sold)
  assert.ok(!('problem' in name))
  assert.equal(name.sold, false)
})

test('the kept form is a fixed point, and its Unicode form leads back to it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (label) => {
      const name = parseDomainName(`${label}.com`, sold)
      if ('problem' in name) return
      assert.equal(nameOf(name.name), name.name)
      assert.equal(nameOf(name.unicode), name.name)
      assert.match(name.name, /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]+)+$/)
      assert.ok(name.label.length <= 63)
    }),
    { numRuns: 2000 },
  )
})

test('a label with more than 24 characters is long', () => {
  const long = (label: string) => {
    const name = parseDomainName(`${label}.com`, sold)
    return !('problem' in name) && isLong(name)
  }
  assert.equal(long('a'.repeat(24)), false)
  assert.equal(long('a'.repeat(25)), true)
})
