// SQL of Idempotency-Keys and of equal requests.
import { type Row, statement } from '../../../db/statement.ts'

/**
 * Whether a row of idempotency_keys is still remembered: while its order is open, and for 24 hours.
 * It is the same rule as in orders_place, which creates an expired key again. orders_settle
 * restarts the hours of a key if its order took long.
 */
const isRemembered = (key: string) =>
  `(${key}.created_at > clock_timestamp() - interval '24 hours'
            or exists (select from orders named
                        where named.id = ${key}.order_id and named.closed_at is null))`

/**
 * The state that decides about a paid request, in one snapshot: the order of its key,
 * the customer's open order for the domain, and their holding of it. Returns one row, with
 * nulls for those that do not exist.
 */
export const priorStateOf = statement(
  'orders_prior_state',
  `select k.digest as key_digest, k.answer, k.order_id as key_order, made.type as key_type,
          made.closed_at is null and made.state = 'pending'
            and made.lease_until > clock_timestamp() as running,
          open.id as open_order, d.id as holding
     from (select :customer_id::text as customer_id, :domain::text as domain,
                  :key::text as key) asked
     left join idempotency_keys k on k.customer_id = asked.customer_id and k.key = asked.key
           and ${isRemembered('k')}
     left join orders made on made.id = k.order_id
     left join orders open on open.domain = asked.domain
           and open.customer_id = asked.customer_id and open.closed_at is null
     left join domains d on d.name = asked.domain and d.customer_id = asked.customer_id
           and d.ended_at is null`,
  { nullable: ['key'] },
)
export type PriorState = Row<'orders_prior_state'>

/** The digest, of these of one request, that is stored with its key, open order or approval. */
export const storedDigest = statement(
  'orders_stored_digest',
  `select coalesce(
     (select k.digest from idempotency_keys k
       where k.customer_id = :customer_id and k.key = :key and k.digest = any (:digests::text[])
         and ${isRemembered('k')}),
     (select digest from orders where domain = :domain and customer_id = :customer_id
         and closed_at is null and digest = any (:digests)),
     (select max(d.digest) from unnest(:digests) d (digest)
       cross join lateral (select customer_id from approvals where request_digest = d.digest
                            order by id desc limit 100) a
       where a.customer_id = :customer_id)) as digest`,
  { nullable: ['key'] },
)

export const orderOfKey = statement(
  'orders_of_key',
  `select k.order_id, k.digest as key_digest from idempotency_keys k
    where k.customer_id = :customer_id and k.key = :key and ${isRemembered('k')}`,
)

/** Makes a key stand for an order that none stands for yet. */
export const nameOrder = statement(
  'orders_name',
  `insert into idempotency_keys (customer_id, key, digest, order_id)
   values (:customer_id, :key, :digest, :order_id)
   on conflict do nothing`,
)

export const storeAnswer = statement(
  'orders_store_answer',
  `update idempotency_keys set answer = :answer
    where customer_id = :customer_id and key = :key and answer is null`,
)
