// Arguments of the statements of support.
import type { Params, StatementName } from '../../../../src/db/statement.ts'
import { customerId } from '../sizes.ts'

const largest = customerId(0)
const small = customerId(7)
const now = new Date()
const long_ago = new Date(0)
const id = `msg_${'40'.padStart(26, '0')}`
/** Each row costs two more look-ups, since a small database has no full page of a hundred rows. */
const few = 11n
const pages = [largest, small].flatMap((customer_id) =>
  [9_223_372_036_854_775_807n, 40n].map((before) => ({ customer_id, before, limit: 101n })),
)

export const supportCases: { [N in StatementName]?: readonly Params<N>[] } = {
  support_messages_of_customer: pages,
  support_threads_of_customer: [{ customer_id: largest }],
  support_messages_post: [
    {
      ...{ customer_id: largest, id: `msg_${'z'.repeat(26)}`, sender: 'customer', body: 'x' },
      operator: null,
      idempotency_key: 'new',
    },
  ],
  support_messages_mark_read: [{ customer_id: small, reader: 'customer', up_to: null }],
  support_messages_event_of: [{ customer_id: largest, id }],
  support_messages_with_owner: [{ id }],
  support_messages_unmailed: [largest, small].map((customer_id) => ({ customer_id, limit: 100n })),
  support_threads_note_mailed: [{ customer_id: largest, event: 1n }],
  support_threads_waiting: [
    { at: long_ago, after_customer: '', limit: few },
    { at: now, after_customer: largest, limit: few },
  ],
  support_threads_answered: [
    { at: now, after_customer: '', limit: few },
    { at: long_ago, after_customer: largest, limit: few },
  ],
  support_streams_open: [
    { id: 'new', customer_id: largest, node: 'node7', most: 5, lease_ms: 12_000 },
  ],
  support_streams_close: [{ ids: ['stream7', 'stream8'] }],
  support_stream_nodes_renew: [{ node: 'node7', lease_ms: 12_000 }],
  support_events_after: [
    { customer_ids: [largest, small], afters: [0n, 0n], limit: 25 },
    { customer_ids: [largest, small], afters: [40n, 9_999_999_999n], limit: 25 },
  ],
}
