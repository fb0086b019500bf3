// SQL of orders.
import { leaseEnd, statement } from '../../../db/statement.ts'

export const placeOrdersBatch = statement(
  'orders_place',
  `select i, outcome, order_id, available from orders_place(:batch::jsonb) order by i`,
  { not_null: ['i', 'outcome'], writes: true },
)

export const settleOrdersBatch = statement(
  'orders_settle',
  `select i, outcome, state from orders_settle(:batch::jsonb) order by i`,
  { not_null: ['i', 'outcome', 'state'], writes: true },
)

export const orderColumns = `id, customer_id, type, domain, registry, state, currency, amount,
  digest, command, attempts, fingerprints, first_sent_at, unanswered_at, error_code, error_detail,
  alarm, api_key_id, sealed, traceparent, quote_id, created_at, updated_at, closed_at`

export const orderById = statement(
  'orders_by_id',
  `select ${orderColumns} from orders where id = :id and customer_id = :customer_id`,
)

export const openOrder = statement(
  'orders_open',
  `select ${orderColumns} from orders
    where domain = :domain and customer_id = :customer_id and closed_at is null`,
)

export const lastOrder = statement(
  'orders_last',
  `select ${orderColumns} from orders
    where customer_id = :customer_id and domain = :domain order by created_at desc limit 1`,
)

/**
 * The last renewal of the domain by the same request since then (the registries' time). A renewal
 * that was open for over an hour counts for a day from its end, which its caller may have seen only
 * now.
 */
export const recentRenewal = statement(
  'orders_recent_renewal',
  `select ${orderColumns} from orders
    where customer_id = :customer_id and domain = :domain and type = 'renew' and digest = :digest
      and state = 'succeeded'
      and (first_sent_at > :since
           or closed_at > clock_timestamp() - interval '24 hours'
              and closed_at > created_at + interval '1 hour')
    order by created_at desc limit 1`,
)

/**
 * Whether another order than `except_id` has restored the domain since then (the registries' time).
 */
export const restoredSince = statement(
  'orders_restored_since',
  `select exists (
     select from orders
      where customer_id = :customer_id and domain = :domain and id <> :except_id
        and type = 'restore' and state = 'succeeded' and first_sent_at >= :since) as restored`,
  { not_null: ['restored'] },
)

/**
 * Leases the customer's accepted transfer; returns no row if there is none, or if another
 * worker reads it at this moment.
 */
export const claimTransfer = statement(
  'orders_claim_transfer',
  `update orders
      set lease_until = ${leaseEnd},
          lease_token = :lease_token, updated_at = clock_timestamp()
    where customer_id = :customer_id and domain = :domain and type = 'transfer'
      and state = 'accepted' and closed_at is null and lease_until <= clock_timestamp()
   returning ${orderColumns}`,
)

/** Gives the lease back and leaves the order as it was. */
export const releaseLease = statement(
  'orders_release_lease',
  `update orders set lease_until = clock_timestamp()
    where id = :id and lease_token = :lease_token and closed_at is null`,
)

/** The name servers and contacts of a purchase that names none; the contacts by role. */
export const accountDefaults = statement(
  'orders_account_defaults',
  `select c.default_nameservers as nameservers,
          (select id from contacts where customer_id = c.id and default_registrant) as registrant,
          (select id from contacts where customer_id = c.id and default_admin) as admin,
          (select id from contacts where customer_id = c.id and default_technical) as technical,
          (select id from contacts where customer_id = c.id and default_billing) as billing
     from customers c where c.id = :customer_id`,
)

/** The versions of contacts, which grow with every change. */
export const contactVersions = statement(
  'orders_contact_versions',
  `select id, version from contacts
    where customer_id = :customer_id and id = any (:ids::bigint[]) order by id`,
)

/**
 * Leases up to `limit` due orders of a registry that are not leased, oldest first. Each is about to
 * be sent again, except accepted ones, which are only read.
 */
export const claimDueOrders = statement(
  'orders_claim_due',
  `update orders o
      set lease_until = ${leaseEnd},
          lease_token = :lease_token,
          attempts = o.attempts + case when o.state = 'accepted' then 0 else 1 end,
          recheck_requested = false, updated_at = clock_timestamp()
    where o.id = any (array(
      select id from orders
       where registry = :registry and closed_at is null and state <> 'parked'
         and run_at <= statement_timestamp()
         and lease_until <= statement_timestamp()
       order by run_at limit :limit for update skip locked))
   returning ${orderColumns}`,
)

/**
 * Adds the fingerprint of the attempt that is about to be sent, and clears the result of the one
 * before ('' if there is none yet): unless that is one of `answered_codes`, the registry may still
 * apply it. Returns no row without the lease.
 */
