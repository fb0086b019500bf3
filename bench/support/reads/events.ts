// Rows of events.
import { customerId, nameOf, owner, type Sizes, spread, type Table } from './sizes.ts'

export function events(sizes: Sizes): Table[] {
  const rows = sizes.entries
  return [
    {
      table: 'events',
      rows,
      columns: `id, pos, customer_id, type, audit_log_id, subject_type, subject_id, data,
        created_at`,
      values: `partition_bound(${spread(rows)}, 'evt') || lpad(i::text, 16, '0'), i,
        ${owner(sizes)},
        (array['domain.registered', 'domain.renewed', 'payment.credited'])[1 + i / 20 % 3], i,
        'domain', ${nameOf(sizes)}, '{}', ${spread(rows)}`,
    },
    {
      table: 'webhooks',
      rows: sizes.customers,
      columns: 'id, customer_id, url, types, sealed_secret',
      values: `'whk_' || lpad(i::text, 26, '0'), ${customerId('i')}, 'https://a.example/',
        '{domain.*}', 'x'`,
    },
    {
      table: 'webhook_deliveries',
      rows,
      columns: `id, webhook_id, customer_id, event_id, event_type, pos, state, next_at,
        created_at`,
      values: `partition_bound(${spread(rows)}, 'dlv') || lpad(i::text, 16, '0'),
        'whk_' || lpad((i % ${sizes.customers})::text, 26, '0'), ${owner(sizes)},
        'evt_' || lpad(i::text, 26, '0'), 'domain.registered', i,
        case when i % 100 = 7 then 'pending' else 'delivered' end, now(), ${spread(rows)}`,
    },
  ]
}
