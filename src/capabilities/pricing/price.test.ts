// The rules of prices: exact, never below cost, rounded as written down.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { formatAmount, parseDecimal } from '../../kit/money.ts'
import { compare, convert, priceOf, priceTld } from './price.ts'
import { eurRate, termsOf } from './pricing.fixture.ts'

const cents = fc.bigInt({ min: 0n, max: 10n ** 11n })
const margins = fc.record({
  basis_points: fc.bigInt({ min: 0n, max: 100_000n }),
  fixed: fc.bigInt({ min: 0n, max: 10_000n }),
})
const rates = fc.bigInt({ min: 1n, max: 10n ** 9n })
const usual = { basis_points: 1000n, fixed: 30n }

describe('a fee as a registry writes it', () => {
  const read: [string, bigint | undefined][] = [
    ['9.59', 959n],
    ['9.5', 950n],
    ['9', 900n],
    ['9.', 900n],
    ['0009.590000', 959n],
    ['+9.59', 959n],
    ['0.00', 0n],
    ['9.591', undefined],
    ['-1.00', undefined],
    ['1e3', undefined],
    ['1,00', undefined],
    ['NaN', undefined],
    ['', undefined],
    ['99999999999999.00', undefined],
  ]
  for (const [text, amount] of read)
    it(`"${text}" is ${amount ?? 'no amount'}`, () => assert.equal(parseDecimal(text), amount))

  it('reads back whatever we write', () => {
    fc.assert(
      fc.property(cents, (amount) => assert.equal(parseDecimal(formatAmount(amount)), amount)),
    )
  })
})

describe('a price', () => {
  it('is the worked example of the registries file', () => {
    assert.equal(priceOf(959n, termsOf(usual), 'USD'), 1085n)
    assert.equal(priceOf(959n, termsOf(usual), 'EUR'), 998n)
  })

  it('is never below its cost, in either currency, and grows with it', () => {
    fc.assert(
      fc.property(cents, cents, margins, (one, other, margin) => {
        const terms = termsOf(margin)
        const [less, more] = one < other ? [one, other] : [other, one]
        for (const currency of ['USD', 'EUR'] as const) {
          const rate = currency === 'USD' ? 1_000_000n : eurRate
          const price = priceOf(less, terms, currency) ?? 0n
          assert.ok(price >= convert(less, rate))
          assert.ok(price <= (priceOf(more, terms, currency) ?? 0n))
        }
      }),
    )
  })

  it('is within half a minor unit of the exact one', () => {
    fc.assert(
      fc.property(cents, margins, (cost, margin) => {
        const price = priceOf(cost, termsOf(margin), 'USD') ?? 0n
        const exact = cost * (10_000n + margin.basis_points) + margin.fixed * 10_000n
        const off = 2n * (price * 10_000n - exact)
        assert.ok(off > -10_000n && off <= 10_000n)
      }),
    )
  })

  it('is converted within half a minor unit, and a half goes up', () => {
    assert.equal(convert(1n, 500_000n), 1n)
    assert.equal(convert(1n, 499_999n), 0n)
    fc.assert(
      fc.property(cents, rates, (amount, rate) => {
        const off = 2n * (convert(amount, rate) * 1_000_000n - amount * rate)
        assert.ok(off > -1_000_000n && off <= 1_000_000n)
      }),
    )
  })

  it('is unknown, not zero, where nothing would be asked', () => {
    assert.equal(priceOf(0n, termsOf({ basis_points: 1000n, fixed: 0n }), 'USD'), undefined)
    assert.equal(priceOf(0n, termsOf(usual), 'USD'), 30n)
  })

  it('is unknown in a currency that we do not sell in', () => {
    const terms = { ...termsOf(usual), rates: new Map([['USD', 1_000_000n] as const]) }
    assert.equal(priceOf(959n, terms, 'EUR'), undefined)
  })
})

describe('the prices of a TLD', () => {
  const reported = {
    currency: 'USD',
    create: '9.59',
    renew: '10.00',
    transfer: '9.59',
    restore: '40',
  }
  const priced = (own: Parameters<typeof termsOf>[1], answer: typeof reported | null = reported) =>
    priceTld('com', {
      registry: 'alpha',
      terms: termsOf(usual, own),
      reported: answer ?? undefined,
    })

  it('are one for each action and currency', () => {
    const { prices, missing } = priced({})
    assert.equal(prices.length, 8)
    assert.deepEqual(missing, [])
  })

  it('go by the cost that the file counts, and keep the fee that the registry will charge', () => {
    const { prices } = priced({ create: 800n })
    const register = prices.find(
      ({ action, currency }) => action === 'register' && currency === 'USD',
    )
    assert.equal(register?.cost, 959n)
    assert.equal(register?.price, 910n)
  })

  it('say what is missing, action by action', () => {
    const { prices, missing } = priced({ restore: 4000n }, null)
    assert.deepEqual(new Set(prices.map(({ action }) => action)), new Set(['restore']))
    assert.equal(missing.length, 3)
    assert.match(missing[0] ?? '', /^register: the registry reported none$/)
  })

  it('are none when the registry reports another currency than its own', () => {
    const { prices, missing } = priced({}, { ...reported, currency: 'EUR' })
    assert.deepEqual(prices, [])
    assert.deepEqual(missing, ['the registry reported EUR, not USD'])
  })

  it('are compared with those before', () => {
    const { prices } = priced({})
    const known = prices.slice(1).map((price) => {
      return price.action === 'renew' ? { ...price, price: 1n } : price
    })
    const { added, changed, unchanged } = compare(known, prices)
    assert.deepEqual(added, prices.slice(0, 1))
    assert.deepEqual(
      changed.map(({ action, currency, old }) => [action, currency, old]),
      [
        ['renew', 'USD', 1n],
        ['renew', 'EUR', 1n],
      ],
    )
    assert.equal(unchanged, 5)
  })
})
