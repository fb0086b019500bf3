// SQL of payments and their reversals.
import { statement } from '../../../db/statement.ts'

/** Serializes the calls of one payment (or session, or intent) until the transaction ends. */
export const lockPayment = statement(
  'payments_lock',
  `select pg_advisory_xact_lock(hashtextextended(key, 0))
     from unnest(:keys::text[]) as keys (key) order by key`,
)

/** A payment may be known by its own id, and one by card by its session or intent too. */
export const knownPayments = statement(
  'payments_known',
  `select id, processor_checkout_session_id, processor_payment_intent_id, customer_id, currency,
          amount, transfer_id, created_at
     from payments
    where id = :id or processor_checkout_session_id = :processor_checkout_session_id
      or processor_payment_intent_id = :processor_payment_intent_id`,
  { nullable: ['processor_checkout_session_id', 'processor_payment_intent_id'] },
)

export const creditPayment = statement(
  'payments_credit',
  `select id, processor_checkout_session_id, processor_payment_intent_id, customer_id, currency,
          amount, transfer_id, created_at
     from payments_credit(
       :id::text, :customer_id::text, :currency::text, :amount::bigint,
       jsonb_build_object(
         'account', :account::text, 'description', :description::text,
         'checkout_id', :checkout_id::text,
         'processor_checkout_session_id', :processor_checkout_session_id::text,
         'processor_payment_intent_id', :processor_payment_intent_id::text,
         'invoice_id', :invoice_id::bigint))`,
  {
    nullable: ['checkout_id', 'processor_checkout_session_id', 'processor_payment_intent_id'],
    not_null: ['id', 'customer_id', 'currency', 'amount', 'transfer_id', 'created_at'],
    writes: true,
  },
)

/** A payment, and how much of it is reversed now. */
export const paymentWithReversals = statement(
  'payments_with_reversals',
  `select p.id, p.customer_id, p.currency, p.amount,
          coalesce((select sum(case r.kind when 'reinstatement' then -r.amount else r.amount end)
                      from payment_reversals r where r.payment_id = p.id), 0)::bigint as reversed
     from payments p where p.id = :id`,
  { not_null: ['reversed'] },
)

export const reversalOfId = statement(
  'payment_reversals_of_id',
  'select payment_id, kind, amount, shortfall from payment_reversals where id = :id',
)

export const reversePayment = statement(
  'payments_reverse',
  `select payments_reverse(
     :id, :payment_id, :kind, :amount,
     jsonb_build_object('description', :description::text, 'invoice_id', :invoice_id::bigint)
   ) as posted`,
  { not_null: ['posted'], writes: true },
)
