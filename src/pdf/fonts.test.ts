// The text of a document in characters that its fonts have.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isCovered, printable } from './fonts.ts'

test('keeps what the fonts have, and line breaks', () => {
  for (const text of ['Zażółć\nгалерея', 'שלום', 'محمد', 'Ω €', ''])
    assert.equal(printable(text), text)
  assert.equal(printable('a\r\nb'), 'a\nb')
  assert.equal(printable('e\u0301'), 'é')
})

test('transliterates what they lack, one word for each character of Han', () => {
  assert.equal(printable('株式会社 ABC'), 'Zhu Shi Hui She ABC')
  assert.equal(printable('Café 東京\n한국'), 'Café Dong Jing\nHan Gug')
})

test('leaves no character of any text that the fonts lack', () => {
  const property = fc.property(fc.string({ unit: 'binary' }), (text) => {
    for (const line of printable(text).split('\n')) assert.ok(isCovered(line), JSON.stringify(line))
  })
  fc.assert(property, { numRuns: 300 })
})
