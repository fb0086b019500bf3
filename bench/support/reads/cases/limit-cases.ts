// Arguments of the statements of limits, and of the lists that a limit filters.
import type { Params, StatementName } from '../../../../src/db/statement.ts'
import { customerId } from '../sizes.ts'
import { approvalCases } from './approval-cases.ts'

const largest = customerId(0)
const by = { api_key_id: 1n, oauth_grant_id: null }
const now = new Date()
const limits = {
  ...{ spend_amount: 5_000n, spend_currency: 'USD', spend_window: 'month' },
  ...{ price_amount: 2_000n, price_currency: 'USD' },
  ...{ approval_amount: 1_000n, approval_currency: 'USD', outside_allowed: 'ask' },
  ...{ allowed_tlds: ['com'], allowed_domains: ['shop-*.com'], allowed_ips: null },
  ...{ dns_hosts: null, dns_types: null, dns_in_person: null },
  now,
}
const target = { customer_id: largest, api_key_id: null, oauth_client_id: 'client0' }

export const limitCases: { [N in StatementName]?: readonly Params<N>[] } = {
  quotes_count_open: [{ customer_id: largest, limit: 200 }],
  ...approvalCases,
  ledger_set_reserve: [{ customer_id: largest, currency: 'USD', amount: 1n }],
  limits_of_caller: [by, { api_key_id: null, oauth_grant_id: 'grant40' }],
  limits_against: [{ ...by, amount: 1_000n, currency: 'USD', approved: false }],
  limits_of_customer: [{ customer_id: largest }],
  limits_of_keys: [{ customer_id: largest, ids: [1n, 2n, 3n] }],
  limits_of_apps: [{ customer_id: largest, ids: ['app'] }],
  limits_of_one: [{ ...target, api_key_id: 1n, oauth_client_id: null }, target],
  limits_insert: [{ ...target, ...limits }],
  limits_update: [{ id: 1n, ...limits }],
  domains_visible_of_customer: [
    { customer_id: largest, after: '', visible: ['^d1[^.]*\\.com$'], limit: 101n },
  ],
}
