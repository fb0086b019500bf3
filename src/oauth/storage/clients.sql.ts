// SQL of dynamically registered clients. A client is unused while it has never had a grant and no
// authorization of it is in progress.
import { statement } from '../../db/statement.ts'

// The condition that a client `c` is unused. A grant clears `registered_by`, and the index has only
// rows that have it.
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

/**
 * Inserts a client. `registered_by` is the address that registered it, as rate limits count
 * addresses.
 */
export const insertClient = statement(
  'oauth_clients_keep',
  `insert into oauth_models (model, client_id, id_hash, payload, registered_by)
   values ('Client', :client_id, :id_hash, :payload, :registered_by)`,
)

/** The number of clients that never had a grant, counted up to `limit`. */
export const countUnusedClients = statement(
  'oauth_clients_count_unused',
  `select count(*)::int as unused
     from (select from oauth_models c
            where c.model = 'Client' and c.registered_by is not null
              and not exists (select from oauth_grants g where g.client_id = c.client_id)
            limit :limit::int) counted`,
  { not_null: ['unused'] },
)

/**
 * Locks unused clients, at most `limit`, starting with the addresses that have most: those
 * registered more than `age_s` ago, and those of more than `surplus_age_s` ago whose address has
 * `address_quota` newer ones. Skips clients that an uncommitted use has locked.
 */
export const lockUnusedClients = statement(
  'oauth_clients_lock_unused',
  `with ranked as (
     select c.id_hash, c.created_at,
            row_number() over (partition by c.registered_by order by c.created_at desc) as place
       from oauth_models c where ${unused})
   select c.client_id
     from ranked r join oauth_models c on c.model = 'Client' and c.id_hash = r.id_hash
    where r.created_at < clock_timestamp() - :age_s::int * interval '1 second'
       or (r.place > :address_quota::int
           and r.created_at < clock_timestamp() - :surplus_age_s::int * interval '1 second')
    order by r.place desc, r.created_at limit :limit::int
      for update of c skip locked`,
)

/** Deletes those of the clients that are still unused. */
export const deleteUnusedClients = statement(
  'oauth_clients_delete_unused',
  `delete from oauth_models c where c.client_id = any (:client_ids::text[]) and ${unused}`,
)
