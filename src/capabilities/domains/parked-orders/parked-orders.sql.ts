// SQL of orders that need an operator: parked ones, and those with an alarm.
import { leaseEnd, statement } from '../../../db/statement.ts'
import { orderColumns } from '../orders/orders.sql.ts'

/**
 * Parked orders, oldest first, after the id `after`; with `with_alarms` also other orders with an
 * alarm.
 */
export const parkedOrders = statement(
  'orders_parked',
  `select ${orderColumns} from orders
    where closed_at is null and (state = 'parked' or (:with_alarms::boolean and alarm is not null))
      and id collate "C" > :after
    order by id collate "C" limit :limit::int`,
)

export const anyOrderById = statement(
  'orders_of_anyone_by_id',
  `select ${orderColumns}, lease_until > clock_timestamp() as held from orders where id = :id`,
  { not_null: ['held'] },
)

/**
 * Leases an order that needs manual review, so that no job sends, reads or ends it meanwhile.
 * Returns no row if it does not need a review, or if a worker has it.
 */
export const takeParked = statement(
  'orders_take_parked',
  `update orders
      set lease_until = ${leaseEnd},
          lease_token = :lease_token
    where id = :id and closed_at is null and (state = 'parked' or alarm is not null)
      and lease_until <= clock_timestamp()
   returning ${orderColumns}`,
)

/** Gives the lease back; the order is unchanged. */
export const giveBackOrder = statement(
  'orders_give_back',
  `update orders set lease_until = clock_timestamp()
    where id = :id and lease_token = :lease_token and closed_at is null`,
)

/** The customer that holds the name now. */
export const holderOfName = statement(
  'domains_holder_of_name',
  'select customer_id from domains where name = :name and ended_at is null',
)
