// Arguments of the statements of the customer tool.
import type { Params, StatementName } from '../../../../src/db/statement.ts'
import { customerId } from '../sizes.ts'

const largest = customerId(0)
const small = customerId(7)
const now = new Date()
const limit = 20n
const search = { q: null, status: null, limit: 51n, offset: 0n }
const accounts = [{ customer_id: largest }, { customer_id: small }]

export const customerToolCases: { [N in StatementName]?: readonly Params<N>[] } = {
  customer_tool_search: [search, { ...search, q: 'no such name' }, { ...search, status: 'closed' }],
  customer_tool_search_by_email: [{ ...search, email: 'customer-7@example.net' }],
  customer_tool_customer: [{ id: largest }],
  customer_tool_balances: accounts,
  customer_tool_holdings: accounts.map((of) => ({ ...of, now })),
  customer_tool_open_orders: accounts.map((of) => ({ ...of, limit })),
  customer_tool_api_keys: accounts.map((of) => ({ ...of, limit, now })),
  customer_tool_apps: accounts.map((of) => ({ ...of, limit })),
  customer_tool_log_ins: accounts.map((of) => ({ ...of, now })),
  customer_tool_counts: accounts,
  customer_tool_provider_clients: accounts,
  customer_tool_payments: accounts.map((of) => ({ ...of, limit })),
  customer_tool_mails: [{ recipient: 'customer-7@example.net', limit }],
  customer_tool_audit: accounts.map((of) => ({ ...of, limit })),
  inspection_tables: [{ schema: 'public' }],
  inspection_table: [{ schema: 'public', name: 'audit_logs' }],
  inspection_columns: [{ oid: 1259 }],
  inspection_indexes: [{ oid: 1259 }],
}
