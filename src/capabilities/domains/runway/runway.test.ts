// The forecast against a naive model, which looks for the next expiry at every step.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { addYears } from '../../../kit/clock.ts'
import { type Currency, currencies } from '../../../kit/money.ts'
import {
  type AllFunds,
  dueBefore,
  forecast,
  horizon_years,
  type Renewable,
  shortfallOf,
} from './runway.ts'

const now = new Date('2027-06-15T12:00:00Z')
const day_ms = 86_400_000

/**
 * Near each other, so that many expire at one moment; also leap days at several hours, and years
 * far ahead.
 */
const expiries = fc.oneof(
  fc.integer({ min: -40, max: 30 }).map((days) => new Date(now.getTime() + days * day_ms)),
  fc
    .tuple(
      fc.constantFrom('2028-02-28', '2028-02-29', '2027-02-28'),
      fc.constantFrom('00', '12', '18'),
    )
    .map(([day, hour]) => new Date(`${day}T${hour}:00:00Z`)),
  fc.integer({ min: 0, max: 4_500 }).map((days) => new Date(now.getTime() + days * day_ms)),
)
const domain = fc.record({
  currency: fc.constantFrom(...currencies),
  price: fc.option(fc.bigInt({ min: 1n, max: 40n }), { freq: 6 }),
  expiry: expiries,
  from_reserve: fc.boolean(),
})
const domains = fc
  .array(domain, { maxLength: 12 })
  .map((some) => some.map((one, i): Renewable => ({ ...one, name: `d${(i * 7) % 13}-${i}.com` })))
const amounts = fc.bigInt({ min: 0n, max: 1_500n })
const kept = fc.oneof(fc.bigInt({ min: 0n, max: 30n }), amounts)
const reserves = fc.record({ USD: kept, EUR: kept })
const funds = fc.record({ USD: amounts, EUR: amounts }).map(
  ({ USD, EUR }) =>
    new Map<Currency, bigint>([
      ['USD', USD],
      ['EUR', EUR],
    ]),
)

/** Nothing is kept for renewals, unless `reserved` says so. */
function fundsOf(
  money: ReadonlyMap<Currency, bigint>,
  reserved: Readonly<Record<Currency, bigint>> = { USD: 0n, EUR: 0n },
): AllFunds {
  return new Map(
    currencies.map((one) => [one, { available: money.get(one) ?? 0n, reserved: reserved[one] }]),
  )
}

/** At each step all domains are searched for the one whose turn it is. */
function modelOf(
  given: readonly Renewable[],
  money: ReadonlyMap<Currency, bigint>,
  reserved: Readonly<Record<Currency, bigint>>,
): string[] {
  const left = { USD: money.get('USD') ?? 0n, EUR: money.get('EUR') ?? 0n }
  const kept = { ...reserved }
  const end = addYears(now, horizon_years)
  const order = given.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const all = order.map((one, turn) => ({ ...one, turn, ended: false }))
  for (let turn = all.length; ; turn += 1) {
    let next: (typeof all)[number] | undefined
    for (const one of all) {
      if (one.ended || one.expiry >= end) continue
      const isEarlier =
        next === undefined ||
        one.expiry < next.expiry ||
        (one.expiry.getTime() === next.expiry.getTime() && one.turn < next.turn)
      if (isEarlier) next = one
    }
    if (next === undefined) break
    const { price, currency } = next
    const own = next.from_reserve ? kept[currency] : 0n
    if (price === null || left[currency] + own < price) next.ended = true
    else {
      const drawn = own < price ? own : price
      kept[currency] -= drawn
      left[currency] -= price - drawn
      next.expiry = addYears(next.expiry, 1)
      next.turn = turn
    }
  }
  const until = new Map(all.map(({ name, expiry }) => [name, expiry.toISOString()]))
  return given.map(({ name }) => until.get(name) ?? '')
}

const iso = (dates: readonly Date[]) => dates.map((date) => date.toISOString())
const plus = (money: ReadonlyMap<Currency, bigint>, by: bigint) =>
  new Map([...money].map(([currency, amount]) => [currency, amount + by]))

