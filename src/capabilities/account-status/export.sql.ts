// SQL of the export of an account: each row as JSON, with its amounts as decimal text. Only named
// columns are read, so that no hash and no sealed value is among them. Long parts are read in
// pages: a page has the rows after `key`, which is text.
import { statement } from '../../db/statement.ts'

const cents = (column: string) => `(${column}::numeric / 100)::numeric(30, 2)::text as ${column}`
const not_null = ['row']

export const exportContacts = statement(
  'exports_contacts',
  `select to_jsonb(x) as row, x.id::text as key from (
     select id, handle, name, email, company_name, address, address_line_2, city, state, country,
            zip, phone_country_code, phone_number, default_registrant, default_admin,
            default_technical, default_billing, created_at, updated_at
       from contacts where customer_id = :customer_id and id > :after::text::bigint
      order by id limit :limit) x`,
  { not_null: ['row', 'key'] },
)

/** The domains that it holds or once held. */
export const exportDomains = statement(
  'exports_domains',
  `select to_jsonb(x) - 'id' as row, x.name || '/' || x.id as key from (
     select id, name, registry, expiry, registry_expiry, nameservers, period_years, epp_statuses,
            rgp_statuses, locked, protected, auto_renew, auto_renew_key_id, auto_renew_grant_id,
            from_reserve, contacts, registered_at, created_at, updated_at, ended_at, end_reason,
            (select coalesce(jsonb_agg(jsonb_build_object(
                      'host', host, 'type', type, 'ttl', ttl,
                      'rdata', array(select encode(v.value, 'hex') from unnest(rdata) v (value)),
                      'created_at', created_at, 'updated_at', updated_at)
                      order by path, type), '[]')
               from dns_record_sets where domain_id = domains.id) as dns_records
       from domains
      where customer_id = :customer_id
        and (name, id) > (split_part(:after, '/', 1), split_part(:after, '/', 2)::bigint)
      order by name, id limit :limit) x`,
  { not_null: ['row', 'key'] },
)

/** The changes of records of the domains that it holds, oldest first. */
export const exportDnsChanges = statement(
  'exports_dns_changes',
  `select to_jsonb(x) - 'pos' as row, x.pos::text as key from (
     select c.id, c.pos, d.name as domain, c.serial, c.action, c.actor_type, c.actor_label,
            c.entry_point, c.reverts, c.sets, c.created_at, o.state, o.reverts_at, o.kept_because,
            o.ended_at
       from dns_changes c join domains d on d.id = c.domain_id
       left join dns_confirmations o on o.change_id = c.id
      where c.customer_id = :customer_id and c.pos > :after::text::bigint
      order by c.pos limit :limit) x`,
  { not_null: ['row', 'key'] },
)

/** Their secrets are left out. */
export const exportNameserverChanges = statement(
  'exports_nameserver_confirmations',
  `select to_jsonb(x) as row, x.id as key from (
     select n.change_id as id, d.name as domain, n.state, n.before_nameservers, n.before_glue,
            n.after_nameservers, n.after_glue, n.reverts_at, n.actor_type, n.actor_label,
            n.kept_because, n.created_at, n.ended_at
       from nameserver_confirmations n join domains d on d.id = n.domain_id
      where n.customer_id = :customer_id and n.change_id > :after
      order by n.change_id limit :limit) x`,
  { not_null: ['row', 'key'] },
)

export const exportTsigKeys = statement(
  'exports_tsig_keys',
  `select to_jsonb(x) as row, x.id as key from (
     select k.id, d.name as domain, k.algorithm, k.dns_hosts, k.dns_types, k.made_by, k.api_key_id,
            k.oauth_grant_id, k.expires_at, k.created_at
       from tsig_keys k join domains d on d.id = k.domain_id
      where k.customer_id = :customer_id and k.id > :after
      order by k.id limit :limit) x`,
  { not_null: ['row', 'key'] },
)

export const exportOrders = statement(
  'exports_orders',
  `select to_jsonb(x) as row, x.domain || '/' || x.id as key from (
     select id, type, domain, registry, state, currency, ${cents('amount')},
            ${cents('reserve_amount')}, quote_id, api_key_id, oauth_grant_id, error_code,
            error_detail, created_at, updated_at, closed_at
       from orders where customer_id = :customer_id
        and (domain, id) > (split_part(:after, '/', 1), split_part(:after, '/', 2))
      order by domain, id limit :limit) x`,
  { not_null: ['row', 'key'] },
)

export const exportInvoices = statement(
  'exports_invoices',
  `select to_jsonb(x) as row, x.id::text as key from (
     select i.id, i.kind, i.invoice_number, i.status, i.currency, ${cents('subtotal_amount')},
            ${cents('tax_amount')}, ${cents('total_amount')}, i.notes, i.buyer_name,
            i.buyer_company, i.buyer_email, i.buyer_address, i.buyer_country, i.issued_at,
            i.due_at, i.paid_at, i.voided_at
       from invoices i where i.customer_id = :customer_id and i.id > :after::text::bigint
      order by i.id limit :limit) x`,
  { not_null: ['row', 'key'] },
)

