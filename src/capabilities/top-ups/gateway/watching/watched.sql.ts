// SQL of observations: the watched checkouts, and the observed payments.
import { statement } from '../../../../db/statement.ts'

const destination = 'c.id, c.reference, c.asset, c.network, c.pay_address'
/** Reported transactions of which no payment is known yet. */
const reported = `array(select r.id from unnest(c.reported) as r (id)
     where not exists (select from checkout_payments p
                        where p.checkout_id = c.id and p.transaction_id = lower(r.id)))`
const started = ['reference', 'asset', 'network', 'pay_address'] as const

/**
 * All checkouts of a gateway that reads on from its cursor. Reported transactions are read for an
 * hour, and after that whenever a caller asks.
 */
export const watchedCheckouts = statement(
  'checkouts_watched',
  `select ${destination},
          case when c.reported_at > :now::timestamptz - interval '1 hour' then ${reported}
               else '{}' end as reported
     from checkouts c
    where c.gateway = :gateway and c.watched_until > :now and c.started_at is not null`,
  { not_null: [...started, 'reported'] },
)

/**
 * The checkouts that are due. Each is put off, at first for the interval, later for longer, and for
 * an hour at most.
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
  `select ${destination}, ${reported} as reported,
          not exists (select from checkout_payments p where p.checkout_id = c.id) as thorough
     from checkouts c
    where c.id = :id and c.gateway = :gateway and c.started_at is not null`,
  { not_null: [...started, 'reported', 'thorough'] },
)

/** Keeps the ten newest reported transactions. */
export const storeReported = statement(
  'checkouts_store_reported',
  `update checkouts c
      set reported = (array_append(array_remove(c.reported, :transaction_id::text),
                                   :transaction_id::text))[
            greatest(1, cardinality(array_remove(c.reported, :transaction_id::text)) - 8):],
          reported_at = :now::timestamptz
    where c.id = :id`,
)

/** Has it read by that time at the latest, by any node. */
export const observeNoLaterThan = statement(
  'checkouts_observe_no_later_than',
  `update checkouts set look_at = :at::timestamptz
    where id = :id and gateway = :gateway and started_at is not null
      and (look_at is null or look_at > :at::timestamptz)`,
)

const known = `p.id, c.reference, p.asset, p.network, p.transaction_id, p.amount, p.at,
          p.block_number, p.block_hash, p.treatment = 'credited' as is_credited,
          p.state = 'orphaned' as is_gone`
/** A payment that is gone and was never credited is watched as long as its checkout. */
const watched = `p.watched_until > :now::timestamptz
      and (p.state <> 'orphaned' or p.watched_until < 'infinity'
        or c.watched_until > :now::timestamptz)`

/** Payments that a reorganization may still undo, or bring back. */
export const knownPaymentsOf = statement(
  'checkout_payments_known_of',
  `select ${known} from checkout_payments p join checkouts c on c.id = p.checkout_id
    where p.checkout_id = any (:checkout_ids::text[]) and ${watched}`,
  { not_null: ['reference', 'is_credited', 'is_gone'] },
)

