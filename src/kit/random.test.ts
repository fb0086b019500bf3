// Authorization information: the demands of registries, RFC 9154's strength, and no bias.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newAuthInfo } from './random.ts'

const forms = ['with_symbols', 'alphanumeric'] as const
const codes = fc.constantFrom(...forms).map((form) => ({ form, code: newAuthInfo(form) }))

test('each code has a lower-case letter, an upper-case letter and a digit', () => {
  fc.assert(
    fc.property(codes, ({ form, code }) => {
      for (const wanted of [/[a-z]/, /[A-Z]/, /[0-9]/]) assert.match(code, wanted)
      const allowed = form === 'alphanumeric' ? /^[A-Za-z0-9]{24}$/ : /^[A-Za-z0-9!-]{26}$/
      assert.match(code, allowed)
      assert.equal(/[!-]/.test(code.replaceAll(/[A-Za-z0-9]/g, '')), form === 'with_symbols')
    }),
    { numRuns: 5_000 },
  )
})

/** Bits that a fair draw of base62 keeps when only texts with all three classes are taken. */
function entropyOf(length: number): number {
  const without = (count: number) => (count / 62) ** length
  const single = without(36) + without(36) + without(52)
  const pairs = without(10) + without(26) + without(26)
  return length * Math.log2(62) + Math.log2(1 - single + pairs)
}

test('a code has the 128 bits of RFC 9154, and no two are alike', () => {
  assert.ok(entropyOf(newAuthInfo('alphanumeric').length) > 142)
  const many = Array.from({ length: 5_000 }, () => newAuthInfo())
  assert.equal(new Set(many).size, many.length)
})

test('no position favours a character', () => {
  const draws = 12_400
  const counts = Array.from({ length: 24 }, () => new Map<string, number>())
  for (let n = 0; n < draws; n += 1)
    for (const [at, character] of [...newAuthInfo('alphanumeric')].entries())
      counts[at]?.set(character, (counts[at]?.get(character) ?? 0) + 1)
  for (const [at, found] of counts.entries()) {
    const expected = draws / 62
    const chi2 = [...found.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0)
    // 61 degrees of freedom: a fair source is above 160 once in 10^10 positions. That digits are
    // 0.2 % likelier than other characters, as texts without any are left out, stays far below it.
    assert.ok(found.size === 62 && chi2 < 160, `position ${at}: chi-square ${chi2}`)
  }
})
