// Exact amounts of the dashboard: as people write them, and as remainders of payments.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { amountOfCents, centsOf, restOf } from '../src/lib/money/amounts.ts'

describe('an amount that was typed', () => {
  it('is whole or has one or two decimals, after a point or a comma', () => {
    const written = {
      '25': 2_500,
      '25.5': 2_550,
      ' 25,50 ': 2_550,
      '0.01': 1,
      '999999999.99': 99999999999,
    }
    for (const [text, cents] of Object.entries(written)) assert.equal(centsOf(text), cents, text)
  })

  it('is refused in any other form, and zero is', () => {
    for (const text of ['', '0', '0.00', '-1', '1.001', '1e3', '1,000.00', '１', 'NaN', '1.', '.5'])
      assert.equal(centsOf(text), null, text)
  })

  it('is the same again after it was formatted', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999_999 }), (cents) => {
        assert.equal(centsOf(amountOfCents(cents)), cents)
      }),
    )
  })
})

describe('the rest of a payment', () => {
  it('and the part that was paid are the whole, of any number of decimals', () => {
    const decimal = (units: bigint, decimals: number) => {
      const digits = String(units).padStart(decimals + 1, '0')
      const at = digits.length - decimals
      return decimals === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`
    }
    const units = fc.bigInt({ min: 0n, max: 10n ** 30n })
    fc.assert(
      fc.property(units, units, fc.integer({ min: 0, max: 18 }), (rest, paid, decimals) => {
        const shown = restOf(decimal(rest + paid, decimals), decimal(paid, decimals))
        if (rest === 0n) return assert.equal(shown, null)
        assert.equal(restOf(decimal(rest, decimals), '0'), shown)
        assert.equal(
          restOf(decimal(rest + paid, decimals), shown ?? ''),
          restOf(decimal(paid, decimals), '0'),
        )
      }),
    )
  })
})
