// SQL of holdings: their columns, and reading and ending them.
import { columns, statement } from '../../../db/statement.ts'

const required = [
  ...['id', 'name', 'customer_id', 'registry', 'expiry', 'registry_expiry', 'nameservers'],
  ...['period_years', 'epp_statuses', 'rgp_statuses', 'locked', 'auto_renew', 'contacts'],
  ...['protected', 'from_reserve', 'registered_at', 'created_at', 'updated_at'],
] as const
const optional = [
  ...['deletion_at', 'deleted_at', 'missing_since', 'transfer_out', 'wanted_nameservers'],
  'lift_hold_at',
  ...['auth_code_expires_at', 'ended_at', 'end_reason'],
] as const

/** For the options of a statement whose rows are a union. */
export const holdingsNotNull: readonly string[] = required

/**
 * The columns of a holding, of a table alias. `synced_at` is in its schedule, unless the statement
 * itself writes that.
 */
export function holdingColumnsOf(alias: string, synced_at = syncedAtOf(alias)): string {
  const own = columns([...required, ...optional].join(', '), alias)
  return `${own}, ${synced_at} as synced_at`
}

function syncedAtOf(alias: string): string {
  return `(select sc.synced_at from domain_schedules sc where sc.domain_id = ${alias}.id)`
}

export const holdingColumns = holdingColumnsOf('domains')

type ScheduleDate = 'sync_at' | 'auto_renew_at' | 'delete_at'

/**
 * The claim of the jobs that follow a date of domain_schedules: up to `limit` holdings of a
 * registry whose date has come by the parameter `by`, longest due first. The same statement moves
 * the date to the next attempt, so the claim needs no lease.
 */
export function dueSchedules(date: ScheduleDate, { by }: { by: string }): string {
  return `select s.domain_id, s.synced_at from domain_schedules s
         where s.registry = :registry and s.${date} <= :${by}
         order by s.${date} limit :limit for update skip locked`
}

/**
 * For the `page` of due schedules: its holdings `d`, and `o.has_order`, whether an order of each is
 * open. "offset 0" keeps the look at open orders one by one: as a join it may read them all.
 */
export const pageWithOrders = `page p
      cross join lateral (
        select held.* from domains held where held.id = p.domain_id offset 0) d
      cross join lateral (
        select exists (
          select from orders o where o.domain = d.name and o.closed_at is null
          offset 0) as has_order) o`

export const holdingByName = statement(
  'domains_by_name',
  `select ${holdingColumns} from domains
    where customer_id = :customer_id and name = :name and ended_at is null`,
)

/** Whether the registrar holds the name, for any customer. */
export const heldByRegistrar = statement(
  'domains_held_by_registrar',
  `select exists (select from domains where name = :name and ended_at is null) as held`,
  { not_null: ['held'] },
)

/** Since when the holding of a name, of any customer, has been registered. */
export const heldSince = statement(
  'domains_held_since',
  `select registered_at from domains where name = :name and ended_at is null`,
)

/**
 * Up to `limit` holdings with names after `after`, in byte order: that is how the code orders
 * names, whatever the database's collation.
 */
export const holdingsOf = statement(
  'domains_of_customer',
  `select ${holdingColumns} from domains
    where customer_id = :customer_id and ended_at is null and name collate "C" > :after
    order by name collate "C" limit :limit`,
)

/**
 * The same for names that match all regular expressions of `visible`. It is a statement of its own,
 * because with a filter whose effect the planner cannot know, it reads the whole account.
 */
export const visibleHoldingsOf = statement(
  'domains_visible_of_customer',
  `select ${holdingColumns} from domains
    where customer_id = :customer_id and ended_at is null and name collate "C" > :after
      and name ~ all (:visible::text[])
    order by name collate "C" limit :limit`,
)

/** The last holding of this customer that went to another registrar, if none came after it. */
export const lastHoldingOf = statement(
  'domains_last_of_name',
  `select ${holdingColumns} from domains
    where customer_id = :customer_id and name = :name and ended_at is not null
    order by ended_at desc limit 1`,
)

/** Ends a holding for `end_reason`, and frees its contacts, but not while an order is open. */
export const endHoldingRow = statement(
  'domains_end',
  `with ended as (
     update domains d
        set end_reason = :end_reason, ended_at = clock_timestamp(), transfer_out = null,
            auth_code_hash = null, auth_code_expires_at = null, updated_at = clock_timestamp()
      where d.id = :id and d.customer_id = :customer_id and d.ended_at is null
        and not exists (select from orders o where o.domain = d.name and o.closed_at is null)
     returning d.id, d.order_id),
   freed as (delete from domain_contacts c using ended e where c.holder = e.order_id)
   select id from ended`,
  { not_null: ['id'], writes: true },
)

/** The customer's orders for a domain since its holding was made at `since`. */
export const yearFacts = statement(
  'domains_year_facts',
  `select coalesce(bool_or(o.closed_at is null), false) as open,
          coalesce(bool_or(o.type = 'restore' and o.state = 'succeeded'), false) as restored,
          coalesce(sum((o.command->>'send_years')::integer) filter (
            where o.type = 'renew' and o.state = 'failed'
              and o.error_code = 'released_by_operator'), 0)::integer as given_back,
          (select d.expiry from domains d where d.id = :id) as expiry
     from orders o
    where o.customer_id = :customer_id and o.domain = :domain and o.created_at >= :since`,
  { not_null: ['open', 'restored', 'given_back'] },
)
