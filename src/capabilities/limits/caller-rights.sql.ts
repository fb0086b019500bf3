// SQL of the rights of a caller at this moment: its credential by its id, the account, and what
// the owner has decided about a domain and an approval since.
import { statement } from '../../db/statement.ts'

/** A caller that this transaction itself ends (a log-out) or rotates is there until it commits. */
const endedHere = (row: string) => `${row}.xmin = pg_current_xact_id_if_assigned()::xid`
const account = (c: string) => `(${c}.status <> 'closed' or ${endedHere(c)})`
const asked = `
          exists (select from domains d
                   where d.name = :domain::text and d.customer_id = c.id and d.ended_at is null
                     and d.protected) as protected,
          :approval_id::text is null
            or exists (select from approvals a
                        where a.id = :approval_id and a.customer_id = c.id and a.state = 'approved'
                          and a.expires_at > clock_timestamp()) as approved`
const options = {
  not_null: ['suspended', 'protected', 'approved'],
  nullable: ['domain', 'approval_id'],
} as const

export const rightsOfSession = statement(
  'rights_of_session',
  `select c.status = 'suspended' as suspended, ${asked}
     from sessions s join customers c on c.id = s.customer_id
    where s.id = :id and (session_stands(s, clock_timestamp()) or ${endedHere('s')})
      and ${account('c')}`,
  options,
)

/** A key that was rotated is not the one that was sent (null: the service makes the call). */
export const rightsOfKey = statement(
  'rights_of_key',
  `select c.status = 'suspended' as suspended, k.scopes, limits_of_access(k.id, null) as limits,
          ${asked}
     from api_keys k join customers c on c.id = k.customer_id
    where k.id = :id and (:key_hash::bytea is null or k.key_hash = :key_hash or ${endedHere('k')})
      and (key_stands(k, clock_timestamp()) or ${endedHere('k')})
      and ${account('c')}`,
  { ...options, nullable: [...options.nullable, 'key_hash'] },
)

export const rightsOfGrant = statement(
  'rights_of_grant',
  `select c.status = 'suspended' as suspended, g.scopes, limits_of_access(null, g.id) as limits,
          ${asked}
     from oauth_grants g join customers c on c.id = g.customer_id
    where g.id = :id and (g.revoked_at is null or ${endedHere('g')}) and ${account('c')}`,
  options,
)

/**
 * Returns a row if the operator's key has not ended, and neither has the session, if there is one.
 */
export const rightsOfOperator = statement(
  'rights_of_operator',
  `select k.id from operator_keys k
    where k.id = :key_id and (k.revoked_at is null or ${endedHere('k')})
      and (:session_id::bigint is null
           or exists (select from operator_sessions s
                       where s.id = :session_id and s.operator_key_id = k.id
                         and s.expires_at > clock_timestamp()
                         and (s.ended_at is null or ${endedHere('s')})))`,
  { nullable: ['session_id'] },
)
