// SQL of corrections by operators: adjustments of balances, and refunds of orders.
import { statement } from '../../../db/statement.ts'

/** Serializes the calls of one correction, and of one order, until the transaction ends. */
export const lockCorrection = statement(
  'ledger_adjustments_lock',
  `select pg_advisory_xact_lock(hashtextextended(key, 0))
     from unnest(:keys::text[]) as keys (key) order by key`,
)

export const correctionOfId = statement(
  'ledger_adjustments_of_id',
  `select kind, customer_id, currency, amount, operation_id, transfer_id
     from ledger_adjustments where id = :id`,
)

/** An order, and how much of it is refunded. */
export const orderWithRefunds = statement(
  'orders_with_refunds',
  `select o.customer_id, o.currency, o.amount, o.state, o.domain,
          coalesce((select sum(a.amount) from ledger_adjustments a where a.operation_id = o.id), 0)
            ::bigint as refunded
     from orders o where o.id = :id`,
  { not_null: ['refunded'] },
)

export const postCorrection = statement(
  'ledger_adjust',
  `select ledger_adjust(
     :id::text, :customer_id::text, :currency::text, :amount::bigint,
     jsonb_build_object('kind', :kind::text, 'operation_id', :operation_id::text,
                        'description', :reason::text, 'reason', :reason::text)) as transfer_id`,
  { nullable: ['operation_id'], not_null: ['transfer_id'], writes: true },
)
