// Cases of the statements about DNS records, and rows about the DNS that come and go.
import { json, type Params, type StatementName } from '../../../../src/db/statement.ts'
import { customerId, owner, type Sizes, type Table } from '../sizes.ts'

const largest = customerId(0)

type Cases = { [N in StatementName]?: readonly Params<N>[] }

export function dnsCases({ domain }: { domain: string }): Cases {
  const names = [domain, 'com']
  const question = { types: [1, 5, 2], all_types: false }
  return {
    zones_find_sets: [{ names, zones: names, paths: [`com.${domain}`, 'com'], ...question }],
    exports_tsig_keys: [{ customer_id: largest, after: '', limit: 2n }],
    exports_dns_changes: [{ customer_id: largest, after: '0', limit: 10n }],
    waiting_nameservers_store: [
      {
        ...{ id: `nsw_${'9'.repeat(26)}`, domain_id: 1n, customer_id: largest },
        ...{ nameservers: ['ns1.example.net', 'ns2.example.net'], glue: json({}) },
        ...{ api_key_id: 1n, oauth_grant_id: null, session_id: null, label: 'x' },
        ...{ created_at: new Date(0), expires_at: new Date(1) },
      },
    ],
    dns_records_put_sets: [{ domain_id: 1n, sets: json([]) }],
  }
}

/** The owner of a row with its own number, for tables that have one row for each account. */
const account = `'${customerId(0).slice(0, -12)}' || lpad(i::text, 12, '0')`

export function dnsRows(sizes: Sizes): Table[] {
  const rows = Math.ceil(sizes.domains / 10)
  return [
    {
      table: 'dns_signed_requests',
      rows,
      columns: 'tsig_key_id, mac, expires_at',
      values: `'tsk_' || lpad(i::text, 26, '0'), decode(lpad(to_hex(i), 64, '0'), 'hex'),
        now() + (i % 600) * interval '1 second'`,
    },
    {
      table: 'dns_scans',
      rows,
      columns: 'customer_id, started_at, lease_until',
      values: `${account}, array[now()], now() - (i % 90) * interval '1 minute'`,
    },
    {
      table: 'dns_scan_addresses',
      rows,
      columns: 'address, free_at',
      values: `'198.18.0.0'::inet + i, now() - (i % 90) * interval '1 minute'`,
    },
    {
      table: 'ordered_dns_records',
      rows,
      columns: 'order_id, customer_id, change_id, actor_type, entry_point, sets, created_at',
      values: `'ord_' || lpad(i::text, 26, '0'), ${owner(sizes)},
        'dch_' || lpad(i::text, 26, '0'), 'api_key', 'rest', '[]',
        now() - (i % 90) * interval '1 minute'`,
    },
    {
      table: 'waiting_nameservers',
      rows,
      columns: 'domain_id, id, customer_id, nameservers, glue, session_id, created_at, expires_at',
      values: `1 + i * 10, 'nsw_' || lpad(i::text, 26, '0'), ${owner(sizes)},
        '{ns1.example.net,ns2.example.net}', '{}', 1, now(), now() + interval '7 days'`,
    },
  ]
}
