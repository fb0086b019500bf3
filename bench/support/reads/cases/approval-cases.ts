// Arguments of the statements of approvals.
import type { Params, StatementName } from '../../../../src/db/statement.ts'
import { customerId } from '../sizes.ts'

const customer_id = customerId(0)
const by = { api_key_id: 1n, oauth_grant_id: null }
const grant = { api_key_id: null, oauth_grant_id: 'grant40' }
const same = { customer_id, request_digest: '0'.repeat(64) }
const updated_at = new Date()
const endpoint_hash = Buffer.alloc(32)
const pages = [
  { limit: 51, before: null },
  { limit: 51, before: 'apr_8' },
]
const ofCustomer = pages.map((one) => ({ ...one, customer_id }))
const ofKey = pages.map((one) => ({ ...one, api_key_id: 1n }))
const ofGrant = pages.map((one) => ({ ...one, oauth_grant_id: 'grant40' }))

export const approvalCases: { [N in StatementName]?: readonly Params<N>[] } = {
  approvals_newest: [
    { ...same, ...by },
    { ...same, ...grant },
  ],
  approvals_count_open: [
    { ...by, most: 20 },
    { ...grant, most: 20 },
  ],
  approvals_of_day: [
    { ...by, customer_id, since: new Date(Date.now() - 86_400_000), most: 100 },
    { ...grant, customer_id, since: new Date(Date.now() - 86_400_000), most: 100 },
  ],
  approvals_expire_of_customer: [{ customer_id }],
  approvals_expire: [{ limit: 500 }],
  approvals_purge: [{ before: new Date(), limit: 500 }],
  approvals_list: ofCustomer,
  approvals_list_open: ofCustomer,
  approvals_list_of_key: ofKey,
  approvals_list_open_of_key: ofKey,
  approvals_list_of_grant: ofGrant,
  approvals_list_open_of_grant: ofGrant,
  approvals_of_id: [{ customer_id, id: 'apr_1' }],
  approvals_put_fresh_log_in: [{ customer_id, amount: 1n, currency: 'EUR', updated_at }],
  push_subscriptions_of_customer: [{ customer_id, public_key: 'key', limit: 10 }],
  push_subscriptions_end_oldest: [{ customer_id, endpoint_hash, keep: 9 }],
  push_subscriptions_put: [
    {
      ...{ id: `psb_${'9'.repeat(26)}`, customer_id, session_id: 1n, endpoint_hash },
      ...{ sealed: 'x', service: 'push.example', public_key: 'key', agent: 'a' },
      created_at: updated_at,
    },
  ],
}
