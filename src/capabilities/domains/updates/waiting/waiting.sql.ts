// SQL of changes of name servers that wait until the new ones serve the domain.
import { statement } from '../../../../db/statement.ts'

/** Stores a change, which replaces the earlier one of the holding. */
export const storeWaiting = statement(
  'waiting_nameservers_store',
  `insert into waiting_nameservers (domain_id, id, customer_id, nameservers, glue, api_key_id,
                                    oauth_grant_id, session_id, label, created_at, expires_at)
   select d.id, :id, d.customer_id, :nameservers::text[], :glue, :api_key_id, :oauth_grant_id,
          :session_id, :label, :created_at, :expires_at
     from domains d where d.id = :domain_id and d.customer_id = :customer_id and d.ended_at is null
   on conflict (domain_id) do update
     set id = excluded.id, customer_id = excluded.customer_id,
         nameservers = excluded.nameservers, glue = excluded.glue,
         api_key_id = excluded.api_key_id, oauth_grant_id = excluded.oauth_grant_id,
         session_id = excluded.session_id, label = excluded.label,
         created_at = excluded.created_at, expires_at = excluded.expires_at, checked_at = null
   returning id`,
  { nullable: ['api_key_id', 'oauth_grant_id', 'session_id', 'label'] },
)

const columns = `w.id, w.domain_id, w.customer_id, w.nameservers, w.glue, w.api_key_id,
                 w.oauth_grant_id, w.session_id, w.label, w.created_at, w.expires_at,
                 w.checked_at, d.name as domain`
const held = `from waiting_nameservers w
     join domains d on d.id = w.domain_id and d.customer_id = w.customer_id
                   and d.ended_at is null`

export const waitingById = statement(
  'waiting_nameservers_by_id',
  `select ${columns} ${held} where w.id = :id`,
)

export const waitingOfHolding = statement(
  'waiting_nameservers_of_holding',
  `select ${columns} ${held} where w.domain_id = :domain_id and w.customer_id = :customer_id`,
)

export const noteChecked = statement(
  'waiting_nameservers_note_checked',
  `update waiting_nameservers set checked_at = clock_timestamp() where id = :id`,
)

/** Returns a row if it was waiting. */
export const dropWaiting = statement(
  'waiting_nameservers_drop',
  `delete from waiting_nameservers where domain_id = :domain_id returning id`,
)

export const dropWaitingById = statement(
  'waiting_nameservers_drop_one',
  `delete from waiting_nameservers where id = :id returning id`,
)
