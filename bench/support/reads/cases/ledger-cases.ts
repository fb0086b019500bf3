// Arguments of the statements of payments, corrections, bookkeepers' reports and the runway.
import type { Params, StatementName } from '../../../../src/db/statement.ts'
import { customerId } from '../sizes.ts'

type Cases = { [N in StatementName]?: readonly Params<N>[] }

const largest = customerId(0)
const small = customerId(7)
const now = new Date()
const yesterday = new Date(now.getTime() - 86_400_000)
const paid = {
  customer_id: largest,
  currency: 'USD',
  amount: 100n,
  description: 'x',
  account: 'processor',
  checkout_id: 'x',
  invoice_id: 1n,
}
const session = (id: string | null, intent: string | null) => ({
  ...{ processor_checkout_session_id: id, processor_payment_intent_id: intent },
})

/** `entry_id` belongs to a transfer in the middle of the table. */
export function ledgerCases(entry_id: bigint): Cases {
  return {
    domains_runway: [{ customer_id: largest }, { customer_id: small }],
    domains_summary: [{ customer_id: largest }, { customer_id: small }],
    orders_open_of_customer: [{ customer_id: largest }, { customer_id: small }],
    ledger_owed_before: [largest, small].map((customer_id) => {
      return { customer_id, currency: 'USD', moment: yesterday, last_id: entry_id }
    }),
    payments_known: [
      { id: 'processor/cs5', ...session('cs5', 'pi5') },
      { id: 'eip155:1/0xab/1', ...session(null, null) },
    ],
    payments_credit: [{ id: 'processor/new', ...session('new', 'new'), ...paid }],
    payments_with_reversals: [{ id: 'processor/cs5' }],
    payment_reversals_of_id: [{ id: 'rev5' }],
    payments_reverse: [
      {
        ...{ id: 'rev-new', payment_id: 'processor/cs5', kind: 'refund', amount: 1n },
        ...{ description: 'x', invoice_id: 6n },
      },
    ],
    ledger_adjust: [
      {
        ...{ id: 'adj-new', customer_id: largest, currency: 'USD', amount: -1n, reason: 'x' },
        ...{ kind: 'adjustment', operation_id: null },
      },
    ],
    payments_credited: [
      { first_id: 1n, before: 2n ** 62n, limit: 101n },
      { first_id: 1n, before: 10n, limit: 101n },
    ],
    payments_credited_of_customer: [largest, small].map((customer_id) => {
      return { customer_id, first_id: 1n, before: 2n ** 62n, limit: 101n }
    }),
    payments_bounds: [{ from: yesterday, to: now }],
    bookkeeping_transfers_after: [{ after: entry_id, up_to: entry_id + 500n, limit: 1_000n }],
    bookkeeping_transfer_bounds: [{ from: yesterday, to: yesterday }],
    bookkeeping_transfer_sums: [{ after: entry_id, up_to: entry_id + 500n, before: null }],
    bookkeeping_customer_accounts: [{ after_customer: small, after_currency: 'EUR', limit: 10n }],
  }
}
