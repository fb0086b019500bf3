// Arguments of the statements whose cost depends on them: the largest account, any cursor, and any
// filter, and one without a match. Every other statement gets arguments of the right type.

import { json, type Params, type StatementName } from '../../../../src/db/statement.ts'
import { customerId } from '../sizes.ts'
import { cardCases } from './card-cases.ts'
import { checkoutCases } from './checkout-cases.ts'
import { customerToolCases } from './customer-tool-cases.ts'
import { dnsCases } from './dns-cases.ts'
import { eventCases } from './event-cases.ts'
import { exportCases } from './export-cases.ts'
import { ledgerCases } from './ledger-cases.ts'
import { limitCases } from './limit-cases.ts'
import { metricsCases } from './metrics-cases.ts'
import { reencryptionCases } from './reencryption-cases.ts'
import { retentionCases } from './retention-cases.ts'
import { supportCases } from './support-cases.ts'
import { x402Cases } from './x402-cases.ts'

export type NamedArguments = Readonly<Record<string, unknown>>
type Cases = { [N in StatementName]?: readonly Params<N>[] }

/** The largest account: it owns a twentieth of every table. */
export const largest = customerId(0)
const small = customerId(7)
const now = new Date()
const days = (count: number) => new Date(now.getTime() + count * 86_400_000)
/** About the middle of a table of any size, as a cursor that is far from both ends. */
export type Middle = { audit_id: bigint; entry_id: bigint; domain: string; xid: string }

const absent = 'no_such_action'
const points = ['rest', 'mcp', 'dashboard', 'internal', 'job', 'cli', 'webhook']
const times: (readonly [Date | null, Date | null])[] = [
  [null, null],
  [days(-9_999), days(-9_998)],
  [null, days(-9_998)],
  [days(1), null],
]
const page = 100
const contact = {
  ...{ customer_id: largest, name: 'A', email: 'a@example.com', company_name: null },
  ...{ address: 'x', address_line_2: null, city: 'x', state: 'x', country: 'DE', zip: '1' },
  ...{ phone_country_code: '49', phone_number: '1', default_registrant: true },
  ...{ default_admin: true, default_technical: false, default_billing: false },
}
const auditRow = {
  entry_point: 'rest',
  action: 'get_account',
  actor_type: 'customer',
  agent_identifier: 'x',
  customer_id: largest,
  result: 'success',
  metadata: {},
  created_at: now.toISOString(),
  row_hash: '0'.repeat(64),
}

/** The state of a holding as a registry reports it. */
const reading = (id: number) => ({
  ...{ id, registry_expiry: days(100), nameservers: [], epp_statuses: ['ok'], rgp_statuses: [] },
  ...{ synced_at: now, sync_at: null, pending_transfer: false, seen: null },
})

/** The first page and one from the middle, both for the largest account and for a small one. */
function pages<T>(make: (customer_id: string, before: bigint | null) => T, middle: bigint): T[] {
  return [largest, small].flatMap((one) => [make(one, null), make(one, middle)])
}

function auditCases({ audit_id, domain }: Middle): Cases {
  return {
    audit_of_customer: pages(
      (customer_id, before) => ({ customer_id, before, limit: page }),
      audit_id,
    ),
    audit_of_customer_by_entry_point: ['rest', absent].flatMap((point) =>
      pages((customer_id, before): Params<'audit_of_customer_by_entry_point'> => {
        return { customer_id, entry_point: point, before, limit: page }
      }, audit_id),
    ),
    audit_of_customer_by_action: [
      ['renew_domain', points] as const,
      [absent, points] as const,
      ['renew_domain', [absent]] as const,
      ['renew_domain', ['rest']] as const,
    ].flatMap(([action, some]) =>
      pages((customer_id, before): Params<'audit_of_customer_by_action'> => {
        return { customer_id, action, entry_points: some, before, limit: page }
      }, audit_id),
    ),
    audit_window_of_customer: times.flatMap(([from, to]) =>
      pages((customer_id, before): Params<'audit_window_of_customer'> => {
        const filter = { action: null, entry_point: null, actor_type: null, api_key_id: null }
        const actor_label = before === null ? absent : null
        const size = { window: page, limit: page + 1 }
        return { ...filter, customer_id, actor_label, from, to, before, ...size }
      }, audit_id),
    ),
    audit_of_domains: pages(
      (customer_id, before) => ({ customer_id, before, limit: page }),
      audit_id,
    ),
    audit_of_domain: [domain, 'absent.example'].flatMap((name) =>
      pages((customer_id, before): Params<'audit_of_domain'> => {
        return {
          customer_id,
          domain: name,
          action: absent,
          from: null,
          to: null,
          before,
          limit: page,
        }
      }, audit_id),
    ),
    audit_of_domains_by_time: times.flatMap(([from, to]) =>
      pages((customer_id, before): Params<'audit_of_domains_by_time'> => {
        return { customer_id, from, to, before, limit: page }
      }, audit_id),
    ),
    audit_of_domains_by_action: times.flatMap(([from, to]) =>
      pages((customer_id, before): Params<'audit_of_domains_by_action'> => {
        return {
          customer_id,
          action: before === null ? absent : 'renew_domain',
          from,
          to,
          before,
          limit: page,
        }
      }, audit_id),
    ),
  }
}

