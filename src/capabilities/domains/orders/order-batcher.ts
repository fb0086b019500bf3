// Group commit: batches concurrent placements, and concurrent settlements, into one statement and
// one transaction.

import type { AuditRow } from '../../../app.ts'
import type { Database } from '../../../db/database.ts'
import { json } from '../../../db/statement.ts'
import { type Batched, batched } from '../../../kit/concurrency/batch.ts'
import type { ApprovalId, CustomerId, DomainName, GrantId, OrderId } from '../../../kit/random.ts'
import { wordOf } from '../../../kit/schema.ts'
import type { ContactRole } from '../../contacts/index.ts'
import { type LimitRule, limitRules } from '../../limits/index.ts'
import { placeOrdersBatch, settleOrdersBatch } from './orders.sql.ts'

/**
 * The facts that are durable before a byte is sent. `amount` is in minor units, as a decimal
 * integer.
 */
export type Placement = {
  id: OrderId
  customer_id: CustomerId
  type: string
  domain: DomainName
  registry: string
  currency: string
  amount: string
  digest: string
  command: unknown
  fingerprint: string
  /** The registries' time (ISO 8601). */
  first_sent_at: string
  /** `expiry` of the holding for which the price was made, or null if there is none yet. */
  fence: string | null
  sealed: string | null
  /** The trace of the purchase, if it is traced: the settle job's trace links to it. */
  traceparent: string | null
  lease_ms: number
  lease_token: string
  /** The key or the consent whose limits count the order, or null. */
  api_key_id: string | null
  oauth_grant_id: GrantId | null
  /** The session and the address of the request, or null if it has none. */
  session_id: string | null
  address: string | null
  /** SHA-256 of the key as it was sent, hexadecimal, or null if the service orders for it. */
  key_hash: string | null
  /** The approval by which it is placed, with the digest of the approved order. */
  approval_id: ApprovalId | null
  approval_digest: string | null
  /** The quote that made its price. */
  quote_id: string | null
  /** Whether it draws on the renewal reserve first. */
  from_reserve: boolean
  description: string
  idempotency_key: string | null
  idempotency_digest: string | null
  contacts: Partial<Record<ContactRole, number>>
  audit: AuditRow
}
export type PlacementResult =
  | { outcome: 'placed' }
  /** The holding is not the one for which the price was made, or exists already. */
  | { outcome: 'fence_mismatch' }
  /** A contact of the order does not (any more) belong to the customer. */
  | { outcome: 'contact_deleted' }
  /** Its approval does not allow exactly this, now. */
  | { outcome: 'unapproved' }
  /** Its quote has made another order, or has expired a moment ago. */
  | { outcome: 'unquoted' }
  | { outcome: 'open_order' | 'known_key'; order_id: OrderId }
  | { outcome: 'insufficient_funds'; available: bigint }
  /** A limit of its key or of its consent prevents it. */
  | { outcome: 'limit'; rule: LimitRule }

/** The end of an order, with everything that is stored with it in one transaction. */
export type Settlement = {
  order_id: OrderId
  customer_id: CustomerId
  currency: string
  domain: DomainName
  /** A release needs the order's lease; a capture does not. */
  lease_token: string
  succeeded: boolean
  error_code: string | null
  error_detail: string | null
  description: string
  holding: HoldingFacts | null
  audit: AuditRow
  answer: object | null
}
export type HoldingFacts = {
  paid_until: string
  /** Years that the capture adds; orders_settle takes those of a renewal from its command. */
  paid_years: number
  registry_expiry: string
  registered_at: string
  nameservers: string[]
  period_years: number
  /** Null leaves them as they were known. */
  epp_statuses: string[] | null
  rgp_statuses: string[] | null
  locked: boolean
  contacts: Partial<Record<ContactRole, number>>
  /** When the registry is asked about it next. */
  sync_at: string
  /** The name servers that are still to be set at the registry. */
  wanted_nameservers: string[] | null
}
/** With `closed` and `taken_over` another process ended or continues it, and nothing was done. */
export type SettlementResult = { outcome: string; state: string }
type OrderBatcher = {
  place: Batched<Placement, PlacementResult>
  settle: Batched<Settlement, SettlementResult>
}

// There is one batch at a time of each kind: while it commits, the next one fills, so that each
// commit is shared by more orders.
const limits = { in_flight: 1, most: 64, delay_ms: 12 }

declare module '../../../app.ts' {
  interface App {
    /** There is one for each process, so that all its callers share batches. */
    orderBatcher: OrderBatcher
  }
}

export function openOrderBatcher(db: Database, delay_ms = limits.delay_ms): OrderBatcher {
  const each = { ...limits, delay_ms }
  return {
    place: batched((items) => placeTogether(db, items), { ...each, name: 'place batch' }),
    settle: batched((items) => settleTogether(db, items), { ...each, name: 'settle batch' }),
  }
}

async function placeTogether(db: Database, items: Placement[]): Promise<PlacementResult[]> {
  const batch = items.map((item, i) => ({ i, ...item }))
  const rows = await db.run(placeOrdersBatch, { batch: json(batch) })
  return oneEach(items, rows).map((row) => {
    // Its own order exists already: a first attempt was committed, and the response to its commit
    // was lost.
    if (row.order_id === batch[row.i]?.id) return { outcome: 'placed' }
    switch (row.outcome) {
      case 'fence_mismatch':
      case 'contact_deleted':
      case 'unapproved':
      case 'unquoted':
        return { outcome: row.outcome }
      case 'limit':
        return { outcome: 'limit', rule: wordOf(limitRules, row.order_id ?? '') }
      case 'insufficient_funds':
        return { outcome: 'insufficient_funds', available: row.available ?? 0n }
      case 'open_order':
      case 'known_key':
        return { outcome: row.outcome, order_id: row.order_id ?? '' }
      default:
        throw new Error(`orders_place answered "${row.outcome}"`)
    }
  })
}

async function settleTogether(db: Database, items: Settlement[]): Promise<SettlementResult[]> {
  const batch = items.map((item, i) => ({ i, ...item }))
  return oneEach(items, await db.run(settleOrdersBatch, { batch: json(batch) }))
}

/** Rows come in the order of the items, so one that is missing would give its place to another. */
function oneEach<R>(items: readonly object[], rows: R[]): R[] {
  if (rows.length === items.length) return rows
  throw new Error(`${items.length} orders, ${rows.length} outcomes`)
}
