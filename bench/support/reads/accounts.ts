// Rows of accounts: customers, contacts, OAuth clients and audit log.
import { customerId, hash, nameOf, owner, type Sizes, spread, type Table } from './sizes.ts'

export function people(sizes: Sizes): Table[] {
  const { customers } = sizes
  const who = customerId('i')
  return [
    {
      table: 'customers',
      rows: customers,
      columns: 'id, email, name, created_at, updated_at',
      values: `${who}, 'c' || i || '@example.com', 'Customer ' || i || repeat(' x', 90),
        now(), now()`,
    },
    {
      table: 'passwords',
      rows: customers,
      columns: 'customer_id, hash, changed_at',
      values: `${who}, '$argon2id$v=19$m=1,t=1,p=1$c2FsdA$aGFzaA', now()`,
    },
    {
      table: 'ledger_accounts',
      rows: customers,
      columns: 'code, customer_id, currency, available, held, owed',
      values: `'customer', ${who}, 'USD', 100000, 0, 0`,
    },
    ...rights(sizes),
    {
      table: 'mcp_client_names',
      rows: customers,
      columns: 'principal, user_agent, name, seen_at',
      values: `'p' || i, '\\x00', 'x', now() - (i % 29) * interval '1 day'`,
    },
    {
      table: 'invoices',
      rows: customers * 40,
      columns: `customer_id, kind, invoice_number, status, currency, subtotal_amount, tax_amount,
        payment_id, buyer_name, buyer_email, issued_at, paid_at, updated_at`,
      values: `${owner(sizes)}, 'invoice', '2025-' || lpad(i::text, 6, '0'), 'paid', 'USD', 100, 0,
        'payment' || i, 'A B', 'a@example.com', now(), now(), now()`,
    },
    {
      table: 'invoice_items',
      rows: customers * 40,
      columns: 'invoice_id, description, quantity, unit_amount',
      values: `1 + i, 'Top-up', 1, 100`,
    },
    {
      table: 'rate_limits',
      rows: customers,
      columns: 'key, window_start, used, granted',
      values: `'k' || i, extract(epoch from now())::bigint - (i % 80000), 1, 1`,
    },
    {
      table: 'contacts',
      rows: customers * 2,
      columns: `customer_id, handle, name, email, address, city, state, country, zip,
        phone_country_code, phone_number, default_registrant, default_admin, default_technical,
        default_billing, created_at, updated_at`,
      values: `${customerId(`i % ${customers}`)}, 'AB' || i, 'A B', 'a@example.com', 'x', 'x',
        'x', 'DE', '1',
        '49', '1', i < ${customers}, i < ${customers}, false, false, now(), now()`,
    },
  ]
}

function rights(sizes: Sizes): Table[] {
  const { customers } = sizes
  const who = customerId('i')
  return [
    {
      table: 'api_keys',
      rows: customers * 2,
      columns: 'customer_id, key_hash, key_prefix, scopes, created_at',
      values: `${customerId(`i % ${customers}`)}, ${hash(`'key' || i`)}, 'ar_', '{domains:read}',
        now()`,
    },
    {
      table: 'access_limits',
      rows: customers,
      columns: `customer_id, api_key_id, spend_amount, spend_currency, spend_window, spent,
        spent_from, created_at, updated_at`,
      values: `${who}, 1 + i, 10000, 'USD', 'month', 100, date_trunc('month', now()), now(), now()`,
    },
    {
      table: 'quotes',
      rows: customers * 20,
      columns: `id, customer_id, type, domain, period_years, currency, amount, price, created_at,
        expires_at`,
      values: `'quo_' || lpad(i::text, 26, '0'), ${owner(sizes)}, 'register', 'q' || i || '.com',
        1, 'USD', 1085, '{}', now() - i * interval '1 second',
        now() + interval '5 minutes' - i * interval '1 second'`,
    },
    {
      table: 'approvals',
      rows: customers * 20,
      columns: `id, customer_id, api_key_id, counted_for, asked_by, agent_identifier, action,
        domain, reason, request_digest, digest, request, amount, currency, state, created_at,
        expires_at, ended_at, error_code`,
      values: `'apr_' || lpad(i::text, 26, '0'), ${owner(sizes)}, 1 + i % ${customers},
        'key:' || 1 + i % ${customers}, 'agent', 'test', 'register_domain', 'd' || i || '.com',
        'approval_above',
        encode(sha256(i::text::bytea), 'hex'), encode(sha256(i::text::bytea), 'hex'), '{}', 1085,
        'USD', case when i % 50 = 0 then 'pending' else 'expired' end, now(),
        now() + interval '1 day', case when i % 50 <> 0 then now() end, null`,
    },
  ]
}

