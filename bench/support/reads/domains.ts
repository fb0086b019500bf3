// Rows of domains: holdings, zones, orders, money and mail.
import { dnsRows } from './cases/dns-cases.ts'
import { customerId, nameOf, owner, ownerNumber, type Sizes, spread, type Table } from './sizes.ts'

/** SQL for the id of mail `i`, which begins with its time. */
const mailId = (rows: number) =>
  `partition_bound(${spread(rows)}, 'mail') || lpad(i::text, 16, '0')`

export function dealings(sizes: Sizes): Table[] {
  const { domains, entries } = sizes
  const order = `'ord_' || lpad(i::text, 26, '0')`
  const closed = `case when i % 100 = 5 then null else now() - i * interval '1 second' end`
  return [
    {
      table: 'orders',
      rows: domains,
      columns: `id, customer_id, type, domain, registry, state, currency, amount, digest, command,
        attempts, fingerprints, first_sent_at, run_at, lease_until, lease_token, alarm, created_at,
        closed_at, notified_at`,
      values: `${order}, ${owner(sizes)}, (array['register', 'renew', 'transfer'])[1 + i % 3],
        ${nameOf(sizes)},
        'thin', case when i % 1000 = 505 then 'parked' when i % 100 = 5 then 'unknown'
                     else 'succeeded' end,
        'USD', 1000, 'x', '{}', 1, '{}', now(), now() + (i % 1000) * interval '1 minute', now(),
        't',
        case when i % 2000 = 605 then 'look' end, now() - i * interval '1 second', ${closed},
        case when i % 3 = 2 and i % 5000 <> 2 then now() end`,
    },
    {
      table: 'idempotency_keys',
      rows: domains,
      columns: 'customer_id, key, digest, order_id, created_at',
      values: `${owner(sizes)}, 'key' || i, 'x', ${order}, now() - (i % 20) * interval '1 hour'`,
    },
    {
      table: 'ledger_transfers',
      rows: entries,
      columns: `debit_account, credit_account, customer_account, customer_id, currency, amount,
        phase, pending_id, code, available_after, held_after, description, domain, operation_id,
        created_at`,
      values: `1, 2, 1, ${owner(sizes)}, 'USD', 100, 'void', i, 'purchase', 100, 0, 'release',
        ${nameOf(sizes)}, 'x' || i, now() - (${entries} - i) * interval '1 second'`,
    },
    ...mails(sizes),
    {
      table: 'tasks',
      rows: domains,
      columns: 'kind, key, bulkhead, run_at, lease_until, lease_token, dead_at',
      values: `(array['send_mail', 'sync_contact'])[1 + i % 2], 'key' || i,
        case when i % 2 = 1 then 'thin' else '' end,
        now() + (case when i % 100 = 5 then -1 else 1 end) * (i % 25) * interval '1 day',
        case when i % 500 = 5 then now() + interval '5 seconds' end,
        case when i % 500 = 5 then 't' end,
        case when i % 200 = 7 then now() - (i % 40) * interval '1 day' end`,
    },
    {
      table: 'expiry_notices',
      rows: domains,
      columns: 'domain_id, kind, expiry',
      values: `1 + i, 'expires_in_30_days', now() + (i % 380 - 15) * interval '1 day'`,
    },
  ]
}

function mails(sizes: Sizes): Table[] {
  const { domains } = sizes
  return [
    {
      table: 'mail_dedupe_keys',
      rows: domains,
      columns: 'mail_id, dedupe_key',
      values: `${mailId(domains)}, 'm' || i`,
    },
    {
      table: 'mails',
      rows: domains,
      columns: `id, customer_id, kind, dedupe_key, recipient, subject, body, state, ended_at,
        request_id`,
      values: `${mailId(domains)}, ${owner(sizes)}, 'expiry', 'm' || i,
        'c' || (${ownerNumber(sizes)}) || '@example.com', 's',
        case when i % 100 = 5 or i % 4 = 0 then 'text' end,
        case when i % 100 = 5 then 'queued' when i % 1000 = 1 then 'failed' else 'sent' end,
        case when i % 100 <> 5 then now() - (i % 25) * interval '1 day' end,
        case when i % 10 = 3 then 'sgn_' || lpad((i / 20)::text, 26, '0') end`,
    },
  ]
}

