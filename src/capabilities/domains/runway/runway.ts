// Forecast of renewals: discrete events in the order of expiries, paid from the balances as long as
// these last. Pure; amounts are minor units.
import { addYears } from '../../../kit/clock.ts'
import type { Currency } from '../../../kit/money.ts'

export type Renewable = {
  name: string
  currency: Currency
  /** The price of one more year, or null if it is unknown, or if the domain cannot be renewed. */
  price: bigint | null
  expiry: Date
  /** Whether its renewals draw on the reserve first. */
  from_reserve: boolean
}

type Funds = { available: bigint; reserved: bigint }

/** The funds by currency; a currency that is missing has nothing to spend. */
export type AllFunds = ReadonlyMap<Currency, Funds>

type Forecast = {
  /** For each domain, until when it is paid once the balance is spent. */
  lives_until: Date[]
  /** Renewals that fall due within a year from the start, by currency, whether paid or not. */
  due_in_a_year: Map<Currency, bigint>
}

/** How far ahead renewals are counted. */
export const horizon_years = 10

type Event = { place: number; at: number; name: string }

/**
 * Spends `funds` on renewals of one year each, the earliest expiry first and those of one moment by
 * name. A domain whose renewal its currency does not cover ends there; a cheaper one that comes
 * later may still be paid. A renewal adds exactly one year, so renewed terms come in the order in
 * which they were paid, except those of a leap day, which come back to 28 February: a sorted queue
 * of them, merged with the sorted first terms, needs no heap.
 */
export function forecast(domains: readonly Renewable[], funds: AllFunds, now: Date): Forecast {
  const left = new Map(funds)
  const end = addYears(now, horizon_years).getTime()
  const first = domains
    .map(({ expiry, name }, place): Event => ({ place, at: expiry.getTime(), name }))
    .sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1))
  const renewed: Event[] = []
  const lives_until = domains.map(({ expiry }) => expiry)
  for (let i = 0, j = 0; i < first.length || j < renewed.length; ) {
    const [one, again] = [first[i], renewed[j]]
    const isFirst = one !== undefined && (again === undefined || one.at <= again.at)
    const event = isFirst ? one : again
    if (isFirst) i += 1
    else j += 1
    const domain = event && domains[event.place]
    if (!event || !domain) throw new Error('An event of the forecast has no domain')
    if (event.at >= end) break
    const { price, currency } = domain
    const rest = price === null ? null : afterPaying(left.get(currency), { ...domain, price })
    if (rest === null) continue
    left.set(currency, rest)
    const until = addYears(new Date(event.at), 1)
    lives_until[event.place] = until
    enqueue(renewed, { ...event, at: until.getTime() }, j)
  }
  return { lives_until, due_in_a_year: dueBefore(domains, addYears(now, 1)) }
}

/** Inserts after the last event that is not later, at `from` or behind it. */
function enqueue(queue: Event[], event: Event, from: number): void {
  let [low, high] = [from, queue.length]
  if ((queue.at(-1)?.at ?? event.at) <= event.at) low = high
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((queue[middle]?.at ?? 0) <= event.at) low = middle + 1
    else high = middle
  }
  queue.splice(low, 0, event)
}

/** The remaining funds, or null if the price is not covered. */
function afterPaying(
  { available, reserved }: Funds = { available: 0n, reserved: 0n },
  { price, from_reserve }: { price: bigint; from_reserve: boolean },
): Funds | null {
  const reserve = from_reserve ? reserved : 0n
  const drawn = price < reserve ? price : reserve
  if (price - drawn > available) return null
  return { available: available - (price - drawn), reserved: reserved - drawn }
}

/**
 * The amount that is missing for `due`. The reserve pays the part of the domains that draw on it.
 * If it is not above zero, nothing is missing.
 */
export function shortfallOf(
  { available, reserved, owed }: Funds & { owed: bigint },
  { due, due_from_reserve }: { due: bigint; due_from_reserve: bigint },
): bigint {
  const drawn = due_from_reserve < reserved ? due_from_reserve : reserved
  return due + owed - available - drawn
}

/** The price of all renewals after which each domain is paid until `moment` or later. */
export function dueBefore(domains: readonly Renewable[], moment: Date): Map<Currency, bigint> {
  const due = new Map<Currency, bigint>()
  for (const { price, currency, expiry } of domains) {
    if (price === null) continue
    let years = 0n
    for (let at = expiry; at < moment; at = addYears(at, 1)) years += 1n
    due.set(currency, (due.get(currency) ?? 0n) + years * price)
  }
  return due
}