export const exportKeys = statement(
  'exports_api_keys',
  `select to_jsonb(x) as row, x.id::text as key from (
     select id, key_prefix, name, scopes, parent_key_id, oauth_grant_id, made_by, expires_at,
            revoked_at, last_used_at, created_at
       from api_keys where customer_id = :customer_id and id > :after::text::bigint
      order by id limit :limit) x`,
  { not_null: ['row', 'key'] },
)

export const exportLimits = statement(
  'exports_limits',
  `select to_jsonb(x) - 'id' as row, x.id::text as key from (
     select id, api_key_id, oauth_client_id, ${cents('spend_amount')}, spend_currency, spend_window,
            ${cents('spent')}, spent_from, ${cents('price_amount')}, price_currency,
            ${cents('approval_amount')}, approval_currency, outside_allowed, allowed_tlds,
            allowed_domains, allowed_ips, dns_hosts,
            (select array_agg('TYPE' || t order by n)
               from unnest(dns_types) with ordinality u (t, n)) as dns_types,
            dns_in_person, created_at, updated_at
       from access_limits where customer_id = :customer_id and id > :after::text::bigint
      order by id limit :limit) x`,
  { not_null: ['row', 'key'] },
)

/** The sealed input is left out. */
export const exportApprovals = statement(
  'exports_approvals',
  `select to_jsonb(x) as row, x.id as key from (
     select id, state, action, domain, reason, request, ${cents('amount')}, currency, asked_by,
            agent_identifier, api_key_id, oauth_grant_id, note, error_code, error_detail, order_id,
            created_at, expires_at, decided_at, ended_at
       from approvals where customer_id = :customer_id and id > :after
      order by id limit :limit) x`,
  { not_null: ['row', 'key'] },
)

/** One row for each currency; the transfers add up to it. */
export const exportBalances = statement(
  'exports_balances',
  `select to_jsonb(x) as row from (
     select currency, ${cents('available')}, ${cents('held')}, ${cents('reserved')},
            ${cents('owed')}
       from (select a.currency, a.available, a.held, a.owed,
                    ledger_reserved(a.customer_id, a.currency) as reserved
               from ledger_accounts a where a.customer_id = :customer_id) b
      order by currency) x`,
  { not_null },
)

export const exportApps = statement(
  'exports_connected_apps',
  `select to_jsonb(x) as row, x.id as key from (
     select id, client_id, client_name, redirect_host, scopes, resource, created_at, last_used_at,
            revoked_at, end_reason
       from oauth_grants where customer_id = :customer_id and id > :after
      order by id limit :limit) x`,
  { not_null: ['row', 'key'] },
)

/** Ways to log in, without their credentials. */
export const exportLogIns = statement(
  'exports_log_ins',
  `select to_jsonb(x) as row from (
     select 'passkey' as type, name, null as email, created_at, last_used_at
       from passkeys where customer_id = :customer_id
      union all
     select 'identity', provider, email, created_at, last_used_at
       from sso_identities where customer_id = :customer_id
      order by created_at) x`,
  { not_null },
)

export const exportWebhooks = statement(
  'exports_webhooks',
  `select to_jsonb(x) as row from (
     select id, url, types, description, disabled_because, failing_since, made_by, api_key_id,
            oauth_grant_id, created_at, updated_at
       from webhooks where customer_id = :customer_id order by id) x`,
  { not_null },
)

export const exportPushSubscriptions = statement(
  'exports_push_subscriptions',
  `select to_jsonb(x) as row from (
     select id, service, agent, created_at, last_sent_at
       from push_subscriptions where customer_id = :customer_id order by id) x`,
  { not_null },
)

/** Oldest first. */
export const exportMessages = statement(
  'exports_support_messages',
  `select to_jsonb(x) - 'event' as row, x.event::text as key from (
     select id, event, sender, body, created_at, read_at
       from support_messages where customer_id = :customer_id and event > :after::text::bigint
      order by event limit :limit) x`,
  { not_null: ['row', 'key'] },
)

/** Oldest first, after an id. */
export const exportTransfers = statement(
  'exports_ledger_transfers',
  `select to_jsonb(x) as row, x.id::text as key from (
     select id, type, currency, ${cents('amount')}, ${cents('available_after')},
            ${cents('held_after')}, description, domain, operation_id, checkout_id, invoice_id,
            created_at
       from ledger_entries where customer_id = :customer_id and id > :after::text::bigint
      order by id limit :limit) x`,
  { not_null: ['row', 'key'] },
)

/** Newest first, below an id: the order of the index. */
export const exportAudit = statement(
  'exports_audit_logs',
  `select x.id, to_jsonb(x) as row from (
     select id, entry_point, action, actor_type, actor_label, agent_identifier, api_key_id,
            target_type, target, result, status_code, error_code, metadata, row_hash, created_at
       from audit_logs
      where customer_id = :customer_id and entry_point <> '' and id < :before
      order by id desc limit :limit) x`,
  { not_null: ['id', 'row'] },
)
