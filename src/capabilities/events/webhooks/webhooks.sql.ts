// SQL of webhooks: endpoints of customers, and the deliveries to each.
import { type Row, statement } from '../../../db/statement.ts'

/**
 * The reason is `maker_ended`, whatever else applies, if the key or the app that made it has ended.
 */
const disabledBecause = `case when maker_has_ended(w.api_key_id, w.oauth_grant_id)
  then 'maker_ended' else w.disabled_because end as disabled_because`

const columns = `w.id, w.customer_id, w.url, w.types, w.description, ${disabledBecause},
  w.failing_since, w.previous_until, w.created_at, w.updated_at, w.made_by, w.api_key_id,
  w.oauth_grant_id`

const nullable = ['description', 'disabled_because', 'failing_since', 'made_by']
const nullableMaker = ['api_key_id', 'oauth_grant_id']

/** Keeps the number of webhooks of a customer from growing between a count and an insert. */
export const lockOwner = statement(
  'webhooks_lock_owner',
  'select id from customers where id = :customer_id for no key update',
)

export const countWebhooks = statement(
  'webhooks_count',
  'select count(*) as made from webhooks where customer_id = :customer_id',
  { not_null: ['made'] },
)

export const insertWebhook = statement(
  'webhooks_insert',
  `insert into webhooks as w (id, customer_id, url, types, description, sealed_secret, made_by,
     api_key_id, oauth_grant_id)
   values (:id, :customer_id, :url, :types, :description, :sealed_secret, :made_by, :api_key_id,
           :oauth_grant_id)
   returning ${columns}`,
  { nullable: ['description', ...nullableMaker] },
)
export type WebhookRow = Row<'webhooks_insert'>

export const webhooksOfCustomer = statement(
  'webhooks_of_customer',
  `select ${columns} from webhooks w where w.customer_id = :customer_id order by w.id`,
)

export const webhookById = statement(
  'webhooks_by_id',
  `select ${columns} from webhooks w where w.id = :id and w.customer_id = :customer_id`,
)

/** `maker_chain` is the key that made it and the keys above; `maker_client` is the app. */
export const lockWebhook = statement(
  'webhooks_lock',
  `select ${columns},
          (select k.ancestors || k.id from api_keys k where k.id = w.api_key_id) as maker_chain,
          (select g.client_id from oauth_grants g
            where g.id = coalesce(w.oauth_grant_id, (select k.oauth_grant_id from api_keys k
                                                      where k.id = w.api_key_id))) as maker_client
     from webhooks w where w.id = :id and w.customer_id = :customer_id for update of w`,
)
export type LockedWebhook = Row<'webhooks_lock'>

export const changeWebhook = statement(
  'webhooks_change',
  `update webhooks w
      set url = :url, types = :types, description = :description,
          disabled_because = case when :disabled_because = 'maker_ended' then w.disabled_because
                                  else :disabled_because end,
          failing_since = :failing_since, made_by = :made_by, api_key_id = :api_key_id,
          oauth_grant_id = :oauth_grant_id, updated_at = clock_timestamp()
    where w.id = :id and w.customer_id = :customer_id
   returning ${columns}`,
  { nullable: [...nullable, ...nullableMaker] },
)

export const deleteWebhook = statement(
  'webhooks_delete',
  'delete from webhooks where id = :id and customer_id = :customer_id returning url',
)

/** Deletes at most one, to make place for another. */
export const deleteEndedWebhook = statement(
  'webhooks_delete_ended',
  `delete from webhooks
    where id = (select w.id from webhooks w
                 where w.customer_id = :customer_id
                   and maker_has_ended(w.api_key_id, w.oauth_grant_id)
                 order by w.id limit 1)`,
)

/** The old secret signs until `previous_until`, too, and those before it for the rest of a day. */
export const rotateSecret = statement(
  'webhooks_rotate_secret',
  `with earlier as (
     insert into webhook_secrets (webhook_id, sealed, signs_until)
     select id, sealed_previous_secret, previous_until from webhooks
      where id = :id and customer_id = :customer_id and previous_until > :now
   )
   update webhooks w
      set sealed_previous_secret = sealed_secret, previous_until = :previous_until,
          sealed_secret = :sealed_secret, updated_at = clock_timestamp()
    where w.id = :id and w.customer_id = :customer_id
   returning ${columns}`,
)

