// SQL of dynamically registered clients. A client is unused while it has never had a grant and no
// authorization of it is in progress.
import { statement } from '../../db/statement.ts'

// Of `c`, a client. A grant clears `registered_by`; the index has only rows that have it.
const unused = `
  c.model = 'Client' and c.registered_by is not null
  and not exists (select from oauth_grants g where g.client_id = c.client_id)
  and not exists (
    select from oauth_models m
     where m.client_id = c.client_id and m.model <> 'Client'
       and m.expires_at > clock_timestamp())
  and not exists (
    select from oauth_models i
     where i.model = 'Interaction' and i.payload #>> '{params,client_id}' = c.client_id
       and i.expires_at > clock_timestamp())`

/** $4: the address that registered it, as rate limits count addresses. */
export const insertClient = statement(
  'oauth_clients_keep',
  `insert into oauth_models (model, client_id, id_hash, payload, registered_by)
   values ('Client', $1, $2, $3, $4)`,
)

/** The number of clients that never had a grant, counted up to $1. */
export const countUnusedClients = statement(
  'oauth_clients_count_unused',
  `select count(*)::int as unused
     from (select from oauth_models c
            where c.model = 'Client' and c.registered_by is not null
              and not exists (select from oauth_grants g where g.client_id = c.client_id)
            limit $1::int) counted`,
  { not_null: ['unused'] },
)

/**
 * Locks unused clients, at most $4, starting with the addresses that have most: those registered
 * more than $1 seconds ago, and those of more than $2 seconds ago whose address has $3 newer ones.
 * Skips clients that an uncommitted use has locked.
 */
export const lockUnusedClients = statement(
  'oauth_clients_lock_unused',
  `with ranked as (
     select c.id_hash, c.created_at,
            row_number() over (partition by c.registered_by order by c.created_at desc) as place
       from oauth_models c where ${unused})
   select c.client_id
     from ranked r join oauth_models c on c.model = 'Client' and c.id_hash = r.id_hash
    where r.created_at < clock_timestamp() - $1::int * interval '1 second'
       or (r.place > $3::int
           and r.created_at < clock_timestamp() - $2::int * interval '1 second')
    order by r.place desc, r.created_at limit $4::int
      for update of c skip locked`,
)

/** Deletes those of $1 that are still unused. */
export const deleteUnusedClients = statement(
  'oauth_clients_delete_unused',
  `delete from oauth_models c where c.client_id = any ($1::text[]) and ${unused}`,
)