function chainCases({ audit_id, xid }: Middle): Cases {
  const end = 2n ** 63n - 1n
  const part = { after_xid: xid, after_id: audit_id, first_id: -end, below_id: end }
  return {
    audit_append: [{ row: JSON.stringify(auditRow) }],
    audit_row_of_customer: [{ customer_id: largest, id: audit_id }],
    audit_new_era_start: [{ newest_xid: '1', highest_id: 5n }],
    audit_block_of_row: [{ xid, id: audit_id }],
    audit_export_rows: [largest, small].flatMap((customer_id) =>
      [0n, audit_id].map((after) => ({
        ...{ customer_id, after, first_id: -end, below_id: end, limit: page },
        ...{ to_xid: '99999999', to_id: end },
      })),
    ),
    audit_export_blocks: [{ ids: [audit_id], xids: [xid] }],
    audit_export_archived_to: [{}],
    audit_rows_to_seal: [{ ...part, era_closed: false, limit: 500 }],
    audit_rows_to_read: [{ ...part, era_closed: false, limit: 500 }],
    audit_rows_in_order: [{ ...part, to_xid: '99999999', to_id: end, limit: 500 }],
    audit_next_row_of_partition: [{ ...part, starts_at: null, ends_at: days(100) }],
    audit_blocks_after: [{ after: 3n, limit: 5 }],
  }
}

const draft = json({ kind: 'invoice', status: 'open', tax_amount: '0' })
const draftItems = json([{ description: 'x', quantity: 1, unit_amount: '1' }])
const size = { limit: 101n }
const listed = (customer_id: string, before: bigint | null) => ({ customer_id, before, ...size })

function accountCases({ entry_id, domain }: Middle): Cases {
  return {
    ledger_entries_of: pages(listed, entry_id),
    ledger_entries_of_currency: ['USD', 'EUR'].flatMap((currency) =>
      pages((customer_id, before): Params<'ledger_entries_of_currency'> => {
        return { customer_id, currency, before, limit: 101n }
      }, entry_id),
    ),
    domains_of_customer: [
      { customer_id: largest, after: '', limit: 101n },
      { customer_id: largest, after: domain, limit: 101n },
      { customer_id: small, after: '', limit: 101n },
    ],
    oauth_grants_of_customer: [
      { customer_id: largest, after: null, limit: page },
      { customer_id: largest, after: 'grant40', limit: page },
    ],
    sessions_live: [{ customer_id: largest, now, used_since: days(-30), limit: 50 }],
    sessions_end_oldest: [{ customer_id: largest, now, used_since: days(-30), keep: 1_000 }],
    contacts_first: [{ customer_id: customerId(0) }, { customer_id: small }],
    contacts_owned: [
      { customer_id: largest, ids: [1n, 2n], handle: null },
      { customer_id: largest, ids: [1n], handle: 'AB0' },
    ],
    contacts_of_id: [{ customer_id: largest, id: 1n }],
    customers_put_email: [{ id: largest, email: 'new@example.com', changed_at: now }],
    mailbox_of_browser: [largest, small, null].map((customer_id) => {
      return { requests: [`sgn_${'1'.padStart(26, '0')}`, 'absent'], customer_id, limit: 20 }
    }),
    orders_last: [{ customer_id: largest, domain }],
    orders_prior_state: [{ customer_id: largest, domain, key: 'key0' }],
    domains_last_of_name: [{ customer_id: largest, name: 'e0.com' }],
    contacts_update: [{ ...contact, id: 1n, updated_at: now, changed: true }],
    contacts_insert: [
      {
        ...{ ...contact, handle: 'a new one', now },
        ...{ default_registrant: false, default_admin: false },
      },
    ],
    contacts_delete: [{ customer_id: largest, id: 999_999_999n }],
    invoices_of_customer: pages(listed, 50n),
    invoices_issue: [{ customer_id: largest, currency: 'USD', facts: draft, items: draftItems }],
    ...ledgerCases(entry_id),
    ...cardCases,
    ...limitCases,
    ...customerToolCases,
    ...checkoutCases,
    ...x402Cases,
    ...metricsCases,
    ...eventCases,
    ...supportCases,
  }
}

