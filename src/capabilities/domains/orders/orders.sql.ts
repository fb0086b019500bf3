// SQL of orders and idempotency keys.
import { type Row, statement } from '../../../db/statement.ts'

export const placeOrders = statement(
  'domains_place_orders',
  `select i, outcome, order_id, available from orders_place($1::jsonb) order by i`,
  { not_null: ['i', 'outcome'], writes: true },
)

export const settleOrders = statement(
  'domains_settle_orders',
  `select i, outcome, state from orders_settle($1::jsonb) order by i`,
  { not_null: ['i', 'outcome', 'state'], writes: true },
)

export const orderColumns = `id, customer_id, type, domain, registry, state, currency, amount,
  digest, command, attempts, fingerprints, first_sent_at, unanswered_at, error_code, error_detail,
  alarm, api_key_id, sealed, created_at, updated_at, closed_at`

export const orderById = statement(
  'orders_by_id',
  `select ${orderColumns} from orders where id = $1 and customer_id = $2`,
)

export const openOrder = statement(
  'orders_open',
  `select ${orderColumns} from orders
    where domain = $1 and customer_id = $2 and closed_at is null`,
)

export const lastOrder = statement(
  'orders_last',
  `select ${orderColumns} from orders
    where customer_id = $1 and domain = $2 order by created_at desc limit 1`,
)

/** The last renewal of the domain by the same request since $4 (the registries' time). */
export const recentRenewal = statement(
  'orders_recent_renewal',
  `select ${orderColumns} from orders
    where customer_id = $1 and domain = $2 and type = 'renew' and digest = $3
      and state = 'succeeded' and first_sent_at > $4
    order by created_at desc limit 1`,
)

/** Whether another order than $3 has restored the domain since $4 (the registries' time). */
export const restoredSince = statement(
  'orders_restored_since',
  `select exists (
     select from orders
      where customer_id = $1 and domain = $2 and id <> $3 and type = 'restore'
        and state = 'succeeded' and first_sent_at >= $4) as restored`,
  { not_null: ['restored'] },
)

/**
 * Takes the customer's transfer that the registry took on for $3 ms under the token $4; no row when
 * there is none, or somebody reads it at this moment.
 */
export const claimTransfer = statement(
  'orders_claim_transfer',
  `update orders
      set lease_until = clock_timestamp() + $3::int * interval '1 millisecond', lease_token = $4,
          updated_at = clock_timestamp()
    where customer_id = $1 and domain = $2 and type = 'transfer' and state = 'accepted'
      and closed_at is null and lease_until <= clock_timestamp()
   returning ${orderColumns}`,
)

// As orders_place has it, which makes an expired key anew.
const keyLifetime = "interval '24 hours'"

/**
 * What stands for or against a paid request at one moment, in one snapshot: the order of its key
 * $3, the customer's open order for the domain, and their holding of it. One row, of nulls where
 * there is none.
 */
export const priorStateOf = statement(
  'domains_prior_state',
  `select k.digest as key_digest, k.answer, k.order_id as key_order, made.type as key_type,
          made.closed_at is null and made.state = 'pending'
            and made.lease_until > clock_timestamp() as running,
          open.id as open_order, open.digest as open_digest, d.id as holding
     from (select $1::text as customer_id, $2::text as domain, $3::text as key) asked
     left join idempotency_keys k on k.customer_id = asked.customer_id and k.key = asked.key
           and k.created_at > clock_timestamp() - ${keyLifetime}
     left join orders made on made.id = k.order_id
     left join orders open on open.domain = asked.domain
           and open.customer_id = asked.customer_id and open.closed_at is null
     left join domains d on d.name = asked.domain and d.customer_id = asked.customer_id
           and d.ended_at is null`,
  { nullable: [3] },
)
export type PriorState = Row<'domains_prior_state'>

export const orderOfKey = statement(
  'orders_of_key',
  `select order_id, digest as key_digest from idempotency_keys
    where customer_id = $1 and key = $2
      and created_at > clock_timestamp() - ${keyLifetime}`,
)

/** Makes a key stand for an order that none stands for yet. */
export const nameOrder = statement(
  'orders_name',
  `insert into idempotency_keys (customer_id, key, digest, order_id) values ($1, $2, $3, $4)
   on conflict do nothing`,
)

