// SQL of the ends of orders that owners are told of.
import { statement } from '../../../db/statement.ts'

/**
 * Up to $1 orders that ended and whose owner was not told, oldest first: transfers, restores, and
 * automatic renewals (the condition of the index orders_to_tell). `told_before`: what the request
 * itself answered.
 */
export const endsToTell = statement(
  'orders_to_tell',
  `select o.id, o.customer_id, o.type, o.domain, o.state, o.currency, o.amount, o.error_detail,
          o.attempts = 1 and o.state = 'failed'
            and o.error_code not in ('transfer_rejected', 'transfer_cancelled') as told_before,
          (select d.expiry from domains d where d.name = o.domain and d.ended_at is null
              and d.customer_id = o.customer_id) as expiry
     from orders o
    where o.closed_at is not null and o.told_at is null
      and (o.tell_again_at is null or o.tell_again_at <= clock_timestamp())
      and (o.type in ('transfer', 'restore')
           or o.type = 'renew' and o.command->>'automatic' = 'true')
    order by o.closed_at limit $1`,
  { not_null: ['told_before'] },
)

/** It could not be told; others come first for $2 ms. */
export const tellLater = statement(
  'orders_tell_later',
  `update orders set tell_again_at = clock_timestamp() + $2::int * interval '1 millisecond'
    where id = $1 and told_at is null`,
)

/** No row: somebody else told it. */
export const markTold = statement(
  'orders_mark_told',
  `update orders set told_at = clock_timestamp() where id = $1 and told_at is null returning id`,
)
