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
    ...checkouts(sizes),
    ...x402(sizes),
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

/** Few of them are open or watched, however many there were; all others are closed. */
function checkouts(sizes: Sizes): Table[] {
  const isOpen = 'i between 41 and 50'
  const watched = `now() + case when ${isOpen} then interval '1 day' else interval '-1 day' end`
  return [
    {
      table: 'checkouts',
      rows: sizes.domains,
      columns: `id, customer_id, gateway, amount, currency, status, expires_at, started_at, asset,
        network, decimals, is_pegged, required_confirmations, reference, pay_address, pay_amount,
        payment_uri, quote_units, quote_cents, watched_until, look_at, settle_at`,
      values: `'chk_' || lpad(i::text, 26, '0'), ${owner(sizes)}, 'btcpay', 100, 'USD',
        case when ${isOpen} then 'awaiting_payment' else 'paid' end, now(), now(), 'USDC', 'base',
        6, true, 2, 'inv' || i, 'address' || i, 1000000, 'uri', 1000000, 100, ${watched},
        case when ${isOpen} then now() end, case when ${isOpen} then now() end`,
    },
    {
      table: 'checkout_payments',
      rows: sizes.domains,
      columns: `id, checkout_id, asset, network, decimals, transaction_id, amount, state,
        confirmations, at, observed_at, watched_until, treatment, credited`,
      values: `'btcpay/s/' || i, 'chk_' || lpad(i::text, 26, '0'), 'USDC', 'base', 6, 'tx' || i, 1,
        'confirmed', 2, now(), now() - interval '1 hour', ${watched}, 'credited', 100`,
    },
  ]
}

/** Nearly all of them are settled. */
function x402(sizes: Sizes): Table[] {
  const [token, payer, wallet] = ['a', 'b', 'c'].map((digit) => `'0x' || repeat('${digit}', 40)`)
  const hash = "'0x' || lpad(i::text, 64, '0')"
  const checkout = "'chk_' || lpad(i::text, 26, '0')"
  return [
    {
      table: 'x402_offers',
      rows: sizes.domains,
      columns: 'checkout_id, chain_id, token, domain_name, domain_version',
      values: `${checkout}, 8453, ${token}, 'USD Coin', '2'`,
    },
    {
      table: 'x402_authorizations',
      rows: sizes.domains,
      columns: `id, checkout_id, customer_id, chain_id, token, payer, nonce, valid_after,
        valid_before, sealed_signature, state, transaction_id`,
      values: `'xau_' || lpad(i::text, 26, '0'), ${checkout}, ${owner(sizes)}, 8453, ${token},
        ${payer}, ${hash}, 0, 1, case when i between 41 and 50 then 'x' end,
        case when i between 41 and 50 then 'stored' else 'settled' end,
        case when i between 41 and 50 then null else ${hash} end`,
    },
    {
      table: 'x402_transactions',
      rows: sizes.domains,
      columns: `transaction_id, authorization_id, chain_id, wallet, gas_nonce, gas, max_fee,
        priority_fee, ended_at`,
      values: `${hash}, 'xau_' || lpad(i::text, 26, '0'), 8453, ${wallet}, i, 1, 1, 1, now()`,
    },
  ]
}
