// Arguments of the statements of approvals.
import type { Params, StatementName } from '../../../src/db/statement.ts'
import { customerId } from './sizes.ts'

const customer_id = customerId(0)
const by = { api_key_id: 1n, oauth_grant_id: null }
const grant = { api_key_id: null, oauth_grant_id: 'grant40' }
const same = { customer_id, request_digest: '0'.repeat(64) }
const page = { customer_id, limit: 51 }
const pages = [
  { ...page, before: null, open: true },
  { ...page, before: null, open: false },
  { ...page, before: 'apr_8', open: true },
  { ...page, before: 'apr_8', open: false },
]

export const approvalCases: { [N in StatementName]?: readonly Params<N>[] } = {
  approvals_open: [
    { ...same, ...by },
    { ...same, ...grant },
  ],
  approvals_declined: [{ ...same, ...by, since: new Date() }],
  approvals_count_open: [
    { customer_id, ...by },
    { customer_id, ...grant },
  ],
  approvals_expire: [
    { customer_id, limit: 100 },
    { customer_id: null, limit: 500 },
  ],
  approvals_list: pages,
  approvals_list_of_key: pages.map((one) => ({ ...one, api_key_id: 1n })),
  approvals_list_of_grant: pages.map((one) => ({ ...one, oauth_grant_id: 'grant40' })),
  approvals_of_id: [{ customer_id, id: 'apr_1' }],
}
