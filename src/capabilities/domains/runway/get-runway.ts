// Reads the runway, the time for which the balance pays each domain and the amount missing for a
// year: GET /v1/account/runway.

import Type, { type Static } from 'typebox'
import { operation, owner } from '../../../app.ts'
import { addYears } from '../../../kit/clock.ts'
import { type Currency, currencies, formatAmount } from '../../../kit/money.ts'
import type { DomainName } from '../../../kit/random.ts'
import { amount, dateTime, nullable, oneOf, stringOf } from '../../../kit/schema.ts'
import { byText } from '../../../lists/cursor.ts'
import { pagesOf } from '../../../lists/paging.ts'
import { isVisibleDomain } from '../../limits/index.ts'
import { type Balances, type Planned, readPlan } from './plan.ts'
import { type AllFunds, dueBefore, forecast, horizon_years, shortfallOf } from './runway.ts'

const livesUntil = dateTime(
  'Paid until then if the balance is spent on renewals in the order of expiry, each domain ' +
    `for a year at a time; renewals of the next ${horizon_years} years are counted.`,
)

const inCurrency = Type.Object(
  {
    currency: oneOf(currencies),
    available: amount(
      'The amount that can be spent on renewals. Holds of open orders are not part of it.',
    ),
    reserved: amount('Kept for renewals of the domains with "from_reserve".'),
    owed: amount(
      'Missing since a payment was reversed; while anything is owed, nothing is renewed.',
    ),
    due: amount('All renewals that fall due within 12 months, at the prices of today.'),
    missing: amount(
      'To add, so that every domain lives 12 months from now; it covers what is owed.',
    ),
    domains: Type.Integer({
      description: 'How many domains can be renewed and are paid in this currency.',
    }),
    unpriced: Type.Integer({
      description: 'How many of these have no known price; "missing" does not count them.',
    }),
  },
  { title: 'RunwayInCurrency' },
)

const domainShape = Type.Object(
  {
    domain: stringOf<DomainName>(),
    currency: oneOf(currencies, {
      description: 'The currency in which it was last paid, and in which the next year is.',
    }),
    renewal_price: nullable(
      amount(
        'The price of a year by the price list of today. Null if it is unknown, because the list ' +
          'has no price of its TLD, or the registry charged more for this name than for others. ' +
          'A renewal with dry_run has the price.',
      ),
    ),
    auto_renew: Type.Boolean({
      description:
        'Whether it renews automatically; if not, it lives that long only if you renew it.',
    }),
    from_reserve: Type.Boolean({ description: 'Whether its renewals draw on "reserved" first.' }),
    renewable: Type.Boolean({ description: 'False if it is being deleted; see its status.' }),
    expires_at: dateTime('Until when it is paid.'),
    lives_until: livesUntil,
  },
  { title: 'DomainRunway' },
)

const pages = pagesOf('get_runway', byText)

export const getRunway = operation({
  name: 'get_runway',
  does: 'Read how long the balance keeps your domains, which ends first, and what to add.',
  more:
    'The domain that ends first comes first. "currencies" and "lives_until" count all domains ' +
    'of the account, including those that your token may not see. A renewal in progress counts ' +
    'once it is done. Pages are computed anew: after a payment, begin again.',
  at: 'GET /v1/account/runway',
  area: 'Billing',
  who: owner('billing:read'),
  takes: Type.Object({
    ...pages.takes,
  }),
  gives: Type.Object(
    {
      as_of: dateTime('When the forecast was made.'),
      currencies: Type.Array(inCurrency),
      ends_first: nullable(
        Type.Object(
          { domain: stringOf<DomainName>(), currency: oneOf(currencies), lives_until: livesUntil },
          {
            description:
              'The first to end of the domains that can be renewed, or null if there is none.',
          },
        ),
      ),
      domains: Type.Array(domainShape),
      ...pages.gives,
    },
    { title: 'AccountRunwayResponse' },
  ),
  fails: [],
  effect: 'none',
  async run({ limit, cursor }, call, app) {
    const after = pages.placeOf(cursor) ?? ''
    const { planned, balances } = await readPlan(app, call.sql, call.customer_id)
    const now = app.calendar.now()
    const { lives_until, due_in_a_year } = forecast(planned, spendable(balances), now)
    const drawing = planned.filter(({ from_reserve }) => from_reserve)
    const due_from_reserve = dueBefore(drawing, addYears(now, 1))
    const visible = planned
      .map((one, i) => entryOf(one, lives_until[i] ?? one.expiry))
      .filter(({ domain }) => isVisibleDomain(call.caller, domain))
      .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    const first = visible.find(({ renewable }) => renewable)
    const rest = visible.filter((one) => keyOf(one) > after)
    const { rows: page, next_cursor } = pages.cut(rest, limit, keyOf)
    return {
      as_of: now.toISOString(),
      currencies: currencies.map((currency) =>
        sumsOf(currency, {
          ...{ planned, balances, due: due_in_a_year.get(currency) ?? 0n },
          due_from_reserve: due_from_reserve.get(currency) ?? 0n,
        }),
      ),
      ends_first: first
        ? { domain: first.domain, currency: first.currency, lives_until: first.lives_until }
        : null,
      domains: page,
      next_cursor,
    }
  },
})

/** A debt in one currency stops purchases in all of them (src/ledger/README.md). */
function spendable(balances: Balances): AllFunds {
  const indebted = [...balances.values()].some(({ owed }) => owed > 0n)
  if (indebted) return new Map()
  return balances
}

type Entry = Static<typeof domainShape>

function entryOf(planned: Planned, lives_until: Date): Entry {
  const { name, currency, price, auto_renew, from_reserve, is_renewable, expiry } = planned
  return {
    domain: name,
    currency,
    renewal_price: price === null ? null : formatAmount(price),
    auto_renew,
    from_reserve,
    renewable: is_renewable,
    expires_at: expiry.toISOString(),
    lives_until: lives_until.toISOString(),
  }
}

/** The place of an entry in the list, which is the cursor after it. */
function keyOf({ lives_until, domain }: Entry): string {
  return `${lives_until}/${domain}`
}

type Sums = {
  planned: readonly Planned[]
  balances: Balances
  due: bigint
  /** The part of `due` for domains that draw on the reserve. */
  due_from_reserve: bigint
}

function sumsOf(currency: Currency, { planned, balances, due, due_from_reserve }: Sums) {
  const { available = 0n, reserved = 0n, owed = 0n } = balances.get(currency) ?? {}
  const missing = shortfallOf({ available, reserved, owed }, { due, due_from_reserve })
  const own = planned.filter((one) => one.currency === currency && one.is_renewable)
  return {
    currency,
    available: formatAmount(available),
    reserved: formatAmount(reserved),
    owed: formatAmount(owed),
    due: formatAmount(due),
    missing: formatAmount(missing > 0n ? missing : 0n),
    domains: own.length,
    unpriced: own.filter(({ price }) => price === null).length,
  }
}
