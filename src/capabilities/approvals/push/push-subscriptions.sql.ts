// SQL of web push: the browsers of owners that get one.
import { type Row, statement } from '../../../db/statement.ts'

const columns = 'id, session_id, service, agent, created_at, last_sent_at'

/** The subscriptions that accept messages signed with our key. */
export const pushSubscriptions = statement(
  'push_subscriptions_of_customer',
  `select ${columns} from push_subscriptions
    where customer_id = :customer_id and public_key = :public_key
    order by id desc limit :limit::int`,
)
export type PushSubscriptionRow = Row<'push_subscriptions_of_customer'>

/** Ends the oldest, so that `keep` others stay beside the browser of `endpoint_hash`. */
export const endOldestSubscriptions = statement(
  'push_subscriptions_end_oldest',
  `delete from push_subscriptions
    where id in (
      select id from push_subscriptions
       where customer_id = :customer_id and endpoint_hash <> :endpoint_hash
       order by id desc offset :keep::int)`,
)

const isSame = 'p.customer_id = excluded.customer_id'

/**
 * A known browser keeps its id, and gets the session and keys of this call. A browser of another
 * account becomes one of this account, under a new id. There is no row if the session has ended
 * meanwhile. Its row is locked, so that its end finds the subscription.
 */
export const putSubscription = statement(
  'push_subscriptions_put',
  `with live as (
     select id from sessions where id = :session_id and ended_at is null for share
   )
   insert into push_subscriptions as p
     (id, customer_id, session_id, sealed, endpoint_hash, service, public_key, agent, created_at)
   select :id, :customer_id, live.id, :sealed, :endpoint_hash, :service, :public_key, :agent,
          :created_at
     from live
   on conflict (endpoint_hash) do update
      set id = case when ${isSame} then p.id else excluded.id end,
          created_at = case when ${isSame} then p.created_at else excluded.created_at end,
          last_sent_at = case when ${isSame} then p.last_sent_at end,
          customer_id = excluded.customer_id, session_id = excluded.session_id,
          sealed = excluded.sealed, public_key = excluded.public_key, agent = excluded.agent
   returning ${columns}`,
)

export const deleteSubscription = statement(
  'push_subscriptions_delete',
  'delete from push_subscriptions where id = :id and customer_id = :customer_id returning service',
)

/** Returns no row if it has ended. */
export const subscriptionToSend = statement(
  'push_subscriptions_to_send',
  'select sealed, public_key from push_subscriptions where id = :id',
)

export const noteSent = statement(
  'push_subscriptions_note_sent',
  'update push_subscriptions set last_sent_at = :sent_at where id = :id',
)

/** Called when the push service says that it has ended. */
export const endSubscription = statement(
  'push_subscriptions_end',
  'delete from push_subscriptions where id = :id',
)
