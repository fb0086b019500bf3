// Rows of payments, and of corrections of balances.
import { customerId, type Sizes, type Table } from './sizes.ts'

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
