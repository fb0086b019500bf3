// SQL of clients that registered by themselves. One is unused while nobody ever consented to it and
// no authorization of it is under way.
import { statement } from '../db/statement.ts'

/** How many nobody ever consented to; $1 is as far as it counts. */
export const countUnused = statement(
  'oauth_clients_count_unused',
  `select count(*)::int as unused
     from (select from oauth_models c
            where c.model = 'Client'
              and not exists (select from oauth_grants g where g.client_id = c.client_id)
            limit $1::int) counted`,
  { not_null: ['unused'] },
)

/** Deletes the oldest unused ones, at most $2, that registered more than $1 seconds ago. */
export const purgeUnused = statement(
  'oauth_clients_purge_unused',
  `delete from oauth_models
    where (model, id_hash) in (
      select c.model, c.id_hash from oauth_models c
       where c.model = 'Client'
         and c.created_at < clock_timestamp() - $1::int * interval '1 second'
         and not exists (select from oauth_grants g where g.client_id = c.client_id)
         and not exists (
           select from oauth_models m
            where m.client_id = c.client_id and m.model <> 'Client'
              and m.expires_at > clock_timestamp())
         and not exists (
           select from oauth_models i
            where i.model = 'Interaction' and i.payload #>> '{params,client_id}' = c.client_id
              and i.expires_at > clock_timestamp())
       order by c.created_at limit $2::int for update of c skip locked)`,
)
