// SQL of the payments of checkouts.
import { type Row, statement } from '../../../db/statement.ts'

const columns = `id, checkout_id, asset, network, decimals, transaction_id, amount, state,
  confirmations, value_currency, value_cents, withheld, at, treatment, reason, credited, taken,
  quoted_amount, rate_units, rate_cents, reversals, gone_readings, received_units`

const joined = columns.replaceAll(/\w+/g, 'p.$&')

/** The smallest id first, with ids above `after`. */
export const parkedPayments = statement(
  'checkout_payments_parked',
  `select ${joined}, c.customer_id, c.currency, p.created_at
     from (select * from checkout_payments
            where treatment = 'parked' and id > :after order by id limit :limit) p
     cross join lateral (
       select customer_id, currency from checkouts where id = p.checkout_id offset 0) c
    order by p.id`,
  { not_null: ['customer_id', 'currency'] },
)

export const checkoutOfPayment = statement(
  'checkout_payments_checkout',
  'select checkout_id from checkout_payments where id = :id',
)

/** The payments in the order in which they came. */
export const paymentsOfCheckouts = statement(
  'checkout_payments_of_checkouts',
  `select ${columns} from checkout_payments
    where checkout_id = any (:checkout_ids::text[]) order by checkout_id, at, id`,
)
export type PaymentRow = Row<'checkout_payments_of_checkouts'>

export const storeRate = statement(
  'checkout_payments_store_rate',
  `update checkout_payments
      set rate_units = :units, rate_cents = :cents, updated_at = clock_timestamp()
    where id = :id and treatment = 'pending'`,
)

export const storeReceived = statement(
  'checkout_payments_store_received',
  `update checkout_payments
      set received_units = :units, updated_at = clock_timestamp()
    where id = :id and treatment = 'pending'`,
)

export const storeTreatment = statement(
  'checkout_payments_store_treatment',
  `update checkout_payments
      set treatment = :treatment, reason = :reason, credited = :credited, taken = :taken,
          quoted_amount = :quoted_amount, reversals = :reversals,
          watched_until = :watched_until, updated_at = clock_timestamp()
    where id = :id`,
  { nullable: ['reason'] },
)
