// SQL of card checkouts, and of readings of refunds and disputes.
import { columns, type Row, statement } from '../../../db/statement.ts'

const stored = `id, customer_id, currency, amount_cents, status, session_id, session_url,
  return_url, payment_id, expires_at, created_at, updated_at`

/** Counts the checkouts of a customer that may still be paid. */
export const countOpenCheckouts = statement(
  'card_checkouts_count_open',
  `select count(*) as open from card_checkouts
    where customer_id = :customer_id and status in ('opening', 'open')
      and expires_at > clock_timestamp()`,
  { not_null: ['open'] },
)

export const insertCheckout = statement(
  'card_checkouts_insert',
  `insert into card_checkouts (
     id, customer_id, currency, amount_cents, return_url, expires_at, created_at)
   values (:id, :customer_id, :currency, :amount_cents, :return_url, :expires_at, :created_at)
   returning ${stored}`,
)
export type CheckoutRow = Row<'card_checkouts_insert'>

/** Notes its open session. Returns no row if another call has done so before. */
export const putSession = statement(
  'card_checkouts_put_session',
  `update card_checkouts
      set status = 'open', session_id = :session_id, session_url = :session_url,
          read_at = clock_timestamp(), updated_at = clock_timestamp()
    where id = :id and status = 'opening'
   returning ${stored}`,
  { nullable: ['session_url'] },
)

export const checkoutOfCustomer = statement(
  'card_checkouts_of_customer_id',
  `select ${stored} from card_checkouts where customer_id = :customer_id and id = :id`,
)

export const checkoutOfId = statement(
  'card_checkouts_of_id',
  `select ${stored} from card_checkouts where id = :id`,
)

export const checkoutOfSession = statement(
  'card_checkouts_of_session',
  `select ${stored} from card_checkouts where session_id = :session_id`,
)

/** Locks the checkout, before the payment and the balance, in every transaction that credits it. */
export const lockCheckout = statement(
  'card_checkouts_lock',
  `select ${stored} from card_checkouts where session_id = :session_id for no key update`,
)

/** The newest first, with ids below `before`. */
export const checkoutsOfCustomer = statement(
  'card_checkouts_of_customer',
  `select ${stored} from card_checkouts
    where customer_id = :customer_id and id < coalesce(:before::text, 'd')
    order by id desc limit :limit`,
  { nullable: ['before'] },
)

/** Returns no row if it was read less than `within_ms` ago. */
export const claimReading = statement(
  'card_checkouts_claim_reading',
  `update card_checkouts set read_at = clock_timestamp()
    where id = :id and coalesce(
      read_at <= clock_timestamp() - :within_ms::int * interval '1 millisecond', true)
   returning id`,
)

/** `from` are the statuses that it may have had. Returns no row if it has another one. */
export const moveCheckout = statement(
  'card_checkouts_move',
  `update card_checkouts
      set status = :status, parked_reason = :parked_reason, payment_id = :payment_id,
          updated_at = clock_timestamp()
    where id = :id and status = any (:from::text[])
   returning id`,
  { nullable: ['parked_reason', 'payment_id'] },
)

/** Parked checkouts by id, after a page. */
export const parkedCheckouts = statement(
  'card_checkouts_parked',
  `select ${stored}, parked_reason from card_checkouts
    where status = 'parked' and id > :after order by id limit :limit`,
  { not_null: ['parked_reason'] },
)

/** Returns no row if it is not parked. */
export const dismissCheckout = statement(
  'card_checkouts_dismiss',
  `update card_checkouts
      set status = 'failed', parked_reason = null, updated_at = clock_timestamp()
    where id = :id and status = 'parked'
   returning ${stored}`,
)

/** Parked reversals by payment, after a page. */
export const parkedReversals = statement(
  'card_readings_parked',
  `select r.payment_id, p.customer_id, p.currency, p.amount, r.parked_cents, r.settled_cents
     from (select payment_id, parked_cents, settled_cents from card_readings
            where parked_cents <> settled_cents and payment_id > :after
            order by payment_id limit :limit) r
     join payments p on p.id = r.payment_id order by r.payment_id`,
)

/** The parked part of a payment's reversals, locked against another reading. */
export const lockParkedReversal = statement(
  'card_readings_lock_parked',
  `select p.customer_id, p.currency, p.amount, r.parked_cents, r.settled_cents
     from card_readings r join payments p on p.id = r.payment_id
    where r.payment_id = :payment_id
      for no key update of r`,
)

export const settleParkedReversal = statement(
  'card_readings_settle',
  'update card_readings set settled_cents = parked_cents where payment_id = :payment_id',
)

/** A session of the processor that was credited, from whichever side it was reported. */
export const paymentOfSession = statement(
  'card_payments_of_session',
  'select id from payments where processor_checkout_session_id = :session_id',
)

/**
 * Gives the reading of an intent's refunds and disputes its number. Returns no row if it was not
 * credited.
 */
export const beginReading = statement(
  'card_readings_begin',
  `with begun as (
     insert into card_readings as r (payment_id, begun)
     select id, 1 from payments where processor_payment_intent_id = :payment_intent
     on conflict (payment_id) do update set begun = r.begun + 1
     returning r.payment_id, r.begun)
   select begun.begun as reading, ${columns('id, customer_id, currency, amount, created_at', 'p')}
     from begun join payments p on p.id = begun.payment_id`,
  { not_null: ['reading'] },
)
export type ReadPayment = Row<'card_readings_begin'>

/**
 * Returns no row if a reading that began later was applied already. `was_parked` is the amount
 * before.
 */
export const applyReading = statement(
  'card_readings_apply',
  `update card_readings r set applied = :reading, parked_cents = :parked_cents
     from (select payment_id, parked_cents from card_readings
            where payment_id = :payment_id for no key update) was
    where r.payment_id = was.payment_id and r.applied < :reading
   returning was.parked_cents as was_parked`,
)

/** All reversals of a payment, of any origin, oldest first. */
export const reversalsOfPayment = statement(
  'card_reversals_of_payment',
  `select id, case kind when 'reinstatement' then -amount else amount end as taken
     from payment_reversals where payment_id = :payment_id order by created_at, id`,
  { not_null: ['taken'] },
)
