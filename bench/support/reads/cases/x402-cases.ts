// Arguments of the statements of top-ups by x402.
import type { Params, StatementName } from '../../../../src/db/statement.ts'
import { customerId } from '../sizes.ts'

const largest = customerId(0)
const now = new Date()
const checkout_id = `chk_${'40'.padStart(26, '0')}`
const id = `xau_${'40'.padStart(26, '0')}`
const token = `0x${'a'.repeat(40)}`
const payer = `0x${'b'.repeat(40)}`
const nonce = `0x${'40'.padStart(64, '0')}`
const transaction_id = nonce
const wallet = `0x${'c'.repeat(40)}`
const key = { chain_id: 8453n, token, payer, nonce }

export const x402Cases: { [N in StatementName]?: readonly Params<N>[] } = {
  x402_offers_of_checkout: [{ checkout_id }],
  x402_offers_open: [
    {
      ...{ customer_id: largest, open_until: now, amount: 100n, currency: 'USD' },
      ...{ asset: 'USDC', network: 'base', token },
    },
  ],
  x402_offers_of_reference: [{ gateway: 'btcpay', reference: 'inv40', customer_id: largest }],
  x402_authorizations_insert: [
    {
      ...{ id: `xau_${'z'.repeat(26)}`, checkout_id, customer_id: largest, ...key },
      ...{ nonce: `0x${'f'.repeat(64)}`, valid_after: 0n, valid_before: 1n },
      ...{ sealed_signature: 'x', most: 5 },
    },
  ],
  x402_authorizations_by_id: [{ id }],
  x402_authorizations_of_nonce: [key],
  x402_authorizations_of_checkout: [{ checkout_id, ...key }],
  x402_authorizations_submitted: [{ id }],
  x402_authorizations_hint: [{ id, transaction_id }],
  x402_authorizations_mined: [{ id, transaction_id }],
  x402_authorizations_end: [{ id, state: 'settled', reason: null, transaction_id }],
  x402_transactions_of_authorization: [{ authorization_id: id }],
  x402_transactions_newest: [{ chain_id: 8453n, wallet }],
  x402_transactions_end: [{ authorization_id: id }],
}
