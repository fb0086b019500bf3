// SQL of receipts: the evidence of one paid order.
import { statement } from '../../../db/statement.ts'

/** Its hold and its capture. */
export const transfersOfOrder = statement(
  'ledger_transfers_of_order',
  `select id, phase, created_at from ledger_transfers
    where operation_id = :id and phase in ('pending', 'post') order by id`,
)

/** Its audit rows: where it was placed, and where it was settled. */
export const auditRowsOfOrder = statement(
  'audit_rows_of_order',
  `select id, result, row_hash from audit_logs
    where customer_id = :customer_id and target = :domain and metadata ->> 'order' = :id
      and created_at between :from::timestamptz - interval '1 hour'
                         and :until::timestamptz + interval '1 hour'
    order by id desc limit 20`,
)
