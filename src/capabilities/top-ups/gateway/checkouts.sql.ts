// SQL of checkouts.
import { type Row, statement } from '../../../db/statement.ts'

const columns = `id, customer_id, gateway, amount, currency, status, expires_at, started_at, asset,
  network, decimals, is_pegged, required_confirmations, reference, pay_address, pay_amount,
  payment_uri, page_url, quote_units, quote_cents, watched_until, created_at, updated_at`

/** Locks until the transaction ends, which makes the count of `checkouts_insert` exact. */
export const lockOwner = statement(
  'checkouts_lock_owner',
  'select id from customers where id = :customer_id for no key update',
)

/** Returns no row if the customer already has that many open ones. */
export const insertTopUp = statement(
  'checkouts_insert',
  `insert into checkouts (id, customer_id, gateway, amount, currency, expires_at, settle_at)
   select :id, :customer_id, :gateway, :amount, :currency, :expires_at::timestamptz,
          :expires_at::timestamptz + interval '1 ms'
    where (select count(*) from (
             select from checkouts c
              where c.customer_id = :customer_id
                and c.status in ('created', 'awaiting_payment', 'confirming')
              limit :most_open::int) as open) < :most_open::int
   returning ${columns}`,
)
export type TopUpRow = Row<'checkouts_insert'>

export const topUpOfCustomer = statement(
  'checkouts_of_id',
  `select ${columns} from checkouts where id = :id and customer_id = :customer_id`,
)

export const checkoutById = statement(
  'checkouts_by_id',
  `select ${columns} from checkouts where id = :id`,
)

export const lockTopUp = statement(
  'checkouts_lock',
  `select ${columns} from checkouts where id = :id for no key update`,
)

/** The newest first, with ids below `before`. */
export const openCheckouts = statement(
  'checkouts_open',
  `select ${columns} from checkouts
    where customer_id = :customer_id and status in ('created', 'awaiting_payment', 'confirming')
      and id < :before
    order by id desc limit :limit`,
)

export const checkoutsOfStatus = statement(
  'checkouts_of_status',
  `select ${columns} from checkouts
    where customer_id = :customer_id and status = :status and id < :before
    order by id desc limit :limit`,
)

export const topUpsOfCustomer = statement(
  'checkouts_of_customer',
  `select ${columns} from checkouts
    where customer_id = :customer_id and id < :before order by id desc limit :limit`,
)

/** Starts only a checkout that has not started, so that a second start finds the first. */
export const startCheckout = statement(
  'checkouts_start',
  `update checkouts
      set status = 'awaiting_payment', started_at = :now::timestamptz, expires_at = :expires_at,
          settle_at = :expires_at::timestamptz + interval '1 ms', watched_until = :watched_until,
          look_at = :look_at, asset = :asset, network = :network, decimals = :decimals,
          is_pegged = :is_pegged, required_confirmations = :required_confirmations,
          reference = :reference, pay_address = :pay_address, pay_amount = :pay_amount,
          payment_uri = :payment_uri, page_url = :page_url, quote_units = :quote_units,
          quote_cents = :quote_cents, updated_at = clock_timestamp()
    where id = :id and status = 'created' and started_at is null
   returning ${columns}`,
  { nullable: ['page_url', 'look_at'] },
)

export const checkoutOfReference = statement(
  'checkouts_of_reference',
  'select id, customer_id from checkouts where gateway = :gateway and reference = :reference',
)

export const storeStatus = statement(
  'checkouts_store_status',
  `update checkouts
      set status = :status, settle_at = :settle_at::timestamptz,
          updated_at = case when status = :status then updated_at else clock_timestamp() end
    where id = :id and (status, settle_at) is distinct from (:status, :settle_at::timestamptz)`,
  { nullable: ['settle_at'] },
)

export const checkoutsToSettle = statement(
  'checkouts_to_settle',
  `select c.id,
          c.status = 'awaiting_payment' and c.expires_at < :now::timestamptz
            and not exists (select from checkout_payments p where p.checkout_id = c.id)
            as ends_unpaid
     from checkouts c where c.settle_at <= :now::timestamptz
    order by c.settle_at limit :limit`,
  { not_null: ['ends_unpaid'] },
)

export const settleLater = statement(
  'checkouts_settle_later',
  'update checkouts set settle_at = :settle_at where id = any (:ids::text[])',
)
