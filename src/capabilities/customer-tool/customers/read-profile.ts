// Reads the profile of a customer for support staff, on one page and from one snapshot: GET
// /v1/customer-tool/customers/{customer_id}.

import Type from 'typebox'
import { customerTool, operation } from '../../../app.ts'
import type { InspectionSql } from '../../../db/inspection/inspection.ts'
import type { Row } from '../../../db/statement.ts'
import { currencies, formatAmount } from '../../../kit/money.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { stringOf, wordOf } from '../../../kit/schema.ts'
import { customerAbsent } from '../../account/index.ts'
import { lifecycleStatus } from '../../domains/index.ts'
import { inspect, inspectionFaults, noteReading } from '../inspect.ts'
import { inspectedCustomer } from './customers.sql.ts'
import * as statements from './profile.sql.ts'
import { customerToolProfile, type Profile } from './profile-schemas.ts'
import { shownCustomer } from './search-customers.ts'

export const readCustomerProfile = operation({
  name: 'read_customer_profile',
  does: 'Read a customer with balances, domains, orders, keys, log-ins, mails and recent actions.',
  more: "This access is recorded in the customer's own audit log.",
  at: 'GET /v1/customer-tool/customers/{customer_id}',
  area: 'Customer tool',
  who: customerTool(),
  takes: Type.Object({
    customer_id: stringOf<CustomerId>({ maxLength: 64, description: 'The customer.' }),
  }),
  gives: customerToolProfile,
  fails: [...inspectionFaults, customerAbsent],
  effect: 'own',
  // The row is not in the customer's log, since an unknown id may be anything.
  target: ({ customer_id }) => ({ target_type: 'customer', target: customer_id }),
  async run({ customer_id }, call, app) {
    const now = app.calendar.now()
    const profile = await inspect(app, (sql) => profileOf(sql, { customer_id, now }))
    if (profile === null) throw customerAbsent()
    await noteReading(app, call, { target_type: 'customer', target: customer_id, customer_id })
    return profile
  },
})

const most_items = 20n
const most_payments = 10n

type Asked = { customer_id: CustomerId; now: Date }

/** Null if there is no such customer. */
async function profileOf(sql: InspectionSql, { customer_id, now }: Asked): Promise<Profile | null> {
  const customer = await sql.maybe(inspectedCustomer, { id: customer_id })
  if (!customer) return null
  const limit = most_items
  const of = { customer_id }
  const [balances, holdings, orders, keys, apps, logIn, counts, clients, payments, mails, audit] =
    await Promise.all([
      sql.run(statements.profileBalances, of),
      sql.run(statements.profileHoldings, { ...of, now }),
      sql.run(statements.profileOrders, { ...of, limit }),
      sql.run(statements.profileKeys, { ...of, limit, now }),
      sql.run(statements.profileApps, { ...of, limit }),
      sql.one(statements.profileLogIns, { ...of, now }),
      sql.one(statements.profileCounts, of),
      sql.run(statements.profileProviderClients, of),
      sql.run(statements.profilePayments, { ...of, limit: most_payments }),
      sql.run(statements.profileMails, { recipient: customer.email, limit }),
      sql.run(statements.profileAudit, { ...of, limit }),
    ])
  const { last_log_in_at, last_used_at, ...how } = logIn
  return {
    customer: {
      ...shownCustomer(customer),
      default_nameservers: customer.default_nameservers,
    },
    balances: balances.map(shownBalance),
    domains: shownDomains(holdings, now),
    orders: {
      open: orders[0]?.open ?? 0,
      parked: orders[0]?.parked ?? 0,
      items: orders.map(shownOrder),
    },
    api_keys: { active: keys[0]?.active ?? 0, items: keys.map(shownKey) },
    connected_apps: { open: apps[0]?.open ?? 0, items: apps.map(shownApp) },
    log_in: { ...how, last_log_in_at: timeOf(last_log_in_at), last_used_at: timeOf(last_used_at) },
    provider_clients: clients.map((one) => ({ ...one, reconciled_at: timeOf(one.reconciled_at) })),
    counts,
    payments: payments.map((one) => ({
      ...one,
      currency: wordOf(currencies, one.currency),
      amount: formatAmount(one.amount),
      created_at: one.created_at.toISOString(),
    })),
    mails: mails.map((one) => ({
      ...one,
      created_at: one.created_at.toISOString(),
      ended_at: timeOf(one.ended_at),
    })),
    audit_logs: audit.map((one) => ({
      ...one,
      id: Number(one.id),
      created_at: one.created_at.toISOString(),
    })),
  }
}

const timeOf = (at: Date | null) => at?.toISOString() ?? null

function shownBalance(row: Row<'customer_tool_balances'>): Profile['balances'][number] {
  return {
    currency: wordOf(currencies, row.currency),
    available: formatAmount(row.available),
    held: formatAmount(row.held),
    owed: formatAmount(row.owed),
    reserved: formatAmount(row.reserved),
    updated_at: row.updated_at.toISOString(),
  }
}

function shownDomains(
  rows: readonly Row<'customer_tool_holdings'>[],
  now: Date,
): Profile['domains'] {
  const by_status: Record<string, number> = {}
  for (const { domains, is_past, epp_statuses, rgp_statuses } of rows) {
    const expiry = is_past ? now : new Date(now.getTime() + 1)
    const facts = { expiry, registry_expiry: expiry, epp_statuses, rgp_statuses }
    const status = lifecycleStatus(facts, now)
    by_status[status] = (by_status[status] ?? 0) + domains
  }
  const dates = rows.map(({ next_expiry }) => next_expiry.getTime())
  return {
    total: rows.reduce((sum, { domains }) => sum + domains, 0),
    by_status,
    next_expiry: dates.length === 0 ? null : new Date(Math.min(...dates)).toISOString(),
  }
}

function shownOrder(row: Row<'customer_tool_open_orders'>): Profile['orders']['items'][number] {
  const { open: _open, parked: _parked, ...order } = row
  return {
    ...order,
    currency: wordOf(currencies, order.currency),
    amount: formatAmount(order.amount),
    created_at: order.created_at.toISOString(),
    updated_at: order.updated_at.toISOString(),
  }
}

function shownKey(row: Row<'customer_tool_api_keys'>): Profile['api_keys']['items'][number] {
  const { active: _active, ...key } = row
  return {
    ...key,
    id: Number(key.id),
    created_at: key.created_at.toISOString(),
    last_used_at: timeOf(key.last_used_at),
    expires_at: timeOf(key.expires_at),
    revoked_at: timeOf(key.revoked_at),
  }
}

function shownApp(row: Row<'customer_tool_apps'>): Profile['connected_apps']['items'][number] {
  const { open: _open, ...app } = row
  return {
    ...app,
    created_at: app.created_at.toISOString(),
    last_used_at: timeOf(app.last_used_at),
  }
}
