// SQL of signed DNS messages: the key that one names, and the requests of the last minutes.
import { type Row, statement } from '../../../../db/statement.ts'

/** A key of a holding that has not ended, with the facts on which its right depends now. */
export const activeTsigKey = statement(
  'tsig_keys_active',
  `select k.id, k.algorithm, k.sealed_secret, k.dns_hosts, k.dns_types, k.made_by, k.api_key_id,
          k.oauth_grant_id, k.customer_id, k.created_at, d.name as domain, d.protected,
          c.status = 'suspended' as suspended
     from tsig_keys k
     join domains d on d.id = k.domain_id and d.customer_id = k.customer_id and d.ended_at is null
     join customers c on c.id = k.customer_id and c.status <> 'closed'
    where k.id = :id and (k.expires_at is null or k.expires_at > clock_timestamp())
      and not maker_has_ended(k.api_key_id, k.oauth_grant_id)`,
  { not_null: ['suspended'] },
)
export type ActiveTsigKey = Row<'tsig_keys_active'>

/** Returns one row if the request is new. */
export const claimRequest = statement(
  'dns_signed_requests_claim',
  `insert into dns_signed_requests (tsig_key_id, mac, expires_at)
   values (:tsig_key_id, :mac, :expires_at) on conflict do nothing`,
)

export const earlierAnswer = statement(
  'dns_signed_requests_earlier',
  'select rcode from dns_signed_requests where tsig_key_id = :tsig_key_id and mac = :mac',
)

/** Keeps the first answer, and returns the kept one. */
export const keepAnswer = statement(
  'dns_signed_requests_answer',
  `update dns_signed_requests set rcode = coalesce(rcode, :rcode)
    where tsig_key_id = :tsig_key_id and mac = :mac
    returning rcode`,
  { not_null: ['rcode'] },
)

export const purgeRequests = statement(
  'dns_signed_requests_purge',
  `delete from dns_signed_requests
    where ctid = any (array(select ctid from dns_signed_requests
                             where expires_at < :now order by expires_at limit :limit))`,
)

export const isZoneHere = statement(
  'zones_is_here',
  'select exists (select from zones where name = :name) as is_here',
  { not_null: ['is_here'] },
)
