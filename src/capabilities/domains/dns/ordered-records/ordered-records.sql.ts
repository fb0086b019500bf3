// SQL of the records that a transfer in was ordered with, until it ends.
import { statement } from '../../../../db/statement.ts'

export const storeOrderedRecords = statement(
  'ordered_dns_records_store',
  `insert into ordered_dns_records (order_id, customer_id, change_id, actor_type, actor_label,
                                    entry_point, sets)
   values (:order_id, :customer_id, :change_id, :actor_type, :actor_label, :entry_point, :sets)`,
  { nullable: ['actor_label'] },
)

export const dropOrderedRecords = statement(
  'ordered_dns_records_drop',
  `delete from ordered_dns_records where order_id = :order_id`,
)

/** Deletes up to `limit` rows from before that no open order has. */
export const purgeOrderedRecords = statement(
  'ordered_dns_records_purge',
  `delete from ordered_dns_records where order_id = any (array(
     select r.order_id from ordered_dns_records r
      where r.created_at < :before
        and not exists (select from orders o where o.id = r.order_id and o.closed_at is null)
      order by r.created_at limit :limit))`,
)
