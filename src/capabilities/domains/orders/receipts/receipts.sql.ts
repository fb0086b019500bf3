// SQL of receipts: the evidence of one paid order.
import { type Row, statement } from '../../../../db/statement.ts'

/** The hold and the capture of an order, each by its unique index. */
export const transfersOfOrder = statement(
  'ledger_transfers_of_order',
  `select id, phase from ledger_transfers where operation_id = :order_id and phase = 'pending'
   union all
   select id, phase from ledger_transfers
    where operation_id = :order_id and phase in ('post', 'void') and phase = 'post'`,
  { not_null: ['id', 'phase'] },
)

/** The audit row of an order with this result, made in the minute before `at`. */
export const auditRowOfOrder = statement(
  'audit_row_of_order',
  `select id, row_hash from audit_logs
    where customer_id = :customer_id and target_type = 'domain' and target = :domain
      and metadata ->> 'order' = :id
      and result = :result
      and created_at between :at::timestamptz - interval '1 minute'
                         and :at::timestamptz + interval '1 second'
    order by id desc limit 1`,
)

/** The buyer as in `invoices_issue`: default billing contact, default registrant, or account. */
export const buyerOfReceipt = statement(
  'receipts_buyer',
  `select coalesce(b.name, c.name) as name,
          case when b.id is null then c.company_name else b.company_name end as company_name,
          coalesce(b.email, c.email) as email,
          nullif(concat_ws(E'\\n', b.address, b.address_line_2, b.zip || ' ' || b.city,
                           b.state), '') as address,
          b.country
     from customers c
     left join lateral (
       select * from contacts k
        where k.customer_id = c.id and (k.default_billing or k.default_registrant)
        order by k.default_billing desc limit 1) b on true
    where c.id = :customer_id`,
  { not_null: ['name', 'email'] },
)
export type ReceiptBuyer = Row<'receipts_buyer'>
