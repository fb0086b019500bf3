// Customers with money, and placements as a purchase makes them, for tests of the order batcher.
import { testDatabase } from '../../../../test/support/database.ts'
import { newId } from '../../../kit/random.ts'
import { systemAuditRow } from '../../audit/index.ts'
import type { HoldingFacts, Placement, Settlement } from './order-batcher.ts'

export const db = await testDatabase()

export async function newCustomer(cents: bigint, currency = 'USD'): Promise<string> {
  const id = newId('cus')
  await db.query(
    `insert into customers (id, email, name, created_at, updated_at)
     values ($1, $1 || '@example.net', 'A', now(), now())`,
    [id],
  )
  await topUp(id, cents, currency)
  return id
}

/** Does nothing if `cents` is 0, so that there is no balance of that currency at all. */
export async function topUp(customer: string, cents: bigint, currency: string): Promise<void> {
  if (cents === 0n) return
  const session = newId('pay')
  await db.query('select payments_credit($1, $2, $3, $4, $5::jsonb)', [
    session,
    customer,
    currency,
    cents,
    { account: 'processor', description: 't' },
  ])
}

type Query = (text: string, params?: unknown[]) => Promise<unknown>

/** Gives a holding another term than its orders made, as an operator's correction would. */
export async function movePaidUntil(query: Query, domain: string, moment: string): Promise<void> {
  await query(
    `insert into domain_terms (domain_id, order_id, kind, years, paid_until)
     select id, order_id, 'corrected', 0, ${moment} from domains
      where name = $1 and ended_at is null`,
    [domain],
  )
  await query(
    `update domains d set expiry = (select paid_until from domain_terms t where t.domain_id = d.id
                                     order by t.id desc limit 1)
      where name = $1 and ended_at is null`,
    [domain],
  )
}

/** A contact that orders of this customer may use. */
export async function newContact(customer: string): Promise<number> {
  const [row] = await db.query(
    `insert into contacts (customer_id, handle, name, email, address, city, state, country, zip,
                           phone_country_code, phone_number, default_registrant, default_admin,
                           default_technical, default_billing, created_at, updated_at)
     values ($1, $1, 'A', 'a@example.net', 'x', 'x', 'x', 'GB', 'x', '44', '1', false, false, false,
             false, now(), now())
     returning id`,
    [customer],
  )
  return Number(row?.id)
}

const audit = (order: string) =>
  systemAuditRow(
    { action: 'register_domain', agent_identifier: 'test', now: new Date() },
    { target_type: 'domain', target: 'x.com', metadata: { order } },
  )

export function placing(
  customer_id: string,
  domain: string,
  more: Partial<Placement> = {},
): Placement {
  const id = newId('ord')
  return {
    id,
    customer_id,
    type: 'register',
    domain,
    registry: 'thin',
    currency: 'USD',
    amount: '1000',
    digest: 'd',
    command: {},
    fingerprint: 'f',
    first_sent_at: new Date().toISOString(),
    fence: null,
    sealed: null,
    traceparent: null,
    lease_ms: 10_000,
    lease_token: 't',
    api_key_id: null,
    oauth_grant_id: null,
    session_id: null,
    address: null,
    key_hash: null,
    approval_id: null,
    approval_digest: null,
    quote_id: null,
    from_reserve: false,
    description: domain,
    idempotency_key: null,
    idempotency_digest: null,
    contacts: {},
    audit: audit(id),
    ...more,
  }
}

export const facts: HoldingFacts = {
  paid_until: '2027-01-01T00:00:00.000Z',
  paid_years: 1,
  registry_expiry: '2027-01-01T00:00:00.000Z',
  registered_at: '2026-01-01T00:00:00.000Z',
  nameservers: ['ns1.example.net'],
  period_years: 1,
  epp_statuses: [],
  rgp_statuses: [],
  locked: false,
  contacts: {},
  sync_at: '2026-01-02T00:00:00.000Z',
  wanted_nameservers: null,
}

export function settling(
  { id, customer_id, domain, currency }: Placement,
  succeeded: boolean,
  more: Partial<Settlement> = {},
): Settlement {
  return {
    order_id: id,
    customer_id,
    currency,
    domain,
    lease_token: 't',
    succeeded,
    error_code: succeeded ? null : 'domain_taken',
    error_detail: null,
    description: domain,
    holding: succeeded ? facts : null,
    audit: audit(id),
    answer: null,
    ...more,
  }
}
