// Arguments of the statements of top-ups through a payment gateway.
import { json, type Params, type StatementName } from '../../../../src/db/statement.ts'
import { customerId } from '../sizes.ts'

const largest = customerId(0)
const small = customerId(7)
const now = new Date()
const later = new Date(now.getTime() + 60_000)
const id = `chk_${'40'.padStart(26, '0')}`
const gateway = 'btcpay'
const observed = json([
  {
    ...{ id: 'btcpay/s/40', checkout_id: id, asset: 'USDC', network: 'base', decimals: 6 },
    ...{ transaction_id: 'tx', amount: '1', state: 'orphaned', confirmations: 0 },
    ...{ value_currency: null, value_cents: null, withheld: null, at: now.toISOString() },
  },
])
const pages = [largest, small].flatMap((customer_id) =>
  ['chk_~', id].map((before) => ({ customer_id, before, limit: 101n })),
)

export const checkoutCases: { [N in StatementName]?: readonly Params<N>[] } = {
  checkouts_insert: [
    {
      ...{ id: `chk_${'z'.repeat(26)}`, customer_id: largest, gateway, amount: 1n },
      ...{ currency: 'USD', expires_at: later, most_open: 20 },
    },
  ],
  checkouts_of_id: [{ id, customer_id: largest }],
  checkouts_by_id: [{ id }],
  checkouts_lock: [{ id }],
  checkouts_open: pages,
  checkouts_of_customer: pages,
  checkouts_of_status: pages.flatMap((page) =>
    ['paid', 'failed'].map((status) => ({ ...page, status })),
  ),
  checkouts_of_reference: [{ gateway, reference: 'inv40' }],
  checkouts_store_status: [{ id, status: 'paid', settle_at: now }],
  checkouts_to_settle: [{ now, limit: 100n }],
  checkouts_settle_later: [{ ids: [id], settle_at: later }],
  checkouts_watched: [{ gateway, now }],
  checkouts_claim_watched: [{ gateway, now, every_s: 15, limit: 64n }],
  checkouts_watched_one: [{ id, gateway }],
  checkouts_store_reported: [{ id, transaction_id: 'tx', now }],
  checkouts_claim_compared: [{ gateway, now, limit: 200n }],
  checkouts_compare_again: [{ ids: [id] }],
  checkouts_compared_one: [{ id, gateway, now }],
  checkouts_observe_no_later_than: [{ id, gateway, at: now }],
  checkouts_lock_of_references: [{ gateway, references: ['inv40'] }],
  checkout_payments_parked: [{ after: '', limit: 101n }],
  checkout_payments_checkout: [{ id: 'btcpay/s/40' }],
  checkout_payments_of_checkouts: [{ checkout_ids: [id] }],
  checkout_payments_known_of: [{ checkout_ids: [id], now }],
  checkout_payments_known: [{ gateway, now, limit: 50_000n }],
  checkout_payments_store: [{ payments: observed, observed_at: now, apart_ms: 15_000 }],
  checkout_payments_store_received: [{ id: 'btcpay/s/40', units: '1' }],
  checkout_payments_seen_units: [{ checkout_ids: [id] }],
  checkout_payments_of_transactions: [{ checkout_ids: [id], transaction_ids: ['tx'] }],
  checkout_payments_park_changed: [{ payments: observed, ids: ['btcpay/s/40'] }],
  checkout_payments_store_rate: [{ id: 'btcpay/s/40', units: '1', cents: '1' }],
  checkout_payments_store_treatment: [
    {
      ...{ id: 'btcpay/s/40', treatment: 'kept', reason: null, credited: 0n, taken: 0n },
      ...{ quoted_amount: '0', reversals: 0, watched_until: later },
    },
  ],
}
