// SQL of the results of orders that their owners are notified of.
import { type Row, statement } from '../../../db/statement.ts'

/**
 * The order, if it ended and its owner was not notified. `was_answered`: the request itself
 * answered it.
 */
export const orderResult = statement(
  'orders_result',
  `select o.id, o.customer_id, o.type, o.domain, o.state, o.currency, o.amount, o.error_detail,
          o.attempts = 1 and o.state = 'failed'
            and o.error_code not in ('transfer_rejected', 'transfer_cancelled') as was_answered,
          (select d.expiry from domains d where d.name = o.domain and d.ended_at is null
              and d.customer_id = o.customer_id) as expiry
     from orders o
    where o.id = :id and o.closed_at is not null and o.notified_at is null`,
  { not_null: ['was_answered'] },
)
export type OrderResult = Row<'orders_result'>

/** No row: the owner was notified already. */
export const markNotified = statement(
  'orders_mark_notified',
  `update orders set notified_at = clock_timestamp()
    where id = :id and notified_at is null returning id`,
)
