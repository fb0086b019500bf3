// Valid calls of the customer tool, and their shapes.
import { customerToolKey } from '../../../support/node.ts'
import type { Fixture } from '../fixture.ts'
import {
  currency,
  fields,
  flag,
  integer,
  list,
  moment,
  money,
  orNull,
  text,
  words,
} from '../shape.ts'

const tool = { access: 'tool', operator: false }
const headers = { 'x-customer-tool-key': customerToolKey }
const at = '/v1/customer-tool'
const table = { table_name: 'customers' }

export const customerToolExamples = {
  [`GET ${at}/customers`]: {
    ...tool,
    make: () => ({ headers, query: { q: 'example.net', status: 'active', limit: '2' } }),
  },
  [`GET ${at}/customers/{customer_id}`]: {
    ...tool,
    make: ({ id }: Fixture) => ({ headers, path: { customer_id: id } }),
  },
  [`GET ${at}/database/schemas`]: { ...tool, make: () => ({ headers }) },
  [`GET ${at}/database/tables`]: {
    ...tool,
    make: () => ({ headers, query: { schema: 'public' } }),
  },
  [`GET ${at}/database/tables/{table_name}`]: {
    ...tool,
    make: () => ({ headers, path: table }),
  },
  [`GET ${at}/database/tables/{table_name}/rows`]: {
    ...tool,
    make: () => ({ headers, path: table, query: { limit: '2', order_by: '-created_at' } }),
  },
}

const customer = {
  id: text,
  email: text,
  email_verified: flag,
  name: text,
  company_name: orNull(text),
  status: words('active', 'suspended', 'closed'),
  created_at: moment,
  updated_at: moment,
}
const times = { created_at: moment, last_used_at: orNull(moment) }
const tableOf = {
  name: text,
  kind: words('table', 'partitioned_table', 'view', 'materialized_view'),
  estimated_rows: orNull(integer),
  description: orNull(text),
}

export const customerToolShapes = {
  [`GET ${at}/customers`]: fields({
    customers: list(fields(customer)),
    limit: integer,
    next_offset: orNull(integer),
  }),
  [`GET ${at}/customers/{customer_id}`]: fields({
    customer: fields({ ...customer, default_nameservers: list(text) }),
    balances: list(
      fields({ currency, available: money, held: money, owed: money, updated_at: moment }),
    ),
    domains: fields({
      total: integer,
      by_status: { type: 'object', additionalProperties: integer },
      next_expiry: orNull(moment),
    }),
    orders: fields({ open: integer, parked: integer, items: list({ type: 'object' }) }),
    api_keys: fields({
      active: integer,
      items: list(
        fields({
          ...{ id: integer, key_prefix: text, name: orNull(text), scopes: list(text), ...times },
          ...{ expires_at: orNull(moment), revoked_at: orNull(moment) },
        }),
      ),
    }),
    connected_apps: fields({ open: integer, items: list({ type: 'object' }) }),
    log_in: fields({
      has_password: flag,
      passkeys: integer,
      identities: list(text),
      last_log_in_at: orNull(moment),
      last_used_at: orNull(moment),
      open_sessions: integer,
    }),
    provider_clients: list(
      fields({ registry: text, client_id: text, state: text, reconciled_at: orNull(moment) }),
    ),
    counts: fields({ contacts: integer, invoices: integer, open_top_ups: integer }),
    payments: list(
      fields({ id: text, currency, amount: money, account: text, created_at: moment }),
    ),
    mails: list(
      fields({
        ...{ id: text, kind: text, subject: text, state: text },
        ...{ created_at: moment, ended_at: orNull(moment) },
      }),
    ),
    audit_logs: list({ type: 'object' }),
  }),
  [`GET ${at}/database/schemas`]: fields({
    schemas: list(fields({ name: text, tables: integer, description: orNull(text) })),
  }),
  [`GET ${at}/database/tables`]: fields({
    schema: text,
    tables: list(fields({ ...tableOf, shown_columns: integer, hidden_columns: integer })),
  }),
  [`GET ${at}/database/tables/{table_name}`]: fields({
    ...{ schema: text, ...tableOf, partitions: orNull(integer), primary_key: list(text) },
    columns: list(
      fields({ name: text, type: text, nullable: flag, hidden: flag, description: orNull(text) }),
    ),
    indexes: list(
      fields({
        name: text,
        columns: list(text),
        unique: flag,
        primary: flag,
        condition: orNull(text),
      }),
    ),
  }),
  [`GET ${at}/database/tables/{table_name}/rows`]: fields({
    schema: text,
    table: text,
    columns: list(fields({ name: text, type: text })),
    hidden_columns: list(text),
    order_by: list(text),
    rows: list({ type: 'object', additionalProperties: orNull(text) }),
    limit: integer,
    next_offset: orNull(integer),
  }),
}
