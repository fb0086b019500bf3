// SQL of operators' sessions.
import { statement } from '../../../db/statement.ts'

/**
 * Returns no row if the key is unknown or revoked. Locks the key, so that its end finds this
 * session.
 */
export const insertOperatorSession = statement(
  'operator_sessions_insert',
  `with used as (
     select id, label from operator_keys
      where key_hash = :key_hash and revoked_at is null for share
   ), begun as (
     insert into operator_sessions
       (operator_key_id, token_hash, created_at, last_used_at, expires_at, agent, address)
     select id, :token_hash, :now, :now, :expires_at, :agent, :address from used
     returning id, operator_key_id
   )
   select begun.id, begun.operator_key_id, used.label from begun cross join used`,
)

export const operatorSessionOfHash = statement(
  'operator_sessions_of_hash',
  `select s.id, s.operator_key_id, s.last_used_at, s.expires_at, k.label
     from operator_sessions s join operator_keys k on k.id = s.operator_key_id
    where s.token_hash = :token_hash and s.ended_at is null and k.revoked_at is null`,
)

export const noteSessionUse = statement(
  'operator_sessions_note_use',
  `update operator_sessions set last_used_at = :now
    where id = :id and ended_at is null and last_used_at < :now`,
)

export const operatorSessionById = statement(
  'operator_sessions_by_id',
  'select created_at, last_used_at, expires_at from operator_sessions where id = :id',
)

export const endOperatorSession = statement(
  'operator_sessions_end',
  'update operator_sessions set ended_at = :ended_at where id = :id and ended_at is null',
)
