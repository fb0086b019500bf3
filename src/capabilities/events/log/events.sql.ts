// SQL of events and of the place up to which the audit log has been read.
import { type Row, statement } from '../../../db/statement.ts'

/** Whether the log may have rows that were not read; it may be true although there are none. */
export const isBehind = statement(
  'events_behind',
  `select c.era < (select max(era) from audit_eras)
          or coalesce((select (a.xid, a.id) > (c.xid, c.id) from audit_logs a
                        order by a.xid desc, a.id desc limit 1), false) as behind
     from event_cursor c`,
  { not_null: ['behind'] },
)

/** Returns no row while another node derives events. */
export const lockCursor = statement(
  'events_lock_cursor',
  'select era, xid, id, pos from event_cursor for update skip locked',
)

export const moveCursor = statement(
  'events_move_cursor',
  `update event_cursor set era = :era, xid = :xid::text::xid8, id = :id, pos = :pos`,
)

/** Facts of orders by their ids, which never change once they are placed. */
export const ordersOfEvents = statement(
  'events_orders',
  'select id, type, currency, amount from orders where id = any (:ids::text[])',
)

export const insertEvents = statement(
  'events_insert',
  `insert into events
     (id, pos, customer_id, type, audit_log_id, subject_type, subject_id, data, created_at)
   select e.id, e.pos, e.customer_id, e.type, e.audit_log_id, e.subject_type, e.subject_id, e.data,
          e.created_at
     from jsonb_to_recordset(:events::jsonb)
       as e (id text, pos bigint, customer_id text, type text, audit_log_id bigint,
             subject_type text, subject_id text, data jsonb, created_at timestamptz)`,
)

/** Wakes every call that waits for events of these customers, on every node. */
export const notifyEvents = statement(
  'events_notify',
  `select pg_notify('events', :customers)::text as notified`,
  { writes: true },
)

const shown = `id, pos, customer_id, type, audit_log_id, subject_type, subject_id, data, created_at`

/**
 * Up to `limit` events of a customer after a place, and the newest place of all, of one snapshot.
 */
export const eventsAfter = statement(
  'events_after',
  `select ${shown} from events
    where customer_id = :customer_id and pos > :after
    order by pos limit :limit::int`,
)

/** The same for some types, each by a range of its own in an index. */
export const eventsOfTypesAfter = statement(
  'events_of_types_after',
  `select e.id, e.pos, e.customer_id, e.type, e.audit_log_id, e.subject_type, e.subject_id,
          e.data, e.created_at
     from unnest(:types::text[]) as wanted (type)
    cross join lateral (
      select ${shown} from events
       where customer_id = :customer_id and type = wanted.type and pos > :after
       order by pos limit :limit::int) e
    order by e.pos limit :limit::int`,
  {
    not_null: [
      ...['id', 'pos', 'customer_id', 'type', 'audit_log_id', 'subject_type', 'subject_id'],
      ...['data', 'created_at'],
    ],
  },
)
export type EventRow = Row<'events_after'>

/** The newest event that exists, and the newest that retention deleted. */
export const eventRange = statement(
  'events_range',
  'select pos as newest, purged_pos as purged from event_cursor',
)

/** Deletes up to `limit` events before a time, the oldest first. */
export const purgeEvents = statement(
  'events_purge',
  `with old as (
     delete from events
      where id = any (array(
        select id from events where id < partition_bound(:before, 'evt') order by id
         limit :limit::int))
     returning pos
   ), moved as (
     update event_cursor
        set purged_pos = greatest(purged_pos, (select max(pos) from old))
      where exists (select from old))
   select count(*) as purged from old`,
  { not_null: ['purged'] },
)
