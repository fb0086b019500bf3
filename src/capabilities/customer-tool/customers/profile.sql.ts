// SQL of a customer's profile, run in the role of the inspection.
import { statement } from '../../../db/statement.ts'

export const profileBalances = statement(
  'customer_tool_balances',
  `select a.currency, a.available, a.held, a.owed, a.updated_at,
          coalesce(r.available, 0) as reserved
     from ledger_accounts a
     left join ledger_accounts r on r.reserve_of = a.customer_id and r.currency = a.currency
    where a.customer_id = :customer_id order by a.currency desc`,
  { not_null: ['available', 'held', 'owed', 'reserved', 'currency', 'updated_at'] },
)

/** The holdings of an account by the facts that their status follows from. */
export const profileHoldings = statement(
  'customer_tool_holdings',
  `select epp_statuses, rgp_statuses, expiry <= :now as is_past, count(*)::int as domains,
          min(expiry) as next_expiry
     from domains where customer_id = :customer_id and ended_at is null
    group by 1, 2, 3`,
  { not_null: ['is_past', 'domains', 'next_expiry'] },
)

export const profileOrders = statement(
  'customer_tool_open_orders',
  `select id, type, domain, registry, state, currency, amount, attempts, error_code, alarm,
          created_at, updated_at, count(*) over ()::int as open,
          count(*) filter (where state = 'parked') over ()::int as parked
     from orders where customer_id = :customer_id and closed_at is null
    order by state = 'parked' desc, created_at desc limit :limit`,
  { not_null: ['open', 'parked'] },
)

export const profileKeys = statement(
  'customer_tool_api_keys',
  `select id, key_prefix, name, scopes, created_at, last_used_at, expires_at, revoked_at,
          count(*) filter (where revoked_at is null and (expires_at is null or expires_at > :now))
            over ()::int as active
     from api_keys where customer_id = :customer_id
    order by revoked_at is not null, id desc limit :limit`,
  { not_null: ['active'] },
)

export const profileApps = statement(
  'customer_tool_apps',
  `select id, client_name, redirect_host, scopes, created_at, last_used_at,
          count(*) over ()::int as open
     from oauth_grants where customer_id = :customer_id and revoked_at is null
    order by created_at desc limit :limit`,
  { not_null: ['open'] },
)

export const profileLogIns = statement(
  'customer_tool_log_ins',
  `select exists (select from passwords p where p.customer_id = :customer_id) as has_password,
          (select count(*)::int from passkeys p where p.customer_id = :customer_id) as passkeys,
          array(select distinct i.provider from sso_identities i
                 where i.customer_id = :customer_id order by 1) as identities,
          (select max(s.created_at) from sessions s where s.customer_id = :customer_id)
            as last_log_in_at,
          (select max(s.last_used_at) from sessions s where s.customer_id = :customer_id)
            as last_used_at,
          (select count(*)::int from sessions s where s.customer_id = :customer_id
              and s.ended_at is null and s.expires_at > :now) as open_sessions`,
  { not_null: ['has_password', 'passkeys', 'identities', 'open_sessions'] },
)

export const profileCounts = statement(
  'customer_tool_counts',
  `select (select count(*)::int from contacts c where c.customer_id = :customer_id) as contacts,
          (select count(*)::int from invoices i where i.customer_id = :customer_id) as invoices,
          (select count(*)::int from checkouts k where k.customer_id = :customer_id
              and k.status in ('created', 'awaiting_payment', 'confirming')) as open_top_ups`,
  { not_null: ['contacts', 'invoices', 'open_top_ups'] },
)

export const profileProviderClients = statement(
  'customer_tool_provider_clients',
  `select registry, client_id, state, reconciled_at from provider_clients
    where customer_id = :customer_id order by registry, position`,
)

export const profilePayments = statement(
  'customer_tool_payments',
  `select id, currency, amount, account, created_at from payments
    where customer_id = :customer_id order by transfer_id desc limit :limit`,
)

/** Mails to the present address of the account, found by the index of recipients. */
export const profileMails = statement(
  'customer_tool_mails',
  `select id, kind, subject, state, created_at, ended_at from mails
    where recipient = :recipient order by id desc limit :limit`,
)

// With the predicate of the index of an account's log.
export const profileAudit = statement(
  'customer_tool_audit',
  `select id, created_at, entry_point, action, actor_type, actor_label, target_type, target, result,
          status_code, error_code
     from audit_logs where customer_id = :customer_id and entry_point <> ''
    order by id desc limit :limit`,
)
