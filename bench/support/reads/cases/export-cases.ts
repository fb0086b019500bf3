// Arguments of the statements that read an account for its export.
import type { Params, StatementName } from '../../../../src/db/statement.ts'
import { customerId } from '../sizes.ts'

const largest = customerId(0)

export const exportCases: { [N in StatementName]?: readonly Params<N>[] } = {
  exports_contacts: [{ customer_id: largest, after: '0', limit: 100n }],
  exports_domains: [{ customer_id: largest, after: '/0', limit: 100n }],
  exports_orders: [{ customer_id: largest, after: '/', limit: 100n }],
  exports_api_keys: [{ customer_id: largest, after: '0', limit: 100n }],
  exports_limits: [{ customer_id: largest, after: '0', limit: 100n }],
  exports_approvals: [{ customer_id: largest, after: '', limit: 100n }],
  exports_connected_apps: [{ customer_id: largest, after: '', limit: 100n }],
  exports_invoices: [{ customer_id: largest, after: '0', limit: 100n }],
  exports_support_messages: [{ customer_id: largest, after: '0', limit: 100n }],
  exports_ledger_transfers: [{ customer_id: largest, after: '0', limit: 100n }],
  exports_audit_logs: [{ customer_id: largest, before: 50n, limit: 500n }],
}