/**
 * The present rights of the key or the app that made it. Null for the owner's webhook, which has
 * all.
 */
const makersRights = `coalesce((select k.scopes from api_keys k where k.id = w.api_key_id),
                              (select g.scopes from oauth_grants g where g.id = w.oauth_grant_id)
          ) as maker_scopes, limits_of_access(w.api_key_id, w.oauth_grant_id) as maker_limits`

/** Endpoints that events of these customers are sent to. */
export const webhooksOfCustomers = statement(
  'webhooks_of_customers',
  `select w.id, w.customer_id, w.types, ${makersRights} from webhooks w
    where w.customer_id = any (:customers::text[]) and w.disabled_because is null
      and not maker_has_ended(w.api_key_id, w.oauth_grant_id)
      and (select status from customers c where c.id = w.customer_id) <> 'closed'
    order by w.id`,
)

export const insertDeliveries = statement(
  'webhook_deliveries_insert',
  `insert into webhook_deliveries
     (id, webhook_id, customer_id, event_id, event_type, pos, state, next_at, created_at)
   select d.id, d.webhook_id, d.customer_id, d.event_id, d.event_type, d.pos, 'pending',
          d.created_at, d.created_at
     from jsonb_to_recordset(:deliveries::jsonb)
       as d (id text, webhook_id text, customer_id text, event_id text, event_type text,
             pos bigint, created_at timestamptz)`,
)

export const notifyDeliveries = statement(
  'webhook_deliveries_notify',
  `select pg_notify('webhook_deliveries', '')::text as notified`,
  { writes: true },
)

/**
 * An endpoint as its sender needs it, or no row if it is deleted or disabled. `sealed_earlier` are
 * the newest secrets before the previous one that still sign.
 */
export const webhookToSend = statement(
  'webhooks_to_send',
  `select w.id, w.customer_id, w.url, w.sealed_secret, w.sealed_previous_secret, w.previous_until,
          maker_has_ended(w.api_key_id, w.oauth_grant_id) as maker_ended, ${makersRights},
          array(select s.sealed from webhook_secrets s
                 where s.webhook_id = w.id and s.signs_until > :now
                 order by s.signs_until desc limit 18) as sealed_earlier
     from webhooks w where w.id = :id and w.disabled_because is null`,
  { not_null: ['maker_ended', 'sealed_earlier'] },
)
export type SendingWebhook = Row<'webhooks_to_send'>

/**
 * The first delivery that is due, and whether an earlier one holds it back: one that failed first
 * less than `held_ms` ago. `wait_ms` is the time until the next one is due or the hold is over, or
 * null if none is pending.
 */
export const nextDelivery = statement(
  'webhook_deliveries_next',
  `with pending as materialized (
     select id, pos, next_at, first_failed_at from webhook_deliveries
      where webhook_id = :webhook_id and state = 'pending' order by pos limit 1000
   ), due as (
     select id, pos from pending where next_at <= :now order by pos limit 1
   ), holding as (
     select p.first_failed_at + :held_ms::int * interval '1 millisecond' as until
       from pending p join due on p.pos < due.pos
      where p.first_failed_at > :now::timestamptz - :held_ms::int * interval '1 millisecond')
   select (select id from due) as due_id, exists (select from holding) as is_held,
          (extract(epoch from least(
             (select min(next_at) from pending where next_at > :now),
             (select max(until) from holding)) - :now::timestamptz) * 1000)::float8 as wait_ms,
          exists (select from pending) as any_pending`,
  { not_null: ['is_held', 'any_pending'] },
)

export const deliveryToSend = statement(
  'webhook_deliveries_to_send',
  `select d.id, d.attempts, d.first_failed_at, e.id as event_id, e.pos, e.customer_id, e.type,
          e.audit_log_id, e.subject_type, e.subject_id, e.data, e.created_at
     from webhook_deliveries d join events e on e.id = d.event_id
    where d.id = :id and d.state = 'pending'`,
)