export const storeAnswer = statement(
  'orders_store_answer',
  `update idempotency_keys set answer = $3 where customer_id = $1 and key = $2 and answer is null`,
)

/**
 * Takes up to $1 due orders of the registry $4 that are not leased, oldest first, for $2 ms under
 * the token $3. Each but an accepted one, which is only read, is about to be sent once more.
 */
export const claimDueOrders = statement(
  'orders_claim_due',
  `update orders o
      set lease_until = clock_timestamp() + $2::int * interval '1 millisecond', lease_token = $3,
          attempts = o.attempts + case when o.state = 'accepted' then 0 else 1 end,
          woken = false, updated_at = clock_timestamp()
    where o.id = any (array(
      select id from orders
       where registry = $4 and closed_at is null and state <> 'parked'
         and run_at <= statement_timestamp()
         and lease_until <= statement_timestamp()
       order by run_at limit $1 for update skip locked))
   returning ${orderColumns}`,
)

/**
 * Adds the fingerprint of the attempt that is about to be sent, and clears the result of the one
 * before ('': none yet): unless that is one of $4, the registry may still apply it. No row without
 * the lease.
 */
export const beginAttempt = statement(
  'orders_begin_attempt',
  `update orders
      set fingerprints = fingerprints || $3::text, error_code = null,
          unanswered_at = case when coalesce(error_code, '') = any ($4::text[]) then unanswered_at
                               else clock_timestamp() end
    where id = $1 and lease_token = $2 and closed_at is null returning unanswered_at`,
)

/**
 * Leaves an order open for later, or for now if the registry sent word of it meanwhile; nothing if
 * the token is no longer the holder's. What the registry took on needs no secret any more.
 */
export const leaveOrder = statement(
  'orders_leave',
  `update orders
      set state = $3,
          run_at = clock_timestamp() + case when woken then 0 else $4::int end
                     * interval '1 millisecond',
          lease_until = clock_timestamp(), error_code = $5, error_detail = $6, alarm = $7,
          sealed = case when $3 = 'accepted' then null else sealed end,
          updated_at = clock_timestamp()
    where id = $1 and lease_token = $2 and closed_at is null
   returning updated_at`,
  { nullable: [5, 6, 7] },
)

/** Shows an open order to operators, by who holds it; the order goes on as it would. */
export const setAlarm = statement(
  'orders_set_alarm',
  `update orders set alarm = $3, updated_at = clock_timestamp()
    where id = $1 and lease_token = $2 and closed_at is null`,
)

/** Registries that holdings or due orders name, by a step in an index for each. */
export const namedRegistries = statement(
  'domains_named_registries',
  `with recursive held as (
     select '' as registry
     union all
     select (select d.registry from domains d
              where d.registry > h.registry and d.ended_at is null order by d.registry limit 1)
       from held h where h.registry is not null
   ), ordered as (
     select '' as registry
     union all
     select (select o.registry from orders o
              where o.registry > r.registry and o.closed_at is null and o.state <> 'parked'
              order by o.registry limit 1)
       from ordered r where r.registry is not null
   )
   select registry from held where registry > ''
   union
   select registry from ordered where registry > ''`,
  { not_null: ['registry'] },
)

/** The last order of each of these names of a customer, whatever became of it. */
export const lastOrdersOf = statement(
  'orders_last_of_names',
  `select o.* from unnest($2::text[]) as n (name)
    cross join lateral (
      select ${orderColumns} from orders
       where customer_id = $1 and domain = n.name order by created_at desc limit 1) o`,
)

/** When an order was made and last changed, as every read of it shows. */
export const orderTimes = statement(
  'orders_times',
  `select created_at, updated_at from orders where id = $1 and customer_id = $2`,
)

/** Names on the way to the customer, in the order of their holdings. */
export const openPurchasesOf = statement(
  'orders_open_purchases_of_customer',
  `select ${orderColumns} from orders
    where customer_id = $1 and closed_at is null and type in ('register', 'transfer')
      and domain collate "C" > $2
    order by domain collate "C" limit $3`,
)
