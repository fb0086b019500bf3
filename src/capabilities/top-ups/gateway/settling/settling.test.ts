// The rules of settling: exact values of payments, and steps and statuses that follow from the rows
// alone, whatever the order.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  type ComparedCheckout,
  creditOf,
  type SettledPayment,
  statusOf,
  stepsOf,
} from './next-step.ts'
import { valuation } from './valuation.ts'

const amounts = fc.bigInt({ min: 1n, max: 10n ** 30n })
const ratios = fc.record({
  units: fc.bigInt({ min: 1n, max: 10n ** 24n }),
  cents: fc.bigInt({ min: 1n, max: 10n ** 12n }),
})

describe('the value of a payment', () => {
  it('is the exact fraction, rounded down once, in 100,000 cases', () => {
    const property = fc.property(
      fc.record({ amount: amounts, covered: amounts, frozen: ratios, rate: ratios }),
      (given) => {
        const { amount, covered, frozen, rate } = given
        const worth = valuation(given)
        assert.ok(worth !== 'rate')
        const { cents, quoted_amount } = worth
        const rest = amount - quoted_amount
        assert.equal(quoted_amount, amount < covered ? amount : covered)
        const denominator = frozen.units * rate.units
        const exact = quoted_amount * frozen.cents * rate.units + rest * rate.cents * frozen.units
        // Where the rest is less than a cent at the frozen quote, it is left out.
        const isDust = rest * frozen.cents < frozen.units
        const whole = isDust ? quoted_amount * frozen.cents * rate.units : exact
        assert.ok(cents * denominator <= whole && whole < (cents + 1n) * denominator)
      },
    )
    fc.assert(property, { numRuns: 100_000 })
  })

  it('is the amount asked for when exactly the price is paid, with 18 decimals as well', () => {
    const property = fc.property(fc.bigInt({ min: 1n, max: 10n ** 9n }), ratios, (cents, quote) => {
      // As a gateway rounds: up to the next base unit.
      const price = (cents * quote.units + quote.cents - 1n) / quote.cents
      const worth = valuation({ amount: price, covered: price, frozen: quote, rate: null })
      assert.ok(worth !== 'rate' && worth.cents >= cents)
      // A base unit may be worth more than a cent.
      if (quote.units >= quote.cents) assert.equal(worth.cents, cents)
    })
    fc.assert(property, { numRuns: 5_000 })
  })

  it('of parts never exceeds that of the whole', () => {
    const parts = fc.array(amounts, { minLength: 1, maxLength: 8 })
    const property = fc.property(parts, ratios, (all, frozen) => {
      const worth = (amount: bigint) => {
        const found = valuation({ amount, covered: null, frozen, rate: null })
        assert.ok(found !== 'rate')
        return found.cents
      }
      const sum = all.reduce((total, one) => total + worth(one), 0n)
      const whole = worth(all.reduce((total, one) => total + one, 0n))
      assert.ok(sum <= whole && whole - sum < BigInt(all.length))
    })
    fc.assert(property, { numRuns: 5_000 })
  })

  it('asks for a rate only for a part that the frozen quote does not cover', () => {
    const frozen = { units: 10n ** 18n, cents: 250_000n }
    const price = 10n ** 16n
    const of = (amount: bigint) => valuation({ amount, covered: price, frozen, rate: null })
    assert.deepEqual(of(price), { cents: 2_500n, quoted_amount: price })
    assert.deepEqual(of(price + 1n), { cents: 2_500n, quoted_amount: price })
    assert.equal(of(2n * price), 'rate')
    assert.deepEqual(of(1n), { cents: 0n, quoted_amount: 1n })
    // 0.1 + 0.2 of a coin with one decimal is 0.3 of it.
    const tenths = { units: 10n, cents: 1_000n }
    const three = valuation({ amount: 1n + 2n, covered: 3n, frozen: tenths, rate: null })
    assert.deepEqual(three, { cents: 300n, quoted_amount: 3n })
  })
})

const start = new Date('2026-11-22T10:00:00Z')
const minutes = (count: number) => new Date(start.getTime() + count * 60_000)
const checkout: ComparedCheckout = {
  is_compared: false,
  amount: 2_500n,
  currency: 'USD',
  expires_at: minutes(30),
  terms: {
    asset: 'ETH',
    network: 'base',
    is_pegged: false,
    pay_amount: 10n ** 16n,
    quote: { units: 10n ** 18n, cents: 250_000n },
  },
}

function payment(own: Partial<SettledPayment> = {}): SettledPayment {
  return {
    id: 'p1',
    asset: 'ETH',
    network: 'base',
    amount: 10n ** 16n,
    state: 'confirmed',
    value: null,
    withheld: null,
    at: minutes(1),
    treatment: 'pending',
    credited: 0n,
    taken: 0n,
    quoted_amount: 0n,
    rate: null,
    reversals: 0,
    gone_readings: 0,
    received_units: null,
    ...own,
  }
}

const next = (own: Partial<SettledPayment>) => {
  const [step] = stepsOf(checkout, [payment(own)])
  if (!step) return 'nothing'
  return step.do === 'park' ? `park ${step.reason}` : step.do
}