/** Stores the result of an attempt. `next_at` is the time of the next one, if it is pending. */
export const recordAttempt = statement(
  'webhook_deliveries_record',
  `update webhook_deliveries
      set state = :state, attempts = attempts + 1, next_at = :next_at, last_attempt_at = :now,
          first_failed_at = case when :state = 'delivered' then first_failed_at
                                 else coalesce(first_failed_at, :now) end,
          last_status = :last_status, last_error = :last_error, duration_ms = :duration_ms
    where id = :id and state = 'pending'
   returning attempts`,
  { nullable: ['last_status', 'last_error'] },
)

export const endUndeliverable = statement(
  'webhook_deliveries_end',
  `update webhook_deliveries set state = 'failed', last_error = :last_error
    where id = :id and state = 'pending'`,
)

export const noteSuccess = statement(
  'webhooks_note_success',
  'update webhooks set failing_since = null where id = :id and failing_since is not null',
)

export const noteFailure = statement(
  'webhooks_note_failure',
  `update webhooks set failing_since = coalesce(failing_since, :now) where id = :id
   returning failing_since`,
)

/** Returns no row if it is disabled already. */
export const disableWebhook = statement(
  'webhooks_disable',
  `update webhooks set disabled_because = :because, updated_at = clock_timestamp()
    where id = :id and disabled_because is null
   returning url, customer_id`,
)

export const failPending = statement(
  'webhook_deliveries_fail_pending',
  `update webhook_deliveries set state = 'failed', last_error = :last_error
    where webhook_id = :webhook_id and state = 'pending'`,
)

const shown = `id, webhook_id, event_id, event_type, state, attempts, next_at, last_attempt_at,
  last_status, last_error, duration_ms, created_at`

export const deliveriesOfWebhook = statement(
  'webhook_deliveries_of_webhook',
  `select ${shown} from webhook_deliveries
    where webhook_id = :webhook_id and id < :before
    order by id desc limit :limit::int`,
)
export type DeliveryRow = Row<'webhook_deliveries_of_webhook'>

export const deliveriesOfState = statement(
  'webhook_deliveries_of_state',
  `select ${shown} from webhook_deliveries
    where webhook_id = :webhook_id and state = :state and id < :before
    order by id desc limit :limit::int`,
)

/** Sends it again from the first attempt, whatever its state. */
export const redeliver = statement(
  'webhook_deliveries_redeliver',
  `update webhook_deliveries
      set state = 'pending', attempts = 0, next_at = :now, first_failed_at = null
    where id = :id and webhook_id = :webhook_id
   returning ${shown}`,
)

/**
 * Deliveries of every customer that were given up, newest first, without those of webhooks that
 * were deleted since.
 */
export const failedDeliveries = statement(
  'webhook_deliveries_failed',
  `select d.id, d.webhook_id, d.customer_id, c.name, w.url, ${disabledBecause}, d.event_id,
          d.event_type, d.attempts, d.last_attempt_at, d.last_status, d.last_error, d.created_at
     from webhook_deliveries d
     join webhooks w on w.id = d.webhook_id join customers c on c.id = d.customer_id
    where d.state = 'failed' and d.id < :before
    order by d.id desc limit :limit::int`,
)
export type FailedDeliveryRow = Row<'webhook_deliveries_failed'>

export const failedDelivery = statement(
  'webhook_deliveries_failed_by_id',
  `select d.webhook_id, d.customer_id, ${disabledBecause}
     from webhook_deliveries d join webhooks w on w.id = d.webhook_id
    where d.id = :id and d.state = 'failed'`,
)

/** Endpoints with deliveries that no task of theirs would send: it ended as a dead letter. */
export const webhooksWithoutTask = statement(
  'webhooks_without_task',
  `select w.id from webhooks w
    where w.disabled_because is null and not maker_has_ended(w.api_key_id, w.oauth_grant_id)
      and exists (select from webhook_deliveries d
                   where d.webhook_id = w.id and d.state = 'pending')
      and not exists (select from tasks t
                       where t.kind = 'deliver_webhook' and t.key = w.id and t.dead_at is null)
    limit :limit::int`,
)

/** Deletes up to `limit` deliveries before a time, the oldest first. */
export const purgeDeliveries = statement(
  'webhook_deliveries_purge',
  `delete from webhook_deliveries
    where id = any (array(
      select id from webhook_deliveries where id < partition_bound(:before, 'dlv') order by id
       limit :limit::int))`,
)
