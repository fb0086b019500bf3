// SQL of the registries' messages and of their effects.
import { statement } from '../../../db/statement.ts'
import { holdingColumns } from '../holdings/holdings.sql.ts'

/**
 * Stores a message, or finds the one that is stored; either way no other transaction handles it
 * until this one ends.
 */
export const putMessage = statement(
  'registry_messages_put',
  `insert into registry_messages as m
          (registry, msg_id, queued_at, text, kind, domain, about, raw, known)
   values (:registry, :msg_id, :queued_at, :text, :kind, :domain, :about, :raw, :known)
   on conflict (registry, msg_id, queued_at) do update set msg_id = excluded.msg_id
   returning id, handled_at is not null as handled`,
  { not_null: ['handled'], nullable: ['queued_at', 'domain'] },
)

/** `last_error`: why operators must look at it all the same; null: no reason. */
export const markHandled = statement(
  'registry_messages_handled',
  `update registry_messages
      set handled_at = clock_timestamp(), last_error = :last_error::text,
          known = known and :last_error is null
    where id = :id`,
  { nullable: ['last_error'] },
)

/** Whether we hold the domain, or an order about it is open. */
export const expected = statement(
  'domains_expected',
  `select exists (select from domains where name = :domain and ended_at is null)
       or exists (select from orders where domain = :domain and closed_at is null) as expected`,
  { not_null: ['expected'] },
)

/** Its effects failed once more, because of `last_error`; answers how often. */
export const countFailure = statement(
  'registry_messages_count_failure',
  `insert into registry_messages as m
          (registry, msg_id, queued_at, text, kind, domain, about, raw, known, failures, last_error)
   values (:registry, :msg_id, :queued_at, :text, :kind, :domain, :about, :raw, :known, 1,
           :last_error)
   on conflict (registry, msg_id, queued_at) do update
     set failures = m.failures + 1, last_error = excluded.last_error
   returning failures`,
  { nullable: ['queued_at', 'domain'] },
)

export const markAcked = statement(
  'registry_messages_acked',
  `update registry_messages set acked_at = clock_timestamp()
    where registry = :registry and msg_id = :msg_id and acked_at is null`,
)

/** Open orders of a registry about a domain, or with an id, go on at once. */
export const wakeOrders = statement(
  'orders_wake',
  `update orders set run_at = clock_timestamp(), woken = true
    where closed_at is null and state in ('pending', 'accepted', 'unknown') and registry = :registry
      and (domain = :domain or id = :id)`,
  { nullable: ['domain', 'id'] },
)

/** The sync of a name that we hold is due at `sync_at` at the latest, by the registries' time. */
export const makeSyncDue = statement(
  'domains_make_sync_due',
  `update domains set sync_at = least(sync_at, :sync_at) where name = :name and ended_at is null`,
)

/** By a message, a name that we hold was deleted at `deleted_at`, at the latest. */
export const noteDeletionOf = statement(
  'domains_note_deletion_of',
  `update domains set deleted_at = least(deleted_at, :deleted_at), updated_at = clock_timestamp()
    where name = :name and ended_at is null`,
)

export const holdingByRegistrar = statement(
  'domains_by_registrar',
  `select ${holdingColumns} from domains where name = :name and ended_at is null`,
)