export function names(sizes: Sizes): Table[] {
  const { domains } = sizes
  const facts = `customer_id, order_id, registry, registry_expiry, nameservers,
  period_years,
    epp_statuses, rgp_statuses, contacts, registered_at`
  const values = `${owner(sizes)}, 'ord_' || lpad(i::text, 26, '0'), 'thin',
    now() + (i % 380 - 15) * interval '1 day',
    case when i % 2 = 0 then '{ns1.own.example,ns2.own.example}'::text[]
         else '{ns.example.net}' end,
    1, '{ok}', '{}', '{}', now()`
  return [
    {
      table: 'domains',
      rows: domains,
      columns: `name, ${facts}, expiry, auto_renew, wanted_nameservers, deletion_at,
        auth_code_unset_at, lift_hold_at`,
      values: `${nameOf(sizes)}, ${values}, now() + (i % 380 - 15) * interval '1 day', i % 3 = 0,
        case when i % 100 = 7 then array['ns.example.org'] end,
        case when i % 400 = 1 then now() end,
        case when i % 100 = 2 then now() + (i % 7 + 1) * interval '1 day' end,
        case when i % 380 < 4 then now() - interval '1 hour' end`,
    },
    {
      table: 'domain_schedules',
      rows: domains,
      columns: 'domain_id, registry, sync_slot, sync_at, synced_at, auto_renew_at, delete_at',
      values: `1 + i, 'thin', i % 86400,
        case when i % 50 = 3 then now() + (i % 3600 - 60) * interval '1 second' end, now(),
        case when i % 3 = 0 then now() + (i % 380 - 29) * interval '1 day' end,
        now() + (i % 380 - 15) * interval '1 day'`,
    },
    {
      table: 'sync_rounds',
      rows: 1,
      columns: 'registry, reached_at, reached_id',
      values: `'thin', now() - interval '1 hour', 0`,
    },
    {
      table: 'domains',
      rows: Math.ceil(domains / 4),
      columns: `name, ${facts}, expiry, ended_at, end_reason`,
      values: `'e' || i || '.com', ${values}, now() - interval '1 year',
        now() - interval '300 days', 'dropped'`,
    },
    {
      table: 'domain_terms',
      rows: domains,
      columns: 'domain_id, order_id, kind, years, paid_until',
      values: `1 + i, 'ord_' || lpad(i::text, 26, '0'), 'begun', 1, now()`,
    },
    {
      table: 'domain_changes',
      rows: Math.ceil(domains / 10),
      columns: 'domain, token, lease_until',
      values: `'d' || i || '.com', 't', now() - (i % 20) * interval '1 hour'`,
    },
    ...zones(sizes),
    ...dnsRows(sizes),
    ...registryRows(sizes),
  ]
}

function registryRows(sizes: Sizes): Table[] {
  const { domains } = sizes
  return [
    {
      table: 'domain_contacts',
      rows: domains,
      columns: 'holder, contact_id',
      values: `'ord_' || lpad(i::text, 26, '0'), 1 + i % 20`,
    },
    {
      table: 'registry_message_keys',
      rows: Math.ceil(domains / 2),
      columns: 'received_at, registry, msg_id',
      values: `${spread(domains / 2)}, 'thin', i::text`,
    },
    {
      table: 'registry_messages',
      rows: Math.ceil(domains / 2),
      columns:
        'id, received_at, registry, msg_id, text, kind, domain, parsed, raw, recognized, acked_at',
      values: `1 + i, ${spread(domains / 2)}, 'thin', i::text, 'x', 'other', ${nameOf(sizes)},
        '{}', '', true, now() - (i % 170) * interval '1 day'`,
    },
    {
      table: 'registry_contacts',
      rows: sizes.customers * 2,
      columns: 'contact_id, registry, registry_contact_id, synced_version',
      values: `1 + i, 'thin', 'C' || i, 1`,
    },
    {
      table: 'provider_clients',
      rows: sizes.customers,
      columns: 'customer_id, registry, position, client_id, state, reconciled_at',
      values: `${customerId('i')}, 'reseller', 1, 'x', 'active', now()`,
    },
  ]
}

