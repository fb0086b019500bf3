// Arguments of the statements whose cost depends on them: the largest account, any cursor, any
// filter, also one that fits no row. Every other statement is run with arguments of the right type.
import { json, type Params, type StatementName } from '../../../src/db/statement.ts'
import { customerId } from './sizes.ts'

export type Arguments = readonly unknown[]
type Cases = { [N in StatementName]?: readonly Params<N>[] }

/** The largest account: it owns a twentieth of every table. */
export const largest = customerId(0)
const small = customerId(7)
const now = new Date()
const days = (count: number) => new Date(now.getTime() + count * 86_400_000)
/** The middle of a table of any size, about: a cursor far from both ends. */
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

/** A registry's reading of a holding. */
const reading = (id: number) => ({
  ...{ id, registry_expiry: days(100), nameservers: [], epp_statuses: ['ok'], rgp_statuses: [] },
  ...{ synced_at: now, sync_at: days(1), pending_transfer: false, seen: null },
})

/** The first page and one from the middle, of the largest account and of a small one. */
function pages<T>(make: (who: string, cursor: bigint | null) => T, middle: bigint): T[] {
  return [largest, small].flatMap((who) => [make(who, null), make(who, middle)])
}

function auditCases({ audit_id, domain, xid }: Middle): Cases {
  const end = 2n ** 63n - 1n
  return {
    audit_of_customer: pages((who, cursor) => [who, cursor, page], audit_id),
    audit_of_customer_by_entry_point: ['rest', absent].flatMap((point) =>
      pages((who, cursor): Params<'audit_of_customer_by_entry_point'> => {
        return [who, point, cursor, page]
      }, audit_id),
    ),
    audit_of_customer_by_action: [
      ['renew_domain', points] as const,
      [absent, points] as const,
      ['renew_domain', [absent]] as const,
      ['renew_domain', ['rest']] as const,
    ].flatMap(([action, some]) =>
      pages((who, cursor): Params<'audit_of_customer_by_action'> => {
        return [who, action, some, cursor, page]
      }, audit_id),
    ),
    audit_of_domains: pages((who, cursor) => [who, cursor, page], audit_id),
    audit_of_domain: [domain, 'absent.example'].flatMap((name) =>
      pages((who, cursor): Params<'audit_of_domain'> => {
        return [who, name, absent, null, null, cursor, page]
      }, audit_id),
    ),
    audit_of_domains_by_time: times.flatMap(([from, to]) =>
      pages((who, cursor): Params<'audit_of_domains_by_time'> => {
        return [who, from, to, cursor, page]
      }, audit_id),
    ),
    audit_of_domains_by_action: times.flatMap(([from, to]) =>
      pages((who, cursor): Params<'audit_of_domains_by_action'> => {
        return [who, cursor === null ? absent : 'renew_domain', from, to, cursor, page]
      }, audit_id),
    ),
    audit_append: [[JSON.stringify(auditRow)]],
    audit_row_of_customer: [[largest, audit_id]],
    audit_new_era_start: [['1', 5n]],
    audit_block_of_row: [[xid, audit_id]],
    audit_rows_to_seal: [[xid, audit_id, -end, end, false, 500]],
    audit_rows_in_order: [[xid, audit_id, -end, end, '99999999', end, 500]],
    audit_blocks_after: [[3n, 5]],
  }
}

function accountCases({ entry_id, domain }: Middle): Cases {
  return {
    ledger_entries_of: pages((who, cursor) => [who, cursor, 101n], entry_id),
    ledger_entries_of_currency: ['USD', 'EUR'].flatMap((currency) =>
      pages((who, cursor): Params<'ledger_entries_of_currency'> => {
        return [who, currency, cursor, 101n]
      }, entry_id),
    ),
    domains_of_customer: [
      [largest, '', 101n],
      [largest, domain, 101n],
      [small, '', 101n],
    ],
    oauth_grants_of_customer: [
      [largest, null, page],
      [largest, 'grant40', page],
    ],
    sessions_live: [[largest, now, days(-30), 50]],
    sessions_end_oldest: [[largest, now, days(-30), 1_000]],
    contacts_owned: [
      [largest, [1n, 2n], null],
      [largest, [1n], 'AB0'],
    ],
    contacts_of_id: [[largest, 1n]],
    orders_last: [[largest, domain]],
    domains_prior_state: [[largest, domain, 'key0']],
    domains_last_of_name: [[largest, 'e0.com']],
    contacts_update: [
      [
        ...([largest, 1n, 'A', 'a@example.com', null, 'x', null, 'x', 'x', 'DE', '1'] as const),
        ...(['49', '1', true, true, false, false, now, true] as const),
      ],
    ],
    contacts_delete: [[largest, 999_999_999n]],
    top_ups_by_session_or_intent: [
      ['cs5', 'pi5'],
      ['cs5', null],
    ],
  }
}

