// Arguments of the statements of top-ups by card.
import type { Params, StatementName } from '../../../../src/db/statement.ts'
import { customerId } from '../sizes.ts'

const largest = customerId(0)
const small = customerId(7)
const limit = 100n
/** A row from the middle of those of the largest account. */
const checkout = { id: `ctp_${'40'.padStart(26, '0')}` }

export const cardCases: { [N in StatementName]?: readonly Params<N>[] } = {
  card_checkouts_count_open: [{ customer_id: largest }],
  card_checkouts_of_customer: [largest, small].flatMap((customer_id) => [
    { customer_id, before: null, limit },
    { customer_id, before: checkout.id, limit },
  ]),
  card_checkouts_of_customer_id: [{ customer_id: largest, ...checkout }],
  card_checkouts_of_id: [checkout],
  card_checkouts_of_session: [{ session_id: 'cs5' }],
  card_checkouts_parked: [{ after: '', limit }],
  card_checkouts_dismiss: [checkout],
  card_readings_parked: [{ after: '', limit }],
  card_checkouts_lock: [{ session_id: 'cs5' }],
  card_checkouts_claim_reading: [{ ...checkout, within_ms: 0 }],
  card_payments_of_session: [{ session_id: 'cs5' }],
  card_readings_lock_parked: [{ payment_id: 'processor/cs5' }],
  card_readings_settle: [{ payment_id: 'processor/cs5' }],
  card_readings_begin: [{ payment_intent: 'pi5' }],
  card_readings_apply: [{ payment_id: 'processor/cs5', reading: 1n, parked_cents: 0n }],
  card_reversals_of_payment: [{ payment_id: 'processor/cs5' }],
}
