// SQL of the top-ups.
import { statement } from '../../db/statement.ts'

/** Serialises the calls of one session id (and of one intent) until the transaction ends. */
export const lockTopUp = statement(
  'top_ups_lock',
  `select pg_advisory_xact_lock(hashtextextended(key, 0))
     from unnest(:keys::text[]) as keys (key) order by key`,
)

export const topUpBySessionOrIntent = statement(
  'top_ups_by_session_or_intent',
  `select processor_checkout_session_id, processor_payment_intent_id, customer_id, currency, amount,
          transfer_id, created_at
     from payments
    where processor_checkout_session_id = :processor_checkout_session_id
      or processor_payment_intent_id = :processor_payment_intent_id`,
  { nullable: ['processor_payment_intent_id'] },
)

/** A card payment, or a simulated one, with its credit. */
export const creditCardPayment = statement(
  'top_ups_credit_card_payment',
  `select transfer_id, created_at
     from payments_credit(
       'processor/' || :processor_checkout_session_id::text, :customer_id::text, :currency::text,
       :amount::bigint,
       jsonb_build_object(
         'account', 'processor', 'description', :description::text,
         'checkout_id', :processor_checkout_session_id::text,
         'processor_checkout_session_id', :processor_checkout_session_id::text,
         'processor_payment_intent_id', :processor_payment_intent_id::text,
         'invoice_id', :invoice_id::bigint))`,
  { nullable: ['processor_payment_intent_id'], not_null: ['transfer_id', 'created_at'] },
)