function zones(sizes: Sizes): Table[] {
  const { domains } = sizes
  return [
    {
      table: 'zones',
      rows: Math.ceil(domains / 2),
      columns: 'name, domain_id, customer_id, nameservers, serial, state, pushed_serial',
      values: `'d' || (i * 2) || '.com', 1 + i * 2, ${owner(sizes)},
        '{ns1.own.example,ns2.own.example}',
        1, 'served', case when i % 3 = 0 then 1 end`,
    },
    {
      table: 'zone_records',
      rows: Math.ceil(domains / 2),
      columns: 'domain_id, path, host, value, ttl',
      values: `1 + i * 2, 'com.d' || (i * 2), '@', '192.0.2.1', 300`,
    },
    {
      table: 'dns_record_serials',
      rows: Math.ceil(domains / 2),
      columns: 'domain_id, serial',
      values: '1 + i * 2, i',
    },
    {
      table: 'dns_change_octets',
      rows: Math.ceil(domains / 2),
      columns: 'customer_id, octets',
      values: `'cus_' || i, 1000`,
    },
    {
      table: 'dns_record_sets',
      rows: Math.ceil(domains / 2),
      columns: 'domain_id, path, type, host, ttl, rdata',
      values: `1 + i * 2, 'com.d' || (i * 2), 1, '@', 300, array['\\xc0000201'::bytea]`,
    },
    {
      table: 'tsig_keys',
      rows: Math.ceil(domains / 2),
      columns: 'id, domain_id, customer_id, algorithm, sealed_secret, made_by',
      values: `'tsk_' || lpad(i::text, 26, '0'), 1 + i * 2, ${owner(sizes)}, 'hmac-sha256', 'x',
        'owner'`,
    },
    ...zoneChanges(sizes),
  ]
}

function zoneChanges(sizes: Sizes): Table[] {
  const { domains } = sizes
  return [
    {
      table: 'dns_changes',
      rows: Math.ceil(domains / 2),
      columns:
        'id, domain_id, customer_id, serial, action, actor_type, entry_point, sets, octets, ' +
        'created_at',
      values: `'dch_' || lpad(i::text, 26, '0'), 1 + i * 2, ${owner(sizes)}, i,
        'change_dns_records', 'api_key', 'rest', '[]', 2, now() - (i % 700) * interval '1 day'`,
    },
    {
      table: 'dns_confirmations',
      rows: Math.ceil(domains / 10),
      columns: 'change_id, domain_id, reverts_at, api_key_id, state, ended_at',
      values: `'dch_' || lpad((i * 5)::text, 26, '0'), 1 + i * 10, now(), 1,
        case when i % 3 = 0 then 'unconfirmed' else 'confirmed' end,
        case when i % 3 <> 0 then now() end`,
    },
    {
      table: 'nameserver_confirmations',
      rows: Math.ceil(domains / 10),
      columns:
        'change_id, domain_id, customer_id, before_nameservers, before_glue, after_nameservers, ' +
        'after_glue, reverts_at, api_key_id, actor_type, state, ended_at',
      values: `'nsc_' || lpad(i::text, 26, '0'), 1 + i * 10, ${owner(sizes)},
        '{ns1.own.example,ns2.own.example}', '{}', '{ns1.example.net,ns2.example.net}', '{}',
        now(), 1, 'api_key', case when i % 3 = 0 then 'unconfirmed' else 'confirmed' end,
        case when i % 3 <> 0 then now() end`,
    },
  ]
}