describe('the next step', () => {
  it('follows from state, asset, value, peg and time', () => {
    const cases: [string, Partial<SettledPayment>][] = [
      ['nothing', { state: 'seen' }],
      ['nothing', { state: 'orphaned' }],
      ['credit', {}],
      ['park wrong_asset', { asset: 'USDC' }],
      ['park wrong_asset', { network: 'ethereum' }],
      ['park other_currency', { value: { currency: 'EUR', cents: 2_500n } }],
      ['credit', { value: { currency: 'USD', cents: 1n } }],
      ['park off_peg', { withheld: 'off_peg' }],
      ['nothing', { withheld: 'no_rate' }],
      ['rate', { at: minutes(31) }],
      ['credit', { at: minutes(31), rate: { units: 10n ** 18n, cents: 100_000n } }],
      ['keep', { amount: 1n }],
      ['park too_large', { value: { currency: 'USD', cents: 1_000_000_001n } }],
      ['nothing', { treatment: 'credited', credited: 2_500n }],
      ['nothing', { treatment: 'credited', state: 'orphaned', gone_readings: 2 }],
      ['reverse', { treatment: 'credited', state: 'orphaned', gone_readings: 3 }],
      ['nothing', { treatment: 'credited', credited: 2_500n, state: 'seen' }],
      ['reinstate', { treatment: 'reversed', credited: 2_500n, taken: 2_500n }],
      ['nothing', { treatment: 'reversed', state: 'seen' }],
      ['nothing', { treatment: 'parked' }],
      ['nothing', { treatment: 'dismissed', state: 'orphaned' }],
    ]
    for (const [expected, own] of cases) assert.equal(next(own), expected, JSON.stringify(own, big))
  })

  it('covers the price by the frozen quote once, for all payments together', () => {
    const first = payment({
      treatment: 'credited',
      credited: 2_000n,
      quoted_amount: 8n * 10n ** 15n,
    })
    const second = payment({ id: 'p2', rate: { units: 10n ** 18n, cents: 100_000n } })
    const [step] = stepsOf(checkout, [first, second])
    // 0.002 at 2,500.00, and 0.008 at 1,000.00.
    assert.deepEqual([step?.do, step?.do === 'credit' && step.cents], ['credit', 1_300n])
  })

  it('takes back what a reorganisation removed before it credits what replaced it', () => {
    const replacing = payment({ id: 'p2' })
    const removed = payment({
      treatment: 'credited',
      state: 'orphaned',
      credited: 2_500n,
      quoted_amount: 10n ** 16n,
      gone_readings: 3,
      at: minutes(2),
    })
    assert.deepEqual(stepsOf(checkout, [replacing, { ...removed, gone_readings: 2 }]), [])
    const [step] = stepsOf(checkout, [replacing, removed])
    assert.deepEqual([step?.do, step?.payment.id], ['reverse', 'p1'])
    // The frozen quote then covers the replacement.
    const [then] = stepsOf(checkout, [replacing, { ...removed, treatment: 'reversed' }])
    assert.deepEqual([then?.do, then?.do === 'credit' && then.cents], ['credit', 2_500n])
  })

  it('is a credit only as far as the destination has received, with what is credited', () => {
    const first = payment({ treatment: 'credited', credited: 2_500n, amount: 5n })
    const compared = { ...checkout, is_compared: true }
    const of = (received_units: bigint | null) =>
      stepsOf(compared, [first, payment({ id: 'p2', value: usd, amount: 7n, received_units })])
    const enough = 12n
    for (const received of [null, 0n, 11n])
      assert.deepEqual(
        of(received).map((step) => [step.do, step.do === 'compare' && step.enough]),
        [['compare', enough]],
      )
    assert.deepEqual(
      of(enough).map((step) => step.do),
      ['credit'],
    )
  })
})

const usd = { currency: 'USD', cents: 100n }
const big = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

describe('the status', () => {
  it('follows from the payments and the time', () => {
    const of = (at: number, ...all: Partial<SettledPayment>[]) =>
      statusOf(checkout, all.map(payment), minutes(at))
    const credited = (cents: bigint) => ({ treatment: 'credited', credited: cents }) as const
    assert.equal(statusOf({ ...checkout, terms: null }, [], minutes(1)), 'created')
    assert.equal(statusOf({ ...checkout, terms: null }, [], minutes(31)), 'expired')
    assert.deepEqual([of(1), of(31)], ['awaiting_payment', 'expired'])
    assert.deepEqual(
      [of(1, { state: 'seen' }), of(31, { state: 'seen' })],
      Array(2).fill('confirming'),
    )
    assert.deepEqual([of(1, credited(2_500n)), of(31, credited(2_500n))], ['paid', 'paid'])
    assert.deepEqual([of(1, credited(1n)), of(31, credited(1n))], ['awaiting_payment', 'underpaid'])
    const gone = { treatment: 'reversed', credited: 9n, taken: 9n, state: 'orphaned' } as const
    assert.deepEqual([of(1, gone), of(31, gone)], ['awaiting_payment', 'failed'])
    assert.equal(of(31, { treatment: 'parked' }), 'failed')
    assert.equal(of(31, { treatment: 'kept' }), 'expired')
  })

  it('does not depend on the order of payments', () => {
    const some = fc.record({
      state: fc.constantFrom('seen', 'confirmed', 'orphaned'),
      treatment: fc.constantFrom('pending', 'credited', 'kept', 'parked', 'reversed', 'dismissed'),
      credited: fc.bigInt({ min: 0n, max: 3_000n }),
    })
    const property = fc.property(
      fc.array(some, { maxLength: 5 }),
      fc.integer({ max: 60 }),
      (all, at) => {
        const payments = all.map(payment)
        const status = statusOf(checkout, payments, minutes(at))
        assert.equal(statusOf(checkout, payments.toReversed(), minutes(at)), status)
        const sum = payments.reduce((total, one) => total + creditOf(one), 0n)
        assert.equal(status === 'paid', sum >= checkout.amount)
      },
    )
    fc.assert(property, { numRuns: 2_000 })
  })
})
