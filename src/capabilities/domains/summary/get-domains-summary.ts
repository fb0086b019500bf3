// Counts the domains of the account, and adds up their renewals: GET /v1/domains/summary.

import { toUnicode } from 'tr46'
import Type, { type Static } from 'typebox'
import { type App, type Call, operation, owner } from '../../../app.ts'
import type { Row } from '../../../db/statement.ts'
import { currencies, formatAmount } from '../../../kit/money.ts'
import type { DomainName } from '../../../kit/random.ts'
import {
  amount,
  compile,
  dateTime,
  nullable,
  oneOf,
  stringOf,
  wordOf,
} from '../../../kit/schema.ts'
import { isVisibleDomain } from '../../limits/index.ts'
import { domainStateOfOrder, lifecycleStatus } from '../holdings/lifecycle.ts'
import { orderStates, shownState, states } from '../holdings/state-model.ts'
import { plannedOf, type Quotes, quotesByCurrency } from '../runway/plan.ts'
import { openPurchases, summaryDomains } from '../runway/runway.sql.ts'
import { operationTypes, statuses, transferOut } from '../schemas.ts'
import {
  type Cost,
  type Counted,
  costsOf,
  countBy,
  type Due,
  firstExpiry,
  monthsOf,
  most_attention,
  most_tlds,
  type Need,
  needsOf,
  reasons,
  soon_days,
} from './summary.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const due = {
  domains: count('How many domains can be renewed.'),
  due: amount('The price of their renewals, at the prices of today.'),
  unpriced: count('How many of these have no known price; "due" does not count them.'),
}
const cost = Type.Object(
  {
    currency: oneOf(currencies, {
      description: 'The currency in which the domains were last paid.',
    }),
    ...due,
    due: amount('The price of all renewals due within 12 months, automatic or not.'),
    automatic: Type.Object(due, {
      description: `The domains that renew automatically within ${soon_days} days.`,
    }),
  },
  { title: 'RenewalCosts' },
)
const need = Type.Object(
  {
    domain: stringOf<DomainName>(),
    domain_unicode: Type.String(),
    reason: oneOf(reasons),
    at: nullable(
      dateTime('When the registry moves it, or when it expires or expired; null for an order.'),
    ),
    requested_by: nullable(Type.String({ description: 'The registrar that asks for it.' })),
    operation: nullable(oneOf(operationTypes, { description: 'The operation that was ordered.' })),
  },
  { title: 'DomainNeed' },
)

const summary = Type.Object(
  {
    as_of: dateTime('When the domains were counted.'),
    total: count('All domains that list_domains shows.'),
    auto_renew: count('How many renew automatically.'),
    statuses: Type.Array(
      Type.Object({ status: oneOf(statuses), domains: count('How many, above zero.') }),
    ),
    expiries: Type.Array(
      Type.Object({
        month: Type.String({ description: 'The month, such as "2027-05", in UTC.' }),
        domains: count('How many expire in it.'),
        auto_renew: count('How many of these renew automatically.'),
      }),
      {
        description: 'From this month to the same of the next year, without months that have none.',
      },
    ),
    first_expiry: nullable(dateTime('The first expiry that is still to come.')),
    tlds: Type.Array(
      Type.Object({ tld: Type.String(), domains: count('How many domains are under it.') }),
      {
        description: `The ${most_tlds} with the most domains.`,
      },
    ),
    other_tlds: count('How many domains are under other TLDs.'),
    costs: Type.Array(cost),
    attention: Type.Object({
      total: count('How many domains wait for a decision or for a registry.'),
      domains: Type.Array(need, { description: `The ${most_attention} most urgent.` }),
    }),
  },
  { title: 'DomainsSummaryResponse' },
)

