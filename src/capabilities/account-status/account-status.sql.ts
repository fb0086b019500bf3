// SQL of suspending and closing accounts.
import { statement } from '../../db/statement.ts'

/**
 * Locks the row until the transaction ends, also against rows that refer to it: an order or a
 * credit that is being written is committed before the account is looked at, or after its change.
 */
export const lockWholeCustomer = statement(
  'customers_lock_whole',
  'select status from customers where id = :id for update',
)

export const putStatus = statement(
  'customers_put_status',
  'update customers set status = :status, updated_at = :now where id = :id',
)

/** Counts everything that a closed account must not have, each kind in a column. */
export const readContents = statement(
  'customers_read_contents',
  `select (select count(*) from domains where customer_id = :id and ended_at is null) as domains,
          (select count(*) from orders where customer_id = :id and closed_at is null)
            as open_orders,
          (select count(*) from checkouts
            where customer_id = :id and status in ('created', 'awaiting_payment', 'confirming'))
            + (select count(*) from card_checkouts
                where customer_id = :id and status in ('opening', 'open', 'processing'))
            + (select count(*) from x402_authorizations
                where customer_id = :id and state in ('stored', 'submitted')) as open_top_ups,
          (select count(*) from checkouts c join checkout_payments p on p.checkout_id = c.id
            where c.customer_id = :id and p.treatment = 'parked')
            + (select count(*) from card_checkouts where customer_id = :id and status = 'parked')
            as parked_payments`,
  { not_null: ['domains', 'open_orders', 'open_top_ups', 'parked_payments'] },
)

export const readMoney = statement(
  'customers_read_money',
  `select a.currency, a.available, a.held, a.owed, r.reserved
     from ledger_accounts a
    cross join lateral (select ledger_reserved(a.customer_id, a.currency) as reserved) r
    where a.customer_id = :id
      and (a.available <> 0 or a.held <> 0 or a.owed <> 0 or r.reserved <> 0)
    order by a.currency`,
  { not_null: ['available', 'held', 'owed', 'reserved'] },
)
