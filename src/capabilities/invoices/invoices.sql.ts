// SQL of the invoices.
import { type Row, statement } from '../../db/statement.ts'

const columns = `id, customer_id, kind, invoice_number, status, currency, subtotal_amount,
  tax_amount, total_amount, notes, credited_invoice_id, processor_checkout_session_id,
  processor_payment_intent_id, seller_name, seller_address, seller_tax_id, buyer_name,
  buyer_company, buyer_email, buyer_address, buyer_country, issued_at, due_at, paid_at, voided_at,
  updated_at`

/** Inserts a document with its items and the next number, and returns its id. */
export const issueInvoice = statement(
  'invoices_issue',
  'select invoices_issue(:customer_id, :currency, :facts, :items) as id',
  { not_null: ['id'], writes: true },
)

export const invoiceOfId = statement(
  'invoices_of_id',
  `select ${columns} from invoices where customer_id = :customer_id and id = :id`,
)

export const invoiceOfPayment = statement(
  'invoices_of_payment',
  'select id from invoices where customer_id = :customer_id and payment_id = :payment_id',
)

/** The id of its payment or reversal at the means of payment, which the customer may know. */
export const paymentOfInvoice = statement(
  'invoices_payment_of',
  'select payment_id from invoices where customer_id = :customer_id and id = :id',
)

/** The newest first, with ids below `before`. */
export const invoicesOfCustomer = statement(
  'invoices_of_customer',
  `select ${columns} from invoices
    where customer_id = :customer_id and id < coalesce(:before::bigint, 9223372036854775807)
    order by id desc limit :limit`,
  { nullable: ['before'] },
)
export type InvoiceRow = Row<'invoices_of_id'>

export const itemsOfInvoices = statement(
  'invoices_items',
  `select id, invoice_id, description, quantity, unit_amount, total_amount
     from invoice_items where invoice_id = any (:ids::bigint[]) order by invoice_id, id`,
)
export type ItemRow = Row<'invoices_items'>

/** Marks only an open invoice, and only once. An id that is not given stays as it is stored. */
export const markInvoicePaid = statement(
  'invoices_mark_paid',
  `update invoices
      set status = 'paid', paid_at = clock_timestamp(), updated_at = clock_timestamp(),
          processor_checkout_session_id = coalesce(:processor_checkout_session_id,
                                                   processor_checkout_session_id),
          processor_payment_intent_id = coalesce(:processor_payment_intent_id,
                                                 processor_payment_intent_id)
    where customer_id = :customer_id and id = :id and status = 'open'`,
  { nullable: ['processor_checkout_session_id', 'processor_payment_intent_id'] },
)
