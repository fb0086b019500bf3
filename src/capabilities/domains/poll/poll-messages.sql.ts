// SQL of the registries' messages and of their effects.
import { statement } from '../../../db/statement.ts'
import { holdingColumns } from '../holdings/holdings.sql.ts'

// A message and its key, which is unique over all partitions. The key is locked first, so no other
// transaction handles the message until this one ends; both are made by one statement.
const keyed = `with key as (
    insert into registry_message_keys (registry, msg_id, queued_at)
    values (:registry, :msg_id, :queued_at)
    on conflict (registry, msg_id, queued_at) do update set msg_id = excluded.msg_id
    returning id, received_at)`
const columns =
  'id, received_at, registry, msg_id, queued_at, text, kind, domain, parsed, raw, recognized'
const values = `id, received_at, :registry, :msg_id, :queued_at, :text, :kind, :domain, :parsed,
  :raw, :recognized`

/** Stores a message, or finds the stored one. */
export const putMessage = statement(
  'registry_messages_put',
  `${keyed}
   insert into registry_messages (${columns}) select ${values} from key
   on conflict (id, received_at) do update set msg_id = excluded.msg_id
   returning id, received_at, handled_at is not null as handled`,
  { not_null: ['handled'], nullable: ['queued_at', 'domain'] },
)

/** `last_error` is why operators must look at it all the same, or null if they need not. */
export const markHandled = statement(
  'registry_messages_handled',
  `update registry_messages
      set handled_at = clock_timestamp(), last_error = :last_error::text,
          recognized = recognized and :last_error is null
    where id = :id and received_at = :received_at`,
  { nullable: ['last_error'] },
)

/** Whether we hold the domain, or an order about it is open. */
export const expected = statement(
  'domains_expected',
  `select exists (select from domains where name = :domain and ended_at is null)
       or exists (select from orders where domain = :domain and closed_at is null) as expected`,
  { not_null: ['expected'] },
)

/** Notes that the effects failed again, with `last_error`; returns how often they failed. */
export const countFailure = statement(
  'registry_messages_count_failure',
  `${keyed}
   insert into registry_messages as m (${columns}, failures, last_error)
   select ${values}, 1, :last_error from key
   on conflict (id, received_at) do update
     set failures = m.failures + 1, last_error = excluded.last_error
   returning failures`,
  { nullable: ['queued_at', 'domain'] },
)

export const markAcked = statement(
  'registry_messages_acked',
  `update registry_messages m set acked_at = clock_timestamp()
     from registry_message_keys k
    where k.registry = :registry and k.msg_id = :msg_id and m.id = k.id
      and m.received_at = k.received_at and m.acked_at is null`,
)

/** Makes open orders of a registry about a domain, or with an id, due at once. */
export const wakeOrders = statement(
  'orders_wake',
  `update orders set run_at = clock_timestamp(), recheck_requested = true
    where closed_at is null and state in ('pending', 'accepted', 'unknown') and registry = :registry
      and (domain = :domain or id = :id)`,
  { nullable: ['domain', 'id'] },
)

/**
 * Makes the sync of a held name due at `sync_at` at the latest, by the registries' time. The
 * holding is locked before its schedule, as everywhere.
 */
export const makeSyncDue = statement(
  'domains_make_sync_due',
  `with held as materialized (
     select id from domains where name = :name and ended_at is null for no key update)
   update domain_schedules s set sync_at = least(s.sync_at, :sync_at)
     from held h where s.domain_id = h.id`,
)

/** Notes that a held name was deleted at `deleted_at` at the latest, by a message. */
export const noteDeletionOf = statement(
  'domains_note_deletion_of',
  `update domains set deleted_at = least(deleted_at, :deleted_at), updated_at = clock_timestamp()
    where name = :name and ended_at is null`,
)

export const holdingByRegistrar = statement(
  'domains_by_registrar',
  `select ${holdingColumns} from domains where name = :name and ended_at is null`,
)
