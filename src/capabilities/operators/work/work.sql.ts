// SQL of the operators' daily work: the items that wait for one of them.
import { statement } from '../../../db/statement.ts'

export const countWork = statement(
  'operator_work_count',
  `select (select count(*)::int from orders where closed_at is null and state = 'parked')
            as parked_orders,
          (select count(*)::int from orders
            where closed_at is null and state <> 'parked' and alarm is not null) as alarmed_orders,
          (select count(*)::int from checkout_payments where treatment = 'parked')
            as parked_payments,
          (select count(*)::int from card_checkouts where status = 'parked')
            as parked_card_checkouts,
          (select count(*)::int from card_readings where parked_cents <> settled_cents)
            as parked_card_reversals,
          (select count(*)::int from support_threads where waiting_since is not null)
            as waiting_threads,
          (select count(*)::int from orders where closed_at is null) as open_holds,
          (select count(*)::int from mails where state = 'failed' and ended_at is not null)
            as failed_mails,
          (select count(*)::int from tasks_dead where kind <> 'send_mail')
            as dead_tasks,
          (select count(*)::int from webhook_deliveries d
            where d.state = 'failed' and exists (select from webhooks w where w.id = d.webhook_id))
            as failed_webhook_deliveries`,
  {
    not_null: [
      'parked_orders',
      'alarmed_orders',
      'parked_payments',
      'parked_card_checkouts',
      'parked_card_reversals',
      'waiting_threads',
      'open_holds',
      'failed_mails',
      'dead_tasks',
      'failed_webhook_deliveries',
    ],
  },
)

/** The money of closed accounts, for example from payments that came late. */
export const closedWithMoney = statement(
  'operator_work_closed_with_money',
  `select c.id as customer_id, a.currency, a.available, a.held
     from customers c join ledger_accounts a on a.customer_id = c.id
    where c.status = 'closed' and (a.available > 0 or a.held > 0)
    order by c.id, a.currency limit 100`,
  { not_null: ['available', 'held'] },
)

/** Every open order has one hold. */
export const openHolds = statement(
  'orders_open_holds',
  `select id, customer_id, type, domain, registry, state, currency, amount, attempts, alarm,
          created_at
     from orders where closed_at is null and id > :after order by id limit :limit::int`,
)

/** The newest first, below an id. `text` states whether it can be sent again. */
export const failedMails = statement(
  'mails_list_failed',
  `select m.id, m.customer_id, m.kind, m.recipient, m.subject, m.created_at, m.ended_at,
          m.body is not null as text, t.last_error
     from mails m left join tasks t on t.kind = 'send_mail' and t.key = m.id
    where m.state = 'failed' and m.ended_at is not null and m.id < :before
    order by m.id desc limit :limit::int`,
  { not_null: ['id', 'kind', 'recipient', 'subject', 'created_at', 'text', 'ended_at'] },
)

/** Newest first, below an id. Mails have a list of their own. */
export const deadTasks = statement(
  'tasks_list_dead',
  `select id, kind, key, bulkhead, attempts, last_error, created_at, dead_at
     from tasks_dead
    where kind <> 'send_mail' and id < coalesce(:before::bigint, 9223372036854775807)
    order by id desc limit :limit::int`,
  {
    nullable: ['before'],
    not_null: ['id', 'kind', 'key', 'bulkhead', 'attempts', 'created_at', 'dead_at'],
  },
)

/** Makes it due at once, as if it had never been tried. Returns no row if it is not dead. */
export const reviveTask = statement(
  'tasks_revive',
  `update tasks
      set dead_at = null, attempts = 0, lost_leases = 0, lease_until = null, lease_token = null,
          run_at = least(run_at, clock_timestamp())
    where id = :id and dead_at is not null and kind <> 'send_mail'
   returning kind, key`,
)
