// SQL of the confirmations that changes of name servers wait for.
import { statement } from '../../../../db/statement.ts'

const columns = `n.change_id, n.domain_id, n.customer_id, n.state, n.reverts_at,
  n.before_nameservers, n.before_glue, n.after_nameservers, n.after_glue, n.api_key_id,
  n.oauth_grant_id, n.session_id, n.actor_type, n.actor_label, n.protected_since, n.locked_since,
  n.going_back_since, n.kept_because, n.created_at, d.name as domain`
const held = `join domains d on d.id = n.domain_id and d.customer_id = n.customer_id
                            and d.ended_at is null`

export const storeNameserverConfirmation = statement(
  'nameserver_confirmations_store',
  `insert into nameserver_confirmations (change_id, domain_id, customer_id, before_nameservers,
     before_glue, after_nameservers, after_glue, reverts_at, api_key_id, oauth_grant_id, session_id,
     actor_type, actor_label)
   values (:change_id, :domain_id, :customer_id, :before_nameservers, :before_glue,
           :after_nameservers, :after_glue, :reverts_at, :api_key_id, :oauth_grant_id, :session_id,
           :actor_type, :actor_label)
   on conflict (domain_id) where state = 'unconfirmed' do nothing`,
  { nullable: ['api_key_id', 'oauth_grant_id', 'session_id', 'actor_label'] },
)

export const nameserverConfirmation = statement(
  'nameserver_confirmations_by_id',
  `select ${columns} from nameserver_confirmations n ${held} where n.change_id = :change_id`,
)

/** The changes of a holding that wait for their confirmation, or for the owner to decide. */
export const undecidedNameservers = statement(
  'nameserver_confirmations_undecided',
  `select ${columns} from nameserver_confirmations n ${held}
    where n.domain_id = :domain_id and n.state in ('unconfirmed', 'kept')
      and n.kept_because is distinct from 'changed_since'
    order by n.created_at, n.change_id`,
)

/**
 * Runs right before the revert is sent, after which it is not confirmed. No row if it has ended.
 */
export const beginWayBack = statement(
  'nameserver_confirmations_go_back',
  `update nameserver_confirmations
      set going_back_since = coalesce(going_back_since, clock_timestamp())
    where change_id = :change_id and state = 'unconfirmed'
   returning protected_since, locked_since`,
)

/** Returns a row if it was in one of these states, and, where that counts, not being reverted. */
export const endNameserverConfirmation = statement(
  'nameserver_confirmations_end',
  `update nameserver_confirmations
      set state = :state, kept_because = coalesce(:kept_because, kept_because),
          going_back_since = null, ended_at = clock_timestamp()
    where change_id = :change_id and state = any (:from)
      and (:also_going_back or going_back_since is null)
   returning reverts_at`,
  { nullable: ['kept_because'] },
)

/** Deletes the confirmation of a change that never reached the registry. */
export const dropNameserverConfirmation = statement(
  'nameserver_confirmations_drop',
  `delete from nameserver_confirmations where change_id = :change_id and state = 'unconfirmed'`,
)

export const noteLockSince = statement(
  'nameserver_confirmations_note_lock',
  `update nameserver_confirmations set locked_since = true
    where domain_id = :domain_id and state = 'unconfirmed'`,
)

/** Deletes up to `limit` confirmations that ended before. */
export const purgeNameserverConfirmations = statement(
  'nameserver_confirmations_purge',
  `delete from nameserver_confirmations n
    where n.change_id in (select o.change_id from nameserver_confirmations o
                           where o.created_at < :before and o.state <> 'unconfirmed'
                           order by o.created_at limit :limit)`,
)
