// SQL of orders that need a person: parked ones, and those that ring.
import { statement } from '../../../db/statement.ts'
import { orderColumns } from '../orders/orders.sql.ts'

/** Oldest first, after the id $2; $1: also those that ring and are not parked. */
export const parkedOrders = statement(
  'orders_parked',
  `select ${orderColumns} from orders
    where closed_at is null and (state = 'parked' or ($1::boolean and alarm is not null))
      and id collate "C" > $2
    order by id collate "C" limit $3::int`,
)

export const anyOrderById = statement(
  'orders_of_anyone_by_id',
  `select ${orderColumns}, lease_until > clock_timestamp() as held from orders where id = $1`,
  { not_null: ['held'] },
)

/**
 * Takes an order that needs a person for $3 ms under the token $2: no job sends, reads or ends it
 * meanwhile. No row: it does not need one, or somebody works on it.
 */
export const takeParked = statement(
  'orders_take_parked',
  `update orders
      set lease_until = clock_timestamp() + $3::int * interval '1 millisecond', lease_token = $2
    where id = $1 and closed_at is null and (state = 'parked' or alarm is not null)
      and lease_until <= clock_timestamp()
   returning ${orderColumns}`,
)

/** Gives it back as it was. */
export const giveBackOrder = statement(
  'orders_give_back',
  `update orders set lease_until = clock_timestamp()
    where id = $1 and lease_token = $2 and closed_at is null`,
)

/** Who of our customers holds the name now. */
export const holderOfName = statement(
  'domains_holder_of_name',
  'select customer_id from domains where name = $1 and ended_at is null',
)