function jobCases({ domain }: Middle): Cases {
  return {
    domains_place_orders: [[json([])]],
    domains_settle_orders: [[json([])]],
    domains_refresh: [[json([reading(5), reading(7)])]],
    domains_refresh_one: [[json(reading(5)), 5n]],
    domains_claim_due: [['thin', now, days(1), 16n]],
    domains_claim_auto_renewals: [[now, 16n, 'thin']],
    domains_claim_unpaid: [[now, days(1), days(-30), 16n, 'thin']],
    expiry_notices_due: [
      ['expires_in_30_days', days(7), days(30), '-infinity', 0n, 20n],
      ['expired', days(-30), days(-3), '-infinity', 0n, 20n],
    ],
    orders_claim_due: [[16n, 60_000, 't', 'thin']],
    orders_parked: [
      [true, '', 2],
      [false, `ord_${'0'.repeat(26)}`, 2],
    ],
    orders_wake: [
      ['thin', domain, null],
      ['thin', null, 'ord_x'],
      ['thin', null, null],
    ],
    mails_purge_bodies: [[30, 500]],
    mails_purge: [[days(-730), 500]],
    oauth_grants_purge: [[365, 500]],
    mcp_client_names_purge: [[days(-30), 500]],
    domain_changes_purge: [[days(-1), 500]],
    expiry_notices_purge: [[days(-730), 500]],
    registry_messages_purge: [[days(-180), 500]],
    tasks_claim: [
      ['t', 5_000, 'send_mail', '', null, 20],
      ['t', 5_000, 'sync_contact', 'thin', now, 20],
    ],
    tasks_purge_dead: [[days(-30), 500]],
    zones_claim_due: [[10n, 30_000, null]],
    zones_dequeue: [[2n]],
    zones_requeue: [['powerdns', 20n]],
    zones_repair: [['', 20n]],
    zones_repair_ended: [['', 20n]],
    zones_find: [
      [
        [domain, 'com'],
        [`com.${domain}`, 'com'],
      ],
    ],
    oauth_models_purge: [[500n]],
    oauth_grants_end_unused: [[500]],
    oauth_clients_count_unused: [[10_500]],
    oauth_clients_lock_unused: [[86_400, 86_400, 10, 1_000]],
    idempotency_keys_purge: [[days(-1), 5_000]],
    rate_limits_purge: [[days(-1), 20]],
    sign_in_purge_failures: [[days(-2), 5_000]],
    oauth_documents_purge: [[days(-1), 10_000, 1_000]],
    sessions_purge: [[days(-30), 5_000]],
    password_links_purge: [[days(-1), 5_000]],
    sign_in_purge_places: [[days(-90), 5_000]],
  }
}

export function casesOf(middle: Middle): Map<string, readonly Arguments[]> {
  const all = { ...auditCases(middle), ...accountCases(middle), ...jobCases(middle) }
  return new Map(Object.entries(all))
}

/** Statements that may read more on a larger database, and why. */
export const growing: { [N in StatementName]?: string } = {
  api_keys_of_customer: 'the contract lists all keys of an account on one page',
  contacts_of_customer: 'the contract lists all contacts of an account on one page',
  audit_repair_eras: 'reads every block, once when an operator accepts a restore',
  orders_parked: 'sorts the orders that wait for an operator',
  domains_claim_unpaid: 'reads the names in deletion, which the registry ends within 35 days',
  mails_outbox: 'counts the mails that wait, which is what health reports',
  tasks_count_dead: 'counts the dead letters of a day, which health reports',
  oauth_documents_purge: 'counts the copies of documents, which end a day after their last use',
  oauth_grants_end_unused:
    'looks at every open consent: it ends by the time of its tokens, which no index of it knows',
}

/** Tables of few rows on any database: their statements may read all. */
export const few: readonly string[] = [
  ...[
    'append_only_tables',
    'audit_alarms',
    'audit_eras',
    'audit_restorations',
    'oauth_signing_keys',
  ],
  ...['operator_keys', 'own_nameservers', 'sandbox_clock', 'schedules', 'schema_migrations'],
  ...['session_slot_waits', 'session_slots', 'tld_prices', 'worker_heartbeats'],
]
