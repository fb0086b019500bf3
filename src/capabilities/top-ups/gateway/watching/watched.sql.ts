// SQL of observations: the watched checkouts, and the observed payments.
import { statement } from '../../../../db/statement.ts'

const destination = 'c.id, c.reference, c.asset, c.network, c.pay_address'
const started = ['reference', 'asset', 'network', 'pay_address'] as const

/** All of a gateway that reads on from its cursor. */
export const watchedCheckouts = statement(
  'checkouts_watched',
  `select ${destination} from checkouts c
    where c.gateway = :gateway and c.watched_until > :now and c.started_at is not null`,
  { not_null: started },
)

/**
 * Those that are due, each put off: at first for the interval, later for longer, an hour at most.
 */
export const claimWatched = statement(
  'checkouts_claim_watched',
  `update checkouts c
      set look_at = case when c.watched_until <= :now::timestamptz then null
        else :now::timestamptz + least(interval '1 hour', greatest(
          :every_s::int * interval '1 s', (:now::timestamptz - c.started_at) / 20)) end
    where c.id in (
      select id from checkouts
       where look_at <= :now::timestamptz and gateway = :gateway
       order by look_at limit :limit for no key update skip locked)
   returning ${destination}`,
  { not_null: started },
)

export const watchedCheckout = statement(
  'checkouts_watched_one',
  `select ${destination},
          not exists (select from checkout_payments p where p.checkout_id = c.id) as thorough
     from checkouts c
    where c.id = :id and c.gateway = :gateway and c.started_at is not null`,
  { not_null: [...started, 'thorough'] },
)

/** It is looked at no later than then, whichever node does it. */
export const observeNoLaterThan = statement(
  'checkouts_observe_no_later_than',
  `update checkouts set look_at = :at::timestamptz
    where id = :id and gateway = :gateway and started_at is not null
      and (look_at is null or look_at > :at::timestamptz)`,
)

const known = `p.id, c.reference, p.asset, p.network, p.transaction_id, p.amount, p.at`

/** Payments that a reorganisation may still undo. */
export const knownPaymentsOf = statement(
  'checkout_payments_known_of',
  `select ${known} from checkout_payments p join checkouts c on c.id = p.checkout_id
    where p.checkout_id = any (:checkout_ids::text[]) and p.watched_until > :now
      and p.state <> 'orphaned'`,
  { not_null: ['reference'] },
)

/** Those that are not settled first. */
export const allKnownPayments = statement(
  'checkout_payments_known',
  `select ${known}
     from (select * from checkout_payments
            where watched_until > :now and state <> 'orphaned'
            order by watched_until desc limit :limit) p
     cross join lateral (
       select reference from checkouts
        where id = p.checkout_id and gateway = :gateway offset 0) c`,
  { not_null: ['reference'] },
)

/** The lock order is that of settling: the checkout, then its payments. */
export const lockCheckoutsOf = statement(
  'checkouts_lock_of_references',
  `select id, reference, asset, network, decimals from checkouts
    where gateway = :gateway and reference = any (:references::text[])
    order by id for no key update`,
  { not_null: ['reference', 'asset', 'network', 'decimals'] },
)

const observed = `jsonb_to_recordset(:payments::jsonb) as o (
     id text, checkout_id text, asset text, network text, decimals int, transaction_id text,
     amount numeric, state text, confirmations int, value_currency text, value_cents bigint,
     withheld text, at timestamptz)`

/** Those that are new or have changed; an older observation changes nothing. */
export const storePayments = statement(
  'checkout_payments_store',
  `insert into checkout_payments as p (
     id, checkout_id, asset, network, decimals, transaction_id, amount, state, confirmations,
     value_currency, value_cents, withheld, at, observed_at)
   select o.id, o.checkout_id, o.asset, o.network, o.decimals, o.transaction_id, o.amount, o.state,
          o.confirmations, o.value_currency, o.value_cents, o.withheld, o.at,
          :observed_at::timestamptz
     from ${observed} order by o.id
   on conflict (id) do update
      set state = excluded.state, confirmations = excluded.confirmations,
          value_currency = excluded.value_currency, value_cents = excluded.value_cents,
          withheld = excluded.withheld, transaction_id = excluded.transaction_id,
          at = excluded.at, observed_at = excluded.observed_at, updated_at = clock_timestamp()
    where p.observed_at < excluded.observed_at
      and (p.checkout_id, p.asset, p.network, p.amount)
        = (excluded.checkout_id, excluded.asset, excluded.network, excluded.amount)
      and ((p.state, p.value_currency, p.value_cents, p.withheld, p.transaction_id, p.at)
           is distinct from (excluded.state, excluded.value_currency, excluded.value_cents,
                             excluded.withheld, excluded.transaction_id, excluded.at)
        or p.treatment = 'pending' and p.confirmations <> excluded.confirmations)
   returning p.checkout_id`,
)

/** A payment never changes: one that does is an operator's to decide. */
export const parkChanged = statement(
  'checkout_payments_park_changed',
  `update checkout_payments p
      set treatment = 'parked', reason = 'facts_changed', updated_at = clock_timestamp()
     from ${observed}
    where p.id = any (:ids::text[]) and p.id = o.id
      and (p.checkout_id, p.asset, p.network, p.amount)
        <> (o.checkout_id, o.asset, o.network, o.amount)
      and p.reason is distinct from 'facts_changed'
   returning p.id, p.checkout_id`,
)

export const readCursor = statement(
  'gateway_cursors_read',
  'select cursor, version, observed_at from gateway_cursors where gateway = :gateway',
)

/** Not where another observation has stored its own meanwhile. */
export const storeCursor = statement(
  'gateway_cursors_store',
  `insert into gateway_cursors as c (gateway, cursor, version, observed_at)
   values (:gateway, :cursor, :version::bigint + 1, :observed_at)
   on conflict (gateway) do update
      set cursor = excluded.cursor, version = excluded.version, observed_at = excluded.observed_at
    where c.version = :version::bigint`,
  { nullable: ['cursor'] },
)