/** Payments that are not settled come first. */
export const allKnownPayments = statement(
  'checkout_payments_known',
  `select ${known}
     from (select * from checkout_payments
            where watched_until > :now
            order by watched_until desc limit :limit) p
     cross join lateral (
       select reference, watched_until from checkouts
        where id = p.checkout_id and gateway = :gateway offset 0) c
    where ${watched}`,
  { not_null: ['reference', 'is_credited', 'is_gone'] },
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
     withheld text, at timestamptz, block_number bigint, block_hash text)`

/** All payments of these transactions. */
export const storedPayments = statement(
  'checkout_payments_of_transactions',
  `select id, checkout_id, asset, network, transaction_id, amount from checkout_payments
    where checkout_id = any (:checkout_ids::text[])
      and transaction_id = any (:transaction_ids::text[])`,
)

/**
 * Whether another reading of a credited payment that is gone is far enough apart from the one
 * before.
 */
const goneAgain = `(excluded.state = 'orphaned' and p.treatment = 'credited'
        and (p.gone_read_at is null
          or excluded.observed_at >= p.gone_read_at + :apart_ms::int * interval '1 ms'))`

/**
 * Stores payments that are new or have changed; an older observation changes nothing. Readings that
 * show a credited payment as gone are counted, and a reading that shows it ends the count.
 */
export const storePayments = statement(
  'checkout_payments_store',
  `insert into checkout_payments as p (
     id, checkout_id, asset, network, decimals, transaction_id, amount, state, confirmations,
     value_currency, value_cents, withheld, at, observed_at, block_number, block_hash)
   select o.id, o.checkout_id, o.asset, o.network, o.decimals, o.transaction_id, o.amount, o.state,
          o.confirmations, o.value_currency, o.value_cents, o.withheld, o.at,
          :observed_at::timestamptz, o.block_number, o.block_hash
     from ${observed} order by o.id
   on conflict (id) do update
      set state = excluded.state, confirmations = excluded.confirmations,
          value_currency = excluded.value_currency, value_cents = excluded.value_cents,
          withheld = excluded.withheld, transaction_id = excluded.transaction_id,
          at = excluded.at, observed_at = excluded.observed_at, updated_at = clock_timestamp(),
          block_number = excluded.block_number, block_hash = excluded.block_hash,
          gone_readings = case when excluded.state <> 'orphaned' then 0
                               when ${goneAgain} then p.gone_readings + 1
                               else p.gone_readings end,
          gone_read_at = case when excluded.state <> 'orphaned' then null
                              when ${goneAgain} then excluded.observed_at
                              else p.gone_read_at end,
          watched_until = case when ${goneAgain}
            then greatest(p.watched_until, excluded.observed_at + interval '1 day')
            else p.watched_until end
    where p.observed_at < excluded.observed_at
      and (p.checkout_id, p.asset, p.network, p.amount)
        = (excluded.checkout_id, excluded.asset, excluded.network, excluded.amount)
      and ((p.state, p.value_currency, p.value_cents, p.withheld, p.transaction_id, p.at,
            p.block_hash)
           is distinct from (excluded.state, excluded.value_currency, excluded.value_cents,
                             excluded.withheld, excluded.transaction_id, excluded.at,
                             excluded.block_hash)
        or p.treatment = 'pending' and p.confirmations <> excluded.confirmations
        or ${goneAgain})
   returning p.id, p.checkout_id, p.treatment = 'credited' and p.state = 'orphaned' as is_going,
             p.gone_readings`,
  { not_null: ['is_going'] },
)

/** A payment never changes, so an operator decides about one that does. */
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

/** Changes nothing if another observation has stored its own meanwhile. */
export const storeCursor = statement(
  'gateway_cursors_store',
  `insert into gateway_cursors as c (gateway, cursor, version, observed_at)
   values (:gateway, :cursor, :version::bigint + 1, :observed_at)
   on conflict (gateway) do update
      set cursor = excluded.cursor, version = excluded.version, observed_at = excluded.observed_at
    where c.version = :version::bigint`,
  { nullable: ['cursor'] },
)

const compared = 'c.id, c.reference, c.asset, c.network, c.pay_address, c.started_at'
const comparable = [...started, 'started_at'] as const

/** Checkouts whose time to pay is over, and daily as long as they are watched. */
export const claimCompared = statement(
  'checkouts_claim_compared',
  `update checkouts c set compared_at = :now::timestamptz
    where c.id in (
      select id from checkouts
       where gateway = :gateway and watched_until > :now::timestamptz and started_at is not null
         and expires_at < :now::timestamptz
         and (compared_at is null or compared_at < :now::timestamptz - interval '1 day')
       order by compared_at nulls first limit :limit for no key update skip locked)
   returning ${compared}`,
  { not_null: comparable },
)

export const compareAgain = statement(
  'checkouts_compare_again',
  'update checkouts set compared_at = null where id = any (:ids::text[])',
)

/**
 * Returns no row for one that has been open for more than a day, since those are compared daily.
 */
export const comparedCheckout = statement(
  'checkouts_compared_one',
  `select ${compared} from checkouts c
    where c.id = :id and c.gateway = :gateway
      and c.started_at > :now::timestamptz - interval '1 day'`,
  { not_null: comparable },
)

/** The sums of the payments that were observed at each checkout and are not gone. */
export const seenUnits = statement(
  'checkout_payments_seen_units',
  `select checkout_id, asset, network, sum(amount)::numeric(78) as units from checkout_payments
    where checkout_id = any (:checkout_ids::text[]) and state <> 'orphaned'
    group by checkout_id, asset, network`,
  { not_null: ['units'] },
)
