// SQL of event streams: their registration over all nodes, and the events after positions.
import { leaseEnd, type Row, statement } from '../../../db/statement.ts'

/** Registers a stream, unless the customer has reached its limit (functions/support.sql). */
export const openStream = statement(
  'support_streams_open',
  `select opened, last_event
     from support_open_stream(:id, :customer_id, :node, :most, :lease_ms)`,
  { not_null: ['opened', 'last_event'], writes: true },
)

export const closeStreams = statement(
  'support_streams_close',
  'delete from support_streams where id = any (:ids::text[])',
)

/**
 * Returns no row if the lease expired, so that other nodes no longer count the streams of this one.
 */
export const renewNode = statement(
  'support_stream_nodes_renew',
  `update support_stream_nodes set lease_until = ${leaseEnd}
    where node = :node and lease_until > clock_timestamp()
   returning node`,
)

/** Deletes the node with its streams, by cascade. */
export const endNode = statement(
  'support_stream_nodes_end',
  'delete from support_stream_nodes where node = :node',
)

/** The next events of each customer after a position, in order, with the message as it is now. */
export const eventsAfter = statement(
  'support_events_after',
  `select e.customer_id, e.position, e.kind, e.reader, e.created_at as at,
          m.id, m.sender, m.body, m.created_at, m.read_at
     from unnest(:customer_ids::text[], :afters::bigint[]) as asked (customer_id, after)
    cross join lateral (
       select customer_id, position, kind, reader, message_id, created_at from support_events
        where customer_id = asked.customer_id and position > asked.after
        order by position limit :limit::int) e
     join support_messages m on m.id = e.message_id
    order by e.customer_id, e.position`,
)
export type EventRow = Row<'support_events_after'>
