// SQL of the confirmations that changes of records wait for.
import { statement } from '../../../../db/statement.ts'

export const storeConfirmation = statement(
  'dns_confirmations_store',
  `insert into dns_confirmations (change_id, domain_id, reverts_at, api_key_id, oauth_grant_id,
                                  session_id)
   values (:change_id, :domain_id, :reverts_at, :api_key_id, :oauth_grant_id, :session_id)`,
  { nullable: ['api_key_id', 'oauth_grant_id', 'session_id'] },
)

/**
 * The changes of a holding that wait for their confirmation, or for the owner to decide, oldest
 * first.
 */
export const openConfirmations = statement(
  'dns_confirmations_open',
  `select o.change_id, o.state, o.reverts_at, o.kept_because, c.sets, c.actor_type, c.actor_label
     from dns_confirmations o join dns_changes c on c.id = o.change_id
    where o.domain_id = :domain_id and o.state in ('unconfirmed', 'kept')
      and o.kept_because is distinct from 'changed_since'
    order by c.pos`,
)

/** The confirmation of a change, which does not change under the lock of the holding. */
export const confirmationOfChange = statement(
  'dns_confirmations_of_change',
  `select o.change_id, o.domain_id, o.state, o.reverts_at, o.api_key_id, o.oauth_grant_id,
          o.session_id, o.protected_since, o.created_at, c.sets, d.name as domain, d.customer_id
     from dns_confirmations o
     join dns_changes c on c.id = o.change_id
     join domains d on d.id = o.domain_id
    where o.change_id = :change_id and d.ended_at is null and c.customer_id = d.customer_id`,
)

/** Returns a row if the confirmation was in one of these states. */
export const endConfirmation = statement(
  'dns_confirmations_end',
  `update dns_confirmations
      set state = :state, kept_because = coalesce(:kept_because, kept_because),
          ended_at = clock_timestamp()
    where change_id = :change_id and state = any (:from)
   returning reverts_at`,
  { nullable: ['kept_because'] },
)

/** Stores the sets of a change as they are once it is confirmed. */
export const putChangedSets = statement(
  'dns_changes_put_sets',
  `update dns_changes set sets = :sets where id = :change_id`,
)

/**
 * The owner of a change that a session made, or no row if the account is closed. `new_password` is
 * whether the password was set since, which also ends all sessions.
 */
export const ownerOfChange = statement(
  'dns_confirmations_owner',
  `select c.status = 'suspended' as suspended,
          exists (select from passwords p where p.customer_id = c.id and p.changed_at > :since)
            as new_password,
          exists (select from domains d
                   where d.customer_id = c.id and d.name = :domain and d.ended_at is null
                     and d.protected) as protected
     from customers c where c.id = :customer_id and c.status <> 'closed'`,
  { not_null: ['suspended', 'new_password', 'protected'] },
)