function jobCases({ domain }: Middle): Cases {
  return {
    domains_end: [{ end_reason: 'dropped', id: 1n, customer_id: largest }],
    orders_place: [{ batch: json([]) }],
    orders_settle: [{ batch: json([]) }],
    domains_refresh: [{ batch: json([reading(5), reading(7)]) }],
    domains_refresh_one: [{ reading: json(reading(5)), id: 5n }],
    domains_claim_due: [{ registry: 'thin', now, sync_at: days(1), limit: 16n }],
    domains_enqueue_sync: [{ registry: 'thin', now, most: 200 }],
    domains_of_round: [
      { registry: 'thin', read_by: now, after_slot: 7, after_id: 0n, last_slot: 9, last_id: 50n },
    ],
    domains_claim_auto_renewals: [
      { now, soon_at: days(1), later_at: days(1), limit: 16n, registry: 'thin' },
    ],
    domains_claim_unrenewed: [
      {
        ...{ expired_by: days(-8), again_at: days(-8), later_at: days(-7) },
        ...{ limit: 16n, registry: 'thin' },
      },
    ],
    expiry_notices_due: [
      {
        kind: 'expires_in_30_days',
        expires_after: days(7),
        expires_by: days(30),
        after_at: '-infinity',
        after_id: 0n,
        limit: 20n,
      },
      {
        kind: 'expired',
        expires_after: days(-30),
        expires_by: days(-3),
        after_at: '-infinity',
        after_id: 0n,
        limit: 20n,
      },
    ],
    orders_claim_due: [{ limit: 16n, lease_ms: 60_000, lease_token: 't', registry: 'thin' }],
    customers_put_status: [{ id: largest, status: 'active', now }],
    orders_parked: [
      { with_alarms: true, after: '', limit: 2 },
      { with_alarms: false, after: `ord_${'0'.repeat(26)}`, limit: 2 },
    ],
    orders_wake: [
      { registry: 'thin', domain, id: null },
      { registry: 'thin', domain: null, id: 'ord_x' },
      { registry: 'thin', domain: null, id: null },
    ],
    partitions_create_next: [{ table: 'registry_messages' }],
    tasks_claim: [
      { lease_token: 't', lease_ms: 5_000, kind: 'send_mail', bulkhead: '', now: null, limit: 20 },
      { lease_token: 't', lease_ms: 5_000, kind: 'sync_contact', bulkhead: 'thin', now, limit: 20 },
    ],
    zones_dequeue: [{ limit: 2n }],
    zones_requeue: [{ provider: 'powerdns', limit: 20 }],
    zones_repair: [{ after: '', limit: 20n }],
    zones_repair_ended: [{ after: '', limit: 20n }],
    oauth_grants_end_unused: [{ limit: 500 }],
    oauth_clients_count_unused: [{ limit: 10_500 }],
    oauth_clients_lock_unused: [
      { age_s: 86_400, surplus_age_s: 86_400, address_quota: 10, limit: 1_000 },
    ],
  }
}

export function casesOf(middle: Middle): Map<string, readonly NamedArguments[]> {
  const own = { ...auditCases(middle), ...chainCases(middle), ...accountCases(middle) }
  const jobs = { ...jobCases(middle), ...exportCases, ...dnsCases(middle), ...retentionCases }
  const all = { ...own, ...jobs, ...reencryptionCases }
  return new Map(Object.entries(all))
}
