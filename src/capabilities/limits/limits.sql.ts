// SQL of the limits of API keys and connected apps.
import { type Row, statement } from '../../db/statement.ts'

const columns = `l.id, l.api_key_id, l.oauth_client_id, l.spend_amount, l.spend_currency,
  l.spend_window, limit_spent(l, clock_timestamp()) as spent, l.price_amount, l.price_currency,
  l.approval_amount, l.approval_currency, l.outside_allowed, l.allowed_tlds,
  l.allowed_domains, l.allowed_ips, l.dns_hosts, l.dns_types, l.dns_in_person`
const names = `k.name as key_name, k.expires_at,
  (select g.client_name from oauth_grants g
    where g.customer_id = l.customer_id and g.client_id = l.oauth_client_id
    order by g.created_at desc limit 1) as client_name`
const nameless = 'null as key_name, null::timestamptz as expires_at, null as client_name'

/** The limits of a caller: those of its key, then those of the key's ancestors and of the app. */
export const limitsOfCaller = statement(
  'limits_of_caller',
  `select ${columns}, ${names}
     from limits_of_caller(:api_key_id, :oauth_grant_id) l
     left join api_keys k on k.id = l.api_key_id
    order by l.api_key_id desc nulls last`,
  { not_null: ['id', 'spent'], nullable: ['api_key_id', 'oauth_grant_id'] },
)

/** As limits_of_caller, with the rule of each that stands against a purchase at this price. */
export const limitsAgainst = statement(
  'limits_against',
  `select ${columns}, ${names},
          limit_refusal(l, :amount, :currency, limit_spent(l, clock_timestamp()),
                        :approved) as refused
     from limits_of_caller(:api_key_id, :oauth_grant_id) l
     left join api_keys k on k.id = l.api_key_id
    order by refused nulls last, l.approval_amount, l.api_key_id desc nulls last`,
  { not_null: ['id', 'spent'], nullable: ['api_key_id', 'oauth_grant_id'] },
)

/** The limits of a customer's keys that have not ended, and of connected apps. */
export const limitsOfCustomer = statement(
  'limits_of_customer',
  `select ${columns}, ${names}
     from access_limits l
     left join api_keys k on k.id = l.api_key_id
    where l.customer_id = :customer_id and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > clock_timestamp())
      and (l.oauth_client_id is null
           or exists (select from oauth_grants g
                       where g.customer_id = l.customer_id and g.client_id = l.oauth_client_id
                         and g.revoked_at is null))
    order by l.id desc`,
  { not_null: ['id', 'spent'] },
)
export type LimitsRow = Row<'limits_of_customer'>

/** The limits of these keys of a customer, including ended ones. */
export const limitsOfKeys = statement(
  'limits_of_keys',
  `select ${columns}, ${nameless} from access_limits l
    where l.customer_id = :customer_id and l.api_key_id = any (:ids::bigint[])`,
  { not_null: ['id', 'spent'] },
)

/** The limits of these apps of a customer, including disconnected ones. */
export const limitsOfApps = statement(
  'limits_of_apps',
  `select ${columns}, ${nameless} from access_limits l
    where l.customer_id = :customer_id and l.oauth_client_id = any (:ids::text[])`,
  { not_null: ['id', 'spent'] },
)

/** The limits of one key or one app alone. */
export const limitsOfOne = statement(
  'limits_of_one',
  `select ${columns}, ${nameless}
     from access_limits l
    where l.customer_id = :customer_id
      and (l.api_key_id = :api_key_id or l.oauth_client_id = :oauth_client_id)`,
  { not_null: ['id', 'spent'], nullable: ['api_key_id', 'oauth_client_id'] },
)

export const lockLimits = statement('limits_lock', 'select limits_lock(:customer_id) as locked', {
  writes: true,
})

/**
 * Two consents to one app at the same time: the later one sets the spending limit and that of DNS
 * records, where it has them.
 */
export const insertLimits = statement(
  'limits_insert',
  `insert into access_limits
     (customer_id, api_key_id, oauth_client_id, spend_amount, spend_currency, spend_window,
      price_amount, price_currency, approval_amount, approval_currency, outside_allowed,
      allowed_tlds, allowed_domains, allowed_ips, dns_hosts, dns_types, dns_in_person,
      created_at, updated_at)
   values (:customer_id, :api_key_id, :oauth_client_id, :spend_amount, :spend_currency,
           :spend_window, :price_amount, :price_currency, :approval_amount, :approval_currency,
           :outside_allowed, :allowed_tlds, :allowed_domains, :allowed_ips, :dns_hosts,
           :dns_types, :dns_in_person, :now, :now)
   on conflict (customer_id, oauth_client_id) do update
      set spend_amount = coalesce(excluded.spend_amount, access_limits.spend_amount),
          spend_currency = coalesce(excluded.spend_currency, access_limits.spend_currency),
          spend_window = coalesce(excluded.spend_window, access_limits.spend_window),
          dns_hosts = case when excluded.dns_in_person is null then access_limits.dns_hosts
                      else excluded.dns_hosts end,
          dns_types = case when excluded.dns_in_person is null then access_limits.dns_types
                      else excluded.dns_types end,
          dns_in_person = coalesce(excluded.dns_in_person, access_limits.dns_in_person),
          updated_at = excluded.updated_at
   returning id`,
  {
    nullable: [
      ...['api_key_id', 'oauth_client_id', 'spend_amount', 'spend_currency', 'spend_window'],
      ...['price_amount', 'price_currency', 'allowed_tlds', 'allowed_domains', 'allowed_ips'],
      ...['approval_amount', 'approval_currency', 'outside_allowed'],
      ...['dns_hosts', 'dns_types', 'dns_in_person'],
    ],
  },
)

export const updateLimits = statement(
  'limits_update',
  `update access_limits
      set spend_amount = :spend_amount, spend_currency = :spend_currency,
          spend_window = :spend_window, price_amount = :price_amount,
          price_currency = :price_currency, approval_amount = :approval_amount,
          approval_currency = :approval_currency, outside_allowed = :outside_allowed,
          allowed_tlds = :allowed_tlds,
          allowed_domains = :allowed_domains, allowed_ips = :allowed_ips,
          dns_hosts = :dns_hosts, dns_types = :dns_types, dns_in_person = :dns_in_person,
          updated_at = :now
    where id = :id`,
  {
    nullable: [
      ...['spend_amount', 'spend_currency', 'spend_window', 'price_amount', 'price_currency'],
      ...['approval_amount', 'approval_currency', 'outside_allowed'],
      ...['allowed_tlds', 'allowed_domains', 'allowed_ips'],
      ...['dns_hosts', 'dns_types', 'dns_in_person'],
    ],
  },
)

export const recountLimits = statement(
  'limits_recount',
  'select limits_recount(:id, clock_timestamp()) as counted',
  { writes: true },
)

/** Whether a key, or a consent, may still buy. */
export const mayStillBuy = statement(
  'limits_may_still_buy',
  `select exists (
     select from api_keys k
      where k.id = :api_key_id and k.revoked_at is null
        and (k.expires_at is null or k.expires_at > clock_timestamp())
        and 'domains:purchase' = any (k.scopes)
     union all
     select from oauth_grants g
      where g.id = :oauth_grant_id and g.revoked_at is null
        and 'domains:purchase' = any (g.scopes)) as may`,
  { not_null: ['may'], nullable: ['api_key_id', 'oauth_grant_id'] },
)
