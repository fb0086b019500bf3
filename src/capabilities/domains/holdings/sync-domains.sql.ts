// SQL of the periodic sync: the holdings that are read daily, and those that are read out of turn.
import { statement } from '../../../db/statement.ts'
import { dueSchedules, holdingColumnsOf } from './holdings.sql.ts'

/**
 * Takes up to `limit` holdings of a registry whose sync is due out of turn at `now`, longest due
 * first, until `sync_at`, when they are due again if they have not been read.
 */
export const claimDueHoldings = statement(
  'domains_claim_due',
  `with due as materialized (
     ${dueSchedules('sync_at', { by: 'now' })}
   ), claimed as (
     update domain_schedules set sync_at = :sync_at
      where domain_id = any (array(select due.domain_id from due))
     returning domain_id)
   select ${holdingColumnsOf('d')}
     from claimed c join domains d on d.id = c.domain_id
    where d.ended_at is null`,
)

/** Enqueues a task for up to `most` holdings that are read daily; returns their number. */
export const enqueueDailySync = statement(
  'domains_enqueue_sync',
  `select domains_enqueue_sync(:registry, :now, :most) as enqueued`,
  { not_null: ['enqueued'], writes: true },
)

/**
 * The holdings of a task, from after one slot and id up to another, except those that are read out
 * of turn or were read since `read_by`.
 */
export const holdingsOfRound = statement(
  'domains_of_round',
  `select ${holdingColumnsOf('d', 's.synced_at')}
     from domain_schedules s join domains d on d.id = s.domain_id
    where s.registry = :registry
      and (s.sync_slot, s.domain_id) > (:after_slot::integer, :after_id::bigint)
      and (s.sync_slot, s.domain_id) <= (:last_slot::integer, :last_id::bigint)
      and s.sync_at is null and coalesce(s.synced_at < :read_by, true)
      and d.ended_at is null`,
)

/** Holdings that could not be read are due out of turn at `sync_at`. */
export const postponeSync = statement(
  'domains_postpone_sync',
  `update domain_schedules set sync_at = :sync_at
    where domain_id = any (:ids::bigint[]) and sync_at is null`,
)
