// Arguments of the statements of events.
import { json, type Params, type StatementName } from '../../../../src/db/statement.ts'
import { customerId } from '../sizes.ts'

const largest = customerId(0)
const small = customerId(7)
const limit = 100
const now = new Date()
const webhook = `whk_${'7'.padStart(26, '0')}`
const delivery = `dlv_${'7'.padStart(26, '0')}`
const types = ['domain.registered', 'domain.renewed', 'payment.credited']

export const eventCases: { [N in StatementName]?: readonly Params<N>[] } = {
  events_orders: [{ ids: ['order40', 'order41'] }],
  events_after: [largest, small].flatMap((customer_id) => [
    { customer_id, after: 0n, limit },
    { customer_id, after: 400n, limit },
  ]),
  events_of_types_after: [largest, small].flatMap((customer_id) => [
    { customer_id, after: 0n, limit: 10, types },
    { customer_id, after: 400n, limit: 10, types },
    { customer_id, after: 400n, limit: 10, types: ['domain.restored'] },
  ]),
  events_insert: [{ events: json([]) }],
  events_move_cursor: [{ era: 1, xid: '1', id: 1n, pos: 1n }],
  events_notify: [{ customers: largest }],
  webhooks_lock_owner: [{ customer_id: largest }],
  webhooks_count: [{ customer_id: largest }],
  webhooks_of_customer: [{ customer_id: largest }],
  webhooks_of_customers: [{ customers: [largest, small] }],
  webhooks_by_id: [{ id: webhook, customer_id: small }],
  webhooks_lock: [{ id: webhook, customer_id: small }],
  webhooks_delete_ended: [{ customer_id: largest }],
  webhooks_delete: [{ id: webhook, customer_id: small }],
  webhooks_insert: [
    {
      ...{ id: `whk_${'z'.repeat(26)}`, customer_id: small, url: 'https://a.example/' },
      ...{ types: ['domain.*'], description: null, sealed_secret: 'x' },
      ...{ made_by: 'owner', api_key_id: null, oauth_grant_id: null },
    },
  ],
  webhooks_change: [
    {
      ...{ id: webhook, customer_id: small, url: 'https://a.example/', types: ['domain.*'] },
      ...{ description: null, disabled_because: null, failing_since: null },
      ...{ made_by: 'owner', api_key_id: null, oauth_grant_id: null },
    },
  ],
  webhooks_rotate_secret: [
    { id: webhook, customer_id: small, sealed_secret: 'x', previous_until: now, now },
  ],
  webhooks_to_send: [{ id: webhook, now }],
  webhooks_note_success: [{ id: webhook }],
  webhooks_note_failure: [{ id: webhook, now }],
  webhooks_disable: [{ id: webhook, because: 'gone' }],
  webhooks_without_task: [{ limit }],
  webhook_deliveries_insert: [{ deliveries: json([]) }],
  webhook_deliveries_next: [{ webhook_id: webhook, now, held_ms: 60_000 }],
  webhook_deliveries_to_send: [{ id: delivery }],
  webhook_deliveries_record: [
    {
      ...{ id: delivery, state: 'pending', next_at: now, now, last_status: 500 },
      ...{ last_error: 'x', duration_ms: 1 },
    },
  ],
  webhook_deliveries_end: [{ id: delivery, last_error: 'x' }],
  webhook_deliveries_fail_pending: [{ webhook_id: webhook, last_error: 'x' }],
  webhook_deliveries_of_webhook: [{ webhook_id: webhook, before: 'dlv_{', limit }],
  webhook_deliveries_of_state: [{ webhook_id: webhook, before: 'dlv_{', limit, state: 'failed' }],
  webhook_deliveries_failed: [{ before: 'dlv_{', limit }],
  webhook_deliveries_failed_by_id: [{ id: delivery }],
  webhook_deliveries_redeliver: [{ id: delivery, webhook_id: webhook, now }],
  webhook_deliveries_purge: [{ before: new Date('2000-01-01'), limit }],
  events_purge: [{ before: new Date('2000-01-01'), limit }],
}