export const getDomainsSummary = operation({
  name: 'get_domains_summary',
  does: 'Count the domains by status, month of expiry and TLD, with the cost of 12 months.',
  more: 'The answer is short for any number of domains. It counts those that your token may see.',
  at: 'GET /v1/domains/summary',
  area: 'Domains',
  who: owner('domains:read'),
  takes: Type.Object({}),
  gives: summary,
  fails: [],
  effect: 'none',
  tools: [
    {
      group: 'registration',
      title: 'Count the domains',
      examples: [{}],
      destructive: false,
      idempotent: true,
      open_world: false,
    },
  ],
  async run(_input, call, app) {
    const now = app.calendar.now()
    const all = await countedDomains(call, app, now)
    const needs = needsOf(all, now)
    const tlds = [...countBy(all, ({ name }) => name.slice(name.indexOf('.') + 1))]
      .map(([tld, domains]) => ({ tld, domains }))
      .sort((a, b) => b.domains - a.domains || (a.tld < b.tld ? -1 : 1))
    const counts = countBy(all, ({ status }) => status)
    return {
      as_of: now.toISOString(),
      total: all.length,
      auto_renew: all.filter(({ auto_renew }) => auto_renew).length,
      statuses: statuses.flatMap((status) => {
        const domains = counts.get(status)
        return domains === undefined ? [] : [{ status, domains }]
      }),
      expiries: monthsOf(all, now),
      first_expiry: firstExpiry(all, now)?.toISOString() ?? null,
      tlds: tlds.slice(0, most_tlds),
      other_tlds: tlds.slice(most_tlds).reduce((sum, { domains }) => sum + domains, 0),
      costs: costsOf(all, now).map(presentCost),
      attention: {
        total: needs.length,
        domains: needs.slice(0, most_attention).map(presentNeed),
      },
    }
  },
})

const presentDue = (one: Due) => ({ ...one, due: formatAmount(one.due) })

function presentCost({ currency, automatic, ...all }: Cost): Static<typeof cost> {
  return { currency, ...presentDue(all), automatic: presentDue(automatic) }
}

function presentNeed({ one, reason, at }: Need): Static<typeof need> {
  const { name, transfer, operation: order } = one
  return {
    domain: name,
    domain_unicode: toUnicode(name).domain,
    reason,
    at,
    requested_by: transfer?.requested_by ?? null,
    operation: order === null ? null : wordOf(operationTypes, order.type),
  }
}

/**
 * The domains that list_domains shows the caller: its holdings, and the names that are being
 * bought.
 */
async function countedDomains(call: Call, app: App, now: Date): Promise<Counted[]> {
  const { sql, customer_id } = call
  const [rows, purchases, quotes] = await Promise.all([
    sql.run(summaryDomains, { customer_id }),
    sql.run(openPurchases, { customer_id }),
    quotesByCurrency(app),
  ])
  const held = new Set(rows.map(({ name }) => name))
  return [
    ...rows.map((row) => heldDomain(row, { quotes, now })),
    ...purchases.filter(({ domain }) => !held.has(domain)).map(orderedDomain),
  ].filter(({ name }) => isVisibleDomain(call.caller, name))
}

const readTransfer = compile(transferOut)

function heldDomain(
  row: Row<'domains_summary'>,
  { quotes, now }: { quotes: Quotes; now: Date },
): Counted {
  const { name, auto_renew, order_type: type, order_state: state, transfer_out } = row
  return {
    name,
    auto_renew,
    status: lifecycleStatus(row, now),
    operation: type === null || state === null ? null : { type, isUnknown: isUnknown(state) },
    transfer: transfer_out === null ? null : readTransfer.parse(transfer_out),
    renewal: plannedOf(row, quotes),
  }
}

function orderedDomain(order: Row<'orders_open_of_customer'>): Counted {
  const { domain: name, type, state } = order
  return {
    ...{ name, auto_renew: false, transfer: null, renewal: null },
    status: states[domainStateOfOrder(order)].status,
    operation: { type, isUnknown: isUnknown(state) },
  }
}

const isUnknown = (state: string) => shownState[wordOf(orderStates, state)] === 'unknown'
