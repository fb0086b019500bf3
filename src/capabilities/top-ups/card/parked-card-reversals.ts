// Lists refunds and disputes by card that do not fit their payment, for operators, and dismisses
// one that is dealt with.

import Type from 'typebox'
import { operation, operatorOnly } from '../../../app.ts'
import { fault } from '../../../kit/fault.ts'
import { currencies, formatAmount } from '../../../kit/money.ts'
import type { CustomerId, PaymentId } from '../../../kit/random.ts'
import { amount, oneOf, stringOf, wordOf } from '../../../kit/schema.ts'
import { byText } from '../../../lists/cursor.ts'
import { workList } from '../../../lists/work-list.ts'
import { lockParkedReversal, parkedReversals, settleParkedReversal } from './card.sql.ts'

const notParked = fault('card_reversal_not_parked', 'conflict', {
  sentence: 'A different amount is parked for the payment.',
  hint: 'Read the list of parked card reversals: it may have changed; nothing was changed now.',
})
const absent = fault('card_reversal_not_found', 'absent', {
  sentence: 'No refund or dispute is known for a payment with this id.',
  hint: 'Take the id from the list of parked card reversals, as it is written there.',
})

const parkedReversal = Type.Object(
  {
    payment_id: stringOf<PaymentId>(),
    customer_id: stringOf<CustomerId>(),
    currency: oneOf(currencies),
    amount: amount('The amount that was paid.'),
    parked_amount: amount(
      'The amount that was refunded or disputed beyond the payment or in another currency, less ' +
        'the dismissed amount. Below zero it is the part of the dismissed amount that has come ' +
        'back since.',
    ),
  },
  { title: 'ParkedCardReversal' },
)

type Row = {
  customer_id: CustomerId
  currency: string
  amount: bigint
  parked_cents: bigint
  settled_cents: bigint
}

function shown(payment_id: PaymentId, row: Row) {
  return {
    payment_id,
    customer_id: row.customer_id,
    currency: wordOf(currencies, row.currency),
    amount: formatAmount(row.amount),
    parked_amount: formatAmount(row.parked_cents - row.settled_cents),
  }
}

export const listParkedCardReversals = workList({
  name: 'list_parked_card_reversals',
  does: 'List the card payments with more refunds or disputes than can be taken back.',
  more:
    'The part up to the payment is posted; the rest waits. Compare the refunds at the processor ' +
    'with the payment, correct the balance by an adjustment where it is due, and dismiss the rest.',
  at: 'GET /v1/internal/billing/parked-card-reversals',
  area: 'Billing',
  entries: 'reversals',
  entry: parkedReversal,
  title: 'ParkedCardReversalsResponse',
  by: byText,
  read: ({ after, most }, { sql }) =>
    sql.run(parkedReversals, { after: after ?? '', limit: BigInt(most) }),
  keyOf: ({ payment_id }) => payment_id,
  present: (rows) => rows.map((row) => shown(row.payment_id, row)),
})

export const dismissParkedCardReversal = operation({
  name: 'dismiss_parked_card_reversal',
  does: 'Dismiss a parked card reversal, once it is dealt with. No money moves.',
  more: 'A later refund or dispute that does not match the payment is listed again.',
  at: 'POST /v1/internal/billing/parked-card-reversals/dismiss',
  area: 'Billing',
  who: operatorOnly(),
  takes: Type.Object({
    payment_id: stringOf<PaymentId>({ minLength: 1, maxLength: 300, description: 'The payment.' }),
    amount_cents: Type.Integer({
      minimum: -1_000_000_000,
      maximum: 1_000_000_000,
      examples: [500],
      description: '"parked_amount" of the list in minor units; 409 if it has changed.',
    }),
    reason: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The reason, for the audit log.',
    }),
  }),
  gives: parkedReversal,
  fails: [notParked, absent],
  effect: 'transaction',
  target: ({ payment_id, amount_cents, reason }, output) => ({
    target_type: 'payment',
    target: payment_id,
    ...(output ? { customer_id: output.customer_id } : {}),
    metadata: { amount_cents, reason, ...(output && { currency: output.currency }) },
  }),
  async run({ payment_id, amount_cents }, { sql }) {
    const row = await sql.maybe(lockParkedReversal, { payment_id })
    if (!row) throw absent()
    const parked = row.parked_cents - row.settled_cents
    if (parked === 0n || parked !== BigInt(amount_cents)) throw notParked()
    await sql.count(settleParkedReversal, { payment_id })
    return shown(payment_id, { ...row, settled_cents: row.parked_cents })
  },
})