export const beginAttempt = statement(
  'orders_begin_attempt',
  `update orders
      set fingerprints = fingerprints || :fingerprint::text, error_code = null,
          unanswered_at = case when coalesce(error_code, '') = any (:answered_codes::text[])
                               then unanswered_at else clock_timestamp() end
    where id = :id and lease_token = :lease_token and closed_at is null returning unanswered_at`,
)

/**
 * Leaves an order open for later, or for now if the registry sent a message about it meanwhile.
 * Does nothing if the token is no longer the holder's. An accepted order no longer needs its
 * secret.
 */
export const leaveOrder = statement(
  'orders_leave',
  `update orders
      set state = :state,
          run_at = clock_timestamp() + case when recheck_requested then 0 else :in_ms::int end
                     * interval '1 millisecond',
          lease_until = clock_timestamp(), error_code = :error_code, error_detail = :error_detail,
          alarm = :alarm, sealed = case when :state = 'accepted' then null else sealed end,
          updated_at = clock_timestamp()
    where id = :id and lease_token = :lease_token and closed_at is null
   returning updated_at`,
  { nullable: ['error_code', 'error_detail', 'alarm'] },
)

/** Shows an open order to operators, for the holder of its lease; the order continues as before. */
export const setAlarm = statement(
  'orders_set_alarm',
  `update orders set alarm = :alarm, updated_at = clock_timestamp()
    where id = :id and lease_token = :lease_token and closed_at is null`,
)

/** The registries of holdings, found by one step in an index for each. */
export const registriesOfHoldings = statement(
  'domains_registries',
  `with recursive held as (
     select '' as registry
     union all
     select (select s.registry from domain_schedules s
              where s.registry > h.registry order by s.registry limit 1)
       from held h where h.registry is not null
   )
   select registry from held where registry > ''`,
  { not_null: ['registry'] },
)

/** The registries of due orders, found by two steps in an index for each with open ones. */
export const registriesOfDueOrders = statement(
  'orders_due_registries',
  `with recursive ordered as (
     select '' as registry
     union all
     select (select o.registry from orders o
              where o.registry > r.registry and o.closed_at is null and o.state <> 'parked'
              order by o.registry limit 1)
       from ordered r where r.registry is not null
   )
   select r.registry from ordered r
    where r.registry > '' and exists (
      select from orders o
       where o.registry = r.registry and o.closed_at is null and o.state <> 'parked'
         and o.run_at <= statement_timestamp())`,
  { not_null: ['registry'] },
)

/** The last order of each of these names of a customer, whatever its state. */
export const lastOrdersOf = statement(
  'orders_last_of_names',
  `select o.* from unnest(:names::text[]) as n (name)
    cross join lateral (
      select ${orderColumns} from orders
       where customer_id = :customer_id and domain = n.name order by created_at desc limit 1) o`,
)

/** When an order was made and last changed, as every read of it shows. */
export const orderTimes = statement(
  'orders_times',
  `select created_at, updated_at from orders where id = :id and customer_id = :customer_id`,
)

/** The names that the customer is buying, in the order of their holdings. */
export const openPurchasesOf = statement(
  'orders_open_purchases_of_customer',
  `select ${orderColumns} from orders
    where customer_id = :customer_id and closed_at is null and type in ('register', 'transfer')
      and domain collate "C" > :after
    order by domain collate "C" limit :limit`,
)

/** The same for names that match all regular expressions of `visible`. */
export const visiblePurchasesOf = statement(
  'orders_visible_purchases_of_customer',
  `select ${orderColumns} from orders
    where customer_id = :customer_id and closed_at is null and type in ('register', 'transfer')
      and domain collate "C" > :after and domain ~ all (:visible::text[])
    order by domain collate "C" limit :limit`,
)

/**
 * The order, if it ended and its owner was not notified. `was_answered` is whether the request
 * itself got the result.
 */
export const orderResult = statement(
  'orders_result',
  `select o.id, o.customer_id, o.type, o.domain, o.state, o.currency, o.amount, o.error_detail,
          o.attempts = 1 and o.state = 'failed'
            and o.error_code not in ('transfer_rejected', 'transfer_cancelled') as was_answered,
          (select d.expiry from domains d where d.name = o.domain and d.ended_at is null
              and d.customer_id = o.customer_id) as expiry
     from orders o
    where o.id = :id and o.closed_at is not null and o.notified_at is null`,
  { not_null: ['was_answered'] },
)

/** Returns no row if the owner was notified already. */
export const markNotified = statement(
  'orders_mark_notified',
  `update orders set notified_at = clock_timestamp()
    where id = :id and notified_at is null returning id`,
)
