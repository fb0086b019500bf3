// SQL of TSIG keys: the secrets of DNS updates of a holding.
import { type Row, statement } from '../../../../db/statement.ts'

const columns = `k.id, k.algorithm, k.dns_hosts, k.dns_types, k.made_by, k.api_key_id,
  k.oauth_grant_id, k.expires_at, k.created_at,
  maker_has_ended(k.api_key_id, k.oauth_grant_id) as maker_ended`

/** The keys of a holding whose account is still that of the key, oldest first. */
export const tsigKeysOfDomain = statement(
  'tsig_keys_of_domain',
  `select ${columns} from tsig_keys k join domains d on d.id = k.domain_id
    where k.domain_id = :domain_id and k.customer_id = :customer_id
      and d.customer_id = k.customer_id and d.ended_at is null
    order by k.id`,
  { not_null: ['maker_ended'] },
)
export type TsigKeyRow = Row<'tsig_keys_of_domain'>

export const insertTsigKey = statement(
  'tsig_keys_insert',
  `insert into tsig_keys as k (id, domain_id, customer_id, algorithm, sealed_secret, dns_hosts,
     dns_types, made_by, api_key_id, oauth_grant_id, expires_at, created_at)
   values (:id, :domain_id, :customer_id, :algorithm, :sealed_secret, :dns_hosts, :dns_types,
           :made_by, :api_key_id, :oauth_grant_id, :expires_at, :created_at)
   returning ${columns}`,
  {
    nullable: ['dns_hosts', 'dns_types', 'api_key_id', 'oauth_grant_id', 'expires_at'],
    not_null: ['maker_ended'],
  },
)

export const deleteTsigKeyRow = statement(
  'tsig_keys_delete',
  `delete from tsig_keys
    where id = :id and domain_id = :domain_id and customer_id = :customer_id`,
)

/** Deletes the oldest key that has expired or ended with its maker, to make room for another. */
export const deleteEndedTsigKey = statement(
  'tsig_keys_delete_ended',
  `delete from tsig_keys
    where id = (select k.id from tsig_keys k
                 where k.domain_id = :domain_id
                   and (k.expires_at <= :now or k.customer_id <> :customer_id
                        or maker_has_ended(k.api_key_id, k.oauth_grant_id))
                 order by k.id limit 1)`,
)

export const countTsigKeys = statement(
  'tsig_keys_count',
  'select count(*) as made from tsig_keys where domain_id = :domain_id',
  { not_null: ['made'] },
)
