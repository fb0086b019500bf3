// SQL of the answers to refreshes. Each is stored for a moment under the hash of the used token, so
// that another session of its program gets the same one (docs/decisions/0096).
import { statement } from '../../db/statement.ts'

export const refreshToken = 'RefreshToken'

/**
 * Stores an answer among the models of its grant, so that it ends with that, and is purged when it
 * has expired.
 */
export const keepRefreshAnswer = statement(
  'oauth_models_keep_answer',
  `insert into oauth_models (model, id_hash, payload, grant_id, client_id, account_id, expires_at)
   select 'RefreshAnswer', t.id_hash,
          jsonb_build_object('sealed', :sealed::text, 'successor', encode(:successor, 'hex')),
          t.grant_id, t.client_id, t.account_id,
          clock_timestamp() + :kept_s::int * interval '1 second'
     from oauth_models t where t.model = 'RefreshToken' and t.id_hash = :id_hash`,
)

/**
 * Finds an answer. There is no row if it has expired, or if the successor that it gave was used.
 */
export const findRefreshAnswer = statement(
  'oauth_models_answer_of_token',
  `select a.payload ->> 'sealed' as sealed
     from oauth_models a
     join oauth_models s on s.model = 'RefreshToken'
                        and s.id_hash = decode(a.payload ->> 'successor', 'hex')
    where a.model = 'RefreshAnswer' and a.id_hash = :id_hash
      and a.expires_at > clock_timestamp() and s.consumed_at is null`,
  { not_null: ['sealed'] },
)
