// SQL of readings: what the registries show of holdings.
import { columns, statement } from '../../../db/statement.ts'
import { holdingColumns } from './holdings.sql.ts'

const factColumns = `id bigint, registry_expiry timestamptz, nameservers text[],
  epp_statuses text[], rgp_statuses text[], synced_at timestamptz, sync_at timestamptz,
  pending_transfer boolean, deleted boolean, deleted_at timestamptz, seen timestamptz`

const refreshed = `registry_expiry = f.registry_expiry, nameservers = f.nameservers,
  epp_statuses = f.epp_statuses, rgp_statuses = f.rgp_statuses,
  locked = 'clientTransferProhibited' = any (f.epp_statuses), synced_at = f.synced_at,
  sync_at = f.sync_at, transfer_out = case when f.pending_transfer then d.transfer_out end,
  deleted_at = case when f.deleted then coalesce(d.deleted_at, f.deleted_at) end,
  missing_since = null, updated_at = clock_timestamp()`

// The client keeps milliseconds, the row has microseconds.
const asSeen = `(f.seen is null or d.updated_at < f.seen + interval '1 millisecond')`
const returned = columns(holdingColumns, 'd')

/**
 * Stores what the registry shows of many holdings: [{id, registry_expiry, nameservers,
 * epp_statuses, rgp_statuses, synced_at, sync_at, pending_transfer, deleted, deleted_at, seen}].
 * `expiry` (paid until) and the time of a deletion stay. `seen`: the
 * holding's updated_at before the registry was asked; a later write is newer than the
 * answer, and stays. Null: no such question. Rows are locked in the order of names, as the
 * settlement of orders locks them.
 */
export const storeReadingsOfMany = statement(
  'domains_refresh',
  `with facts as (
     select * from jsonb_to_recordset(:batch::jsonb) as f (${factColumns})
   ), locked as (
     select d.id from domains d join facts f on f.id = d.id
      where d.ended_at is null order by d.name for update of d
   )
   update domains d set ${refreshed}
     from facts f, locked l
    where f.id = d.id and l.id = d.id and ${asSeen}
   returning ${returned}`,
)

/** The same for one holding, found by its key: a list is planned as if it were a hundred. */
export const storeReadingOfOne = statement(
  'domains_refresh_one',
  `update domains d set ${refreshed}
     from jsonb_to_record(:reading::jsonb) as f (${factColumns})
    where d.id = :id and f.id = d.id and d.ended_at is null and ${asSeen}
   returning ${returned}`,
)

/** Its delete was sent, or a message of it came, at `deleted_at`: it cannot have been later. */
export const noteDeletion = statement(
  'domains_note_deletion',
  `update domains set deleted_at = least(deleted_at, :deleted_at), updated_at = clock_timestamp()
    where id = :id and ended_at is null
   returning ${holdingColumns}`,
)

/** The holding as another process wrote it meanwhile; its sync is due again at `sync_at`. */
export const askAgain = statement(
  'domains_ask_again',
  `update domains set sync_at = least(sync_at, :sync_at)
    where id = :id and customer_id = :customer_id and ended_at is null
   returning ${holdingColumns}`,
)

/** The registry did not know it at `missing_since`; it is asked again at `sync_at`. */
export const markMissing = statement(
  'domains_mark_missing',
  `update domains set missing_since = coalesce(missing_since, :missing_since), sync_at = :sync_at,
          updated_at = clock_timestamp()
    where id = :id and customer_id = :customer_id and ended_at is null
   returning ${holdingColumns}`,
)

/**
 * Locks a holding. Later queries of the transaction see all changes made under the lock
 * before.
 */
export const lockHolding = statement(
  'domains_lock',
  `select id from domains where id = :id and ended_at is null for update`,
)

/** The pending transfer of a name that we hold to another registrar; null: there is none. */
export const noteTransferOut = statement(
  'domains_note_transfer_out',
  `update domains set transfer_out = :transfer_out, updated_at = clock_timestamp()
    where name = :name and ended_at is null returning customer_id`,
  { nullable: ['transfer_out'] },
)
