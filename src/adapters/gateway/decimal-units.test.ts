// Decimals of external systems: exact in both directions, and refused if they are not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseDecimalUnits, parseRate } from './decimal-units.ts'

const digits = (most: number) => fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: most })

test('a decimal string is read exactly, with any number of zeros at its end', () => {
  const units = fc.bigInt({ min: 0n, max: 10n ** 40n })
  fc.assert(
    fc.property(units, fc.integer({ min: 0, max: 18 }), fc.nat(9), (value, decimals, zeros) => {
      const padded = String(value).padStart(decimals + 1, '0')
      const whole = padded.slice(0, padded.length - decimals)
      const fraction = `${padded.slice(padded.length - decimals)}${'0'.repeat(zeros)}`
      const text = fraction === '' ? whole : `${whole}.${fraction}`
      assert.equal(parseDecimalUnits(text, decimals), value)
    }),
    { numRuns: 2_000 },
  )
})

test('a sum of read amounts has no drift', () => {
  const cents = fc.array(fc.bigInt({ min: 0n, max: 10n ** 20n }), { maxLength: 30 })
  fc.assert(
    fc.property(cents, (all) => {
      const text = (value: bigint) =>
        `${value / 1_000_000n}.${String(value % 1_000_000n).padStart(6, '0')}`
      const read = all.map((value) => parseDecimalUnits(text(value), 6) ?? -1n)
      const sum = (values: bigint[]) => values.reduce((a, b) => a + b, 0n)
      assert.equal(sum(read), sum(all))
    }),
    { numRuns: 500 },
  )
})

test('refuses what is finer than a base unit, and what is no plain decimal', () => {
  fc.assert(
    fc.property(digits(12), fc.integer({ min: 1, max: 9 }), (before, last) => {
      const text = `0.${before.join('')}${last}`
      assert.equal(parseDecimalUnits(text, before.length), undefined)
      assert.equal(typeof parseDecimalUnits(text, before.length + 1), 'bigint')
    }),
  )
  for (const text of ['', '-1', '+1', '1e-7', '1,0', '.5', '5.', '１', 'NaN', '0x1', ' 1', '1_0'])
    assert.equal(parseDecimalUnits(text, 18), undefined, text)
  assert.equal(parseDecimalUnits('0.1', 1), 1n)
  assert.equal(parseDecimalUnits('0.0000001', 7), 1n)
})

test('a rate is an exact fraction above zero', () => {
  assert.deepEqual(parseRate('65123.4500'), { numerator: 6512345n, denominator: 100n })
  assert.deepEqual(parseRate('1'), { numerator: 1n, denominator: 1n })
  for (const text of ['0', '0.000', '-1', '1e5', '', 'x']) assert.equal(parseRate(text), undefined)
})
