// SQL of the list of credited payments.
import { statement } from '../../../db/statement.ts'

const columns = `p.id, p.customer_id, p.currency, p.amount, p.account, p.checkout_id,
  p.processor_checkout_session_id, p.processor_payment_intent_id, p.transfer_id, t.invoice_id,
  p.created_at`

/** Newest first, between two transfers. */
export const creditedPayments = statement(
  'payments_credited',
  `select ${columns} from payments p join ledger_transfers t on t.id = p.transfer_id
    where p.transfer_id >= :first_id and p.transfer_id < :before
    order by p.transfer_id desc limit :limit`,
)

export const creditedPaymentsOfCustomer = statement(
  'payments_credited_of_customer',
  `select ${columns} from payments p join ledger_transfers t on t.id = p.transfer_id
    where p.customer_id = :customer_id and p.transfer_id >= :first_id and p.transfer_id < :before
    order by p.transfer_id desc limit :limit`,
)

/** The first and the last transfer of payments of a time. */
export const paymentBounds = statement(
  'payments_bounds',
  `select coalesce(min(transfer_id + 0), 1) as first_id,
          coalesce(max(transfer_id + 0), 0) as last_id
     from payments where created_at >= :from and created_at < :to`,
  { not_null: ['first_id', 'last_id'] },
)

export const reversalsOfPayments = statement(
  'payment_reversals_of',
  `select id, payment_id, kind, amount, shortfall, description, created_at
     from payment_reversals where payment_id = any (:ids::text[]) order by created_at, id`,
)