describe('a forecast of renewals', () => {
  test('is that of the model', () => {
    const property = fc.property(domains, funds, reserves, (given, money, reserved) => {
      const { lives_until } = forecast(given, fundsOf(money, reserved), now)
      assert.deepEqual(iso(lives_until), modelOf(given, money, reserved))
    })
    fc.assert(property, { numRuns: 2_000 })
  })

  test('pays a leap day, renewed to 28 February, before a later hour of that day', () => {
    const expiries = { 'noon.com': '2028-02-28T12:00:00Z', 'leap.com': '2028-02-29T00:00:00Z' }
    const given = Object.entries(expiries).map(
      ([name, expiry]): Renewable => ({
        name,
        expiry: new Date(expiry),
        currency: 'USD',
        price: 10n,
        from_reserve: false,
      }),
    )
    const { lives_until } = forecast(given, fundsOf(new Map([['USD', 30n]])), now)
    assert.deepEqual(iso(lives_until), ['2029-02-28T12:00:00.000Z', '2030-02-28T00:00:00.000Z'])
  })

  test('never spends more than there is, and leaves nothing that pays the next renewal', () => {
    const property = fc.property(domains, funds, (given, money) => {
      const { lives_until } = forecast(given, fundsOf(money), now)
      const end = addYears(now, horizon_years)
      for (const currency of currencies) {
        let left = money.get(currency) ?? 0n
        const own = given.flatMap((one, i) => (one.currency === currency ? [{ ...one, i }] : []))
        for (const { price, expiry, i } of own) {
          const until = lives_until[i] ?? expiry
          for (let at = expiry; at < until; at = addYears(at, 1)) left -= price ?? 0n
        }
        assert.ok(left >= 0n)
        for (const { price, i } of own)
          if (price !== null && (lives_until[i] ?? end) < end) assert.ok(price > left)
      }
    })
    fc.assert(property, { numRuns: 1_000 })
  })

  test('with what is due added, every domain with a price lives a year; with less, one does not', () => {
    const property = fc.property(domains, (given) => {
      const { due_in_a_year: due } = forecast(given, new Map(), now)
      const year = addYears(now, 1)
      const dead = (money: ReadonlyMap<Currency, bigint>, currency: Currency) => {
        const { lives_until } = forecast(given, fundsOf(money), now)
        return given.filter(
          (one, i) =>
            one.currency === currency && one.price !== null && (lives_until[i] ?? now) < year,
        )
      }
      for (const currency of currencies) {
        assert.deepEqual(dead(due, currency), [])
        if ((due.get(currency) ?? 0n) > 0n) assert.ok(dead(plus(due, -1n), currency).length > 0)
      }
    })
    fc.assert(property, { numRuns: 1_000 })
  })
})

describe('a forecast beside a reserve', () => {
  test('the lack beside a reserve, added, is the least that keeps every domain for a year', () => {
    let lacking = 0
    const few = fc.constant(new Map<Currency, bigint>([['USD', 20n]]))
    const property = fc.property(domains, few, reserves, (given, money, reserved) => {
      const year = addYears(now, 1)
      const due = dueBefore(given, year)
      const drawing = dueBefore(
        given.filter(({ from_reserve }) => from_reserve),
        year,
      )
      const lacks = (one: Currency) =>
        shortfallOf(
          { available: money.get(one) ?? 0n, reserved: reserved[one], owed: 0n },
          { due: due.get(one) ?? 0n, due_from_reserve: drawing.get(one) ?? 0n },
        )
      const lives = (currency: Currency, by: bigint) => {
        const filled = new Map(money).set(currency, (money.get(currency) ?? 0n) + by)
        const { lives_until } = forecast(given, fundsOf(filled, reserved), now)
        return given.every(
          (one, i) =>
            one.currency !== currency || one.price === null || (lives_until[i] ?? now) >= year,
        )
      }
      for (const one of currencies)
        if (lacks(one) > 0n) {
          lacking += 1
          assert.ok(lives(one, lacks(one)))
          assert.ok(!lives(one, lacks(one) - 1n))
        }
    })
    fc.assert(property, { numRuns: 1_000 })
    assert.ok(lacking > 100)
  })

  test('ends where it is paid until, when there is no money or no price', () => {
    const expiry = new Date('2027-07-01T00:00:00Z')
    const one = { name: 'a.com', currency: 'USD', expiry, from_reserve: false } as const
    const rich = new Map<Currency, bigint>([['USD', 10n ** 12n]])
    const until = (price: bigint | null, money: ReadonlyMap<Currency, bigint>) =>
      iso(forecast([{ ...one, price }], fundsOf(money), now).lives_until)
    assert.deepEqual(until(10n, new Map()), [expiry.toISOString()])
    assert.deepEqual(until(null, rich), [expiry.toISOString()])
    assert.deepEqual(until(10n, new Map([['EUR', 10n]])), [expiry.toISOString()])
    assert.deepEqual(until(10n, rich), ['2037-07-01T00:00:00.000Z'], 'the horizon')
  })
})
