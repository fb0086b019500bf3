// Rows of payments, and of corrections of balances.
import { customerId, owner, type Sizes, type Table } from './sizes.ts'

export function payments(sizes: Sizes): Table[] {
  return [
    {
      table: 'payments',
      rows: sizes.customers,
      columns: `id, account, processor_checkout_session_id, processor_payment_intent_id,
        customer_id, currency, amount, transfer_id`,
      values: `'processor/cs' || i, 'processor', 'cs' || i, 'pi' || i, ${customerId('i')}, 'USD',
        100, 1 + i`,
    },
    {
      table: 'card_checkouts',
      rows: sizes.entries,
      columns: `id, customer_id, currency, amount_cents, status, session_id, return_url,
        expires_at, created_at`,
      values: `'ctp_' || lpad(i::text, 26, '0'), ${owner(sizes)}, 'USD', 100,
        case when i % 1000 = 7 then 'open' else 'expired' end, 'cs' || i, '/', now(), now()`,
    },
    {
      table: 'card_readings',
      rows: sizes.customers,
      columns: 'payment_id, begun',
      values: `'processor/cs' || i, 1`,
    },
    {
      table: 'deposit_paths',
      rows: sizes.customers,
      columns: 'checkout_id, branch, address_index',
      values: `'checkout' || i, 1, i`,
    },
    {
      table: 'payment_reversals',
      rows: sizes.customers,
      columns: 'id, payment_id, kind, customer_id, currency, amount, shortfall, description',
      values: `'re' || i, 'processor/cs' || i, 'refund', ${customerId('i')}, 'USD', 1, 0, 'x'`,
    },
    {
      table: 'ledger_adjustments',
      rows: sizes.customers,
      columns: 'id, kind, customer_id, currency, amount, reason, transfer_id',
      values: `'adj' || i, 'adjustment', ${customerId('i')}, 'USD', 1, 'x', 1 + i`,
    },
  ]
}
