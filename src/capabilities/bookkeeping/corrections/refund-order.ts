// An operator gives the price of an order back, in whole or in part, with a reason.

import Type from 'typebox'
import { operation, operatorOnly } from '../../../app.ts'
import { fault } from '../../../kit/fault.ts'
import { currencies, formatAmount } from '../../../kit/money.ts'
import type { OrderId } from '../../../kit/random.ts'
import { amount, oneOf, stringOf, wordOf } from '../../../kit/schema.ts'
import { readBalance } from '../../../ledger/ledger.ts'
import { orderWithRefunds } from './corrections.sql.ts'
import {
  correctionConflict,
  correctionFields,
  correctionId,
  earlierCorrection,
  lockCorrections,
  postNewCorrection,
  reasonField,
} from './post-correction.ts'

const orderUnknown = fault('refund_order_not_found', 'absent', {
  sentence: 'There is no order with this id to refund.',
  hint: 'Take operation_id from a transaction of the customer.',
})
const notRefundable = fault('order_not_refundable', 'conflict', {
  sentence: 'Only an order that succeeded was paid and can be refunded.',
  hint: 'An open order is settled or released; a failed one has already released its price.',
})
const exceedsOrder = fault('refund_exceeds_order', 'conflict', {
  sentence: 'This is more than the part of the price that is not refunded yet.',
  hint: 'Refund at most "refundable"; nothing was posted.',
  facts: {
    refundable: amount('The amount of the order that is not refunded yet.'),
    currency: oneOf(currencies),
  },
})

export const refundOrder = operation({
  name: 'refund_order',
  does: 'Refund the price of an order to the balance, in whole or in part.',
  more:
    'It moves money alone: the domain and its term stay as they are. The refunds of an order ' +
    'are at most its price. The same refund_id again posts nothing.',
  at: 'POST /v1/internal/billing/order-refunds',
  area: 'Billing',
  who: operatorOnly(),
  takes: Type.Object({
    operation_id: stringOf<OrderId>({ minLength: 1, maxLength: 64, description: 'The order.' }),
    amount_cents: Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description: 'The amount, in minor units.',
    }),
    reason: reasonField,
    refund_id: correctionId,
  }),
  gives: Type.Object(
    {
      refund_id: Type.String(),
      operation_id: stringOf<OrderId>(),
      ...correctionFields,
      refundable: amount('The part of the price that is not refunded yet.'),
    },
    { title: 'OrderRefundResponse' },
  ),
  fails: [correctionConflict, orderUnknown, notRefundable, exceedsOrder],
  effect: 'transaction',
  target: ({ operation_id, refund_id, amount_cents, reason }, output) => ({
    target_type: 'operation',
    target: operation_id,
    ...(output ? { customer_id: output.customer_id } : {}),
    metadata: {
      ...{ refund_id, amount_cents, reason, ...(output && { currency: output.currency }) },
      ...(output?.posted === false && { repeated: true }),
    },
  }),
  async run({ operation_id, amount_cents, reason, refund_id }, call) {
    await lockCorrections(call.sql, { id: refund_id, operation_id })
    const order = await call.sql.maybe(orderWithRefunds, { id: operation_id })
    if (!order) throw orderUnknown()
    call.note({ domain: order.domain })
    const { customer_id } = order
    const currency = wordOf(currencies, order.currency)
    const given = BigInt(amount_cents)
    const correction = {
      ...({ id: refund_id, kind: 'refund', customer_id, currency } as const),
      ...{ amount: given, operation_id, reason },
    }
    const earlier = await earlierCorrection(call.sql, correction)
    const left = order.amount - order.refunded
    if (!earlier && order.state !== 'succeeded') throw notRefundable()
    if (!earlier && given > left)
      throw exceedsOrder({ facts: { refundable: formatAmount(left), currency } })
    const transfer = earlier?.transfer_id ?? (await postNewCorrection(call.sql, correction))
    const { available } = await readBalance(call.sql, customer_id, currency)
    return {
      ...{ refund_id, operation_id, customer_id, currency, amount: formatAmount(given) },
      posted: earlier === undefined,
      ledger_transaction_id: Number(transfer),
      available: formatAmount(available),
      refundable: formatAmount(earlier ? left : left - given),
    }
  },
})
