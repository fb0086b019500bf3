// SQL of receipts: the evidence of one paid order.
import { statement } from '../../../db/statement.ts'

/** Its hold and its capture, each by its unique index. */
export const transfersOfOrder = statement(
  'ledger_transfers_of_order',
  `select id, phase from ledger_transfers where operation_id = :id and phase = 'pending'
   union all
   select id, phase from ledger_transfers
    where operation_id = :id and phase in ('post', 'void') and phase = 'post'`,
  { not_null: ['id', 'phase'] },
)

/** Its audit row with this result, which was made in the minute before `at`. */
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
