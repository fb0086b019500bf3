// Rows of support: one conversation for each customer, and one in ten of them waits for an answer.
import { customerId, owner, type Sizes, type Table } from './sizes.ts'

const at = (i: string) => `now() - (${i}) * interval '1 second'`

export function support(sizes: Sizes): Table[] {
  const waits = 'i % 10 = 3'
  return [
    {
      table: 'support_threads',
      rows: sizes.customers,
      columns: `customer_id, last_event, last_message_at, operator_unread, waiting_since`,
      values: `${customerId('i')}, ${sizes.entries}, ${at('i')},
        case when ${waits} then 1 else 0 end, case when ${waits} then ${at('i')} end`,
    },
    {
      table: 'support_messages',
      rows: sizes.entries,
      columns: 'id, customer_id, event, sender, body, created_at, read_at',
      values: `'msg_' || lpad(i::text, 26, '0'), ${owner(sizes)}, i + 1,
        case when i % 3 = 0 then 'operator' else 'customer' end, 'x', ${at('i')}, now()`,
    },
    {
      table: 'support_events',
      rows: sizes.entries,
      columns: 'customer_id, position, kind, message_id, created_at',
      values: `${owner(sizes)}, i + 1, 'message', 'msg_' || lpad(i::text, 26, '0'), ${at('i')}`,
    },
    {
      table: 'support_stream_nodes',
      rows: 20,
      columns: 'node, lease_until',
      values: `'node' || i, now() + interval '1 minute'`,
    },
    {
      table: 'support_streams',
      rows: Math.min(20_000, sizes.customers),
      columns: 'id, customer_id, node',
      values: `'stream' || i, ${customerId('i')}, 'node' || (i % 20)`,
    },
  ]
}