export function programs(sizes: Sizes): Table[] {
  const { customers } = sizes
  const grant = `'grant' || i`
  const model = 'model, id_hash, payload, grant_id, client_id, account_id, expires_at'
  return [
    {
      table: 'oauth_models',
      rows: customers,
      columns: 'model, id_hash, payload, client_id, registered_by',
      values: `'Client', ${hash(`'client' || i`)}, '{}', 'client' || i,
        case when i < 40 then '192.0.2.1' end`,
    },
    {
      table: 'oauth_models',
      rows: customers * 3,
      columns: model,
      values: `'RefreshToken', ${hash(`'token' || i`)}, '{}', ${grant},
        'client' || (i % ${customers}),
        ${owner(sizes)}, now() + (1 + i % 30) * interval '1 day'`,
    },
    {
      table: 'oauth_grants',
      rows: customers * 3,
      columns: `id, customer_id, client_id, client_name, redirect_host, scopes, resource,
        created_at,
        resumed_at, revoked_at`,
      values: `${grant}, ${owner(sizes)}, 'client' || (i % ${customers}), 'x', 'x', '{}', 'x',
        now() - i * interval '1 minute', now(),
        case when i % 4 = 0 and i >= 200 then now() end`,
    },
    {
      table: 'oauth_documents',
      rows: customers,
      columns: 'client_id, fields, read_at, fresh_until',
      values: `'client' || i, '{}', now(), now() + (i % 20 + 1) * interval '1 hour'`,
    },
  ]
}

/** Rows of few transactions, all older than any running one, so that the sealer takes them. */
export function auditRows(sizes: Sizes): Table[] {
  const { audit_rows } = sizes
  const xid = (i: string) => `(5 + (${i}) * 500 / ${audit_rows})::text::xid8`
  const per_block = 1_000
  const last = `(i + 1) * ${per_block} - 1`
  return [
    {
      table: 'audit_logs',
      rows: audit_rows,
      columns: `xid, entry_point, action, actor_type, agent_identifier, customer_id, target_type,
        target, result, metadata, created_at, row_hash`,
      values: `${xid('i')}, (array['rest', 'mcp', 'job'])[1 + i / 20 % 3],
        (array['register_domain', 'renew_domain', 'get_account'])[1 + i / 20 % 3], 'customer', 'x',
        ${owner(sizes)}, case when i / 20 % 2 = 0 then 'domain' end, ${nameOf(sizes)}, 'success',
        '{}',
        ${spread(audit_rows)}, ${hash(`'row' || i`)}`,
    },
    {
      // The last rows are not sealed yet.
      table: 'audit_blocks',
      rows: Math.max(1, Math.floor(audit_rows / per_block) - 1),
      columns: `number, era, first_id, highest_id, from_xid, from_id, to_xid, to_id, row_count,
        merkle_root, previous_hash, key_id, created_at, block_hash, signature, public_key`,
      values: `1 + i, 1, -9223372036854775808, 1 + ${last}, ${xid(`i * ${per_block}`)},
        i * ${per_block},
        ${xid(last)}, 1 + ${last}, ${per_block}, ${hash(`'m' || i`)}, ${hash(`'b' || (i - 1)`)},
        'k', now(),
        ${hash(`'b' || i`)}, decode(repeat('00', 64), 'hex'), '\\x00'`,
    },
  ]
}
