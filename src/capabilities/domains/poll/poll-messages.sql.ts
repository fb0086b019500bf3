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
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   on conflict (registry, msg_id, queued_at) do update set msg_id = excluded.msg_id
   returning id, handled_at is not null as handled`,
  { not_null: ['handled'], nullable: [3, 6] },
)

/** $2: why operators must look at it all the same; null: no reason. */
export const markHandled = statement(
  'registry_messages_handled',
  `update registry_messages
      set handled_at = clock_timestamp(), last_error = $2::text, known = known and $2 is null
    where id = $1`,
  { nullable: [2] },
)

/** Whether we hold the domain, or an order about it is open. */
export const expected = statement(
  'domains_expected',
  `select exists (select from domains where name = $1 and ended_at is null)
       or exists (select from orders where domain = $1 and closed_at is null) as expected`,
  { not_null: ['expected'] },
)

/** Its effects failed once more, because of $10; answers how often. */
export const countFailure = statement(
  'registry_messages_count_failure',
  `insert into registry_messages as m
          (registry, msg_id, queued_at, text, kind, domain, about, raw, known, failures, last_error)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1, $10)
   on conflict (registry, msg_id, queued_at) do update
     set failures = m.failures + 1, last_error = excluded.last_error
   returning failures`,
  { nullable: [3, 6] },
)

export const markAcked = statement(
  'registry_messages_acked',
  `update registry_messages set acked_at = clock_timestamp()
    where registry = $1 and msg_id = $2 and acked_at is null`,
)

/** Open orders of the registry $1 about the domain $2, or with the id $3, go on at once. */
export const wakeOrders = statement(
  'orders_wake',
  `update orders set run_at = clock_timestamp(), woken = true
    where closed_at is null and state in ('pending', 'accepted', 'unknown') and registry = $1
      and (domain = $2 or id = $3)`,
  { nullable: [2, 3] },
)

/** The sync of a name that we hold is due at $2 at the latest, by the registries' time. */
export const makeSyncDue = statement(
  'domains_make_sync_due',
  `update domains set sync_at = least(sync_at, $2) where name = $1 and ended_at is null`,
)

/** By a message, a name that we hold was deleted at $2, at the latest. */
export const noteDeletionOf = statement(
  'domains_note_deletion_of',
  `update domains set deleted_at = least(deleted_at, $2), updated_at = clock_timestamp()
    where name = $1 and ended_at is null`,
)

export const holdingByRegistrar = statement(
  'domains_by_registrar',
  `select ${holdingColumns} from domains where name = $1 and ended_at is null`,
)
