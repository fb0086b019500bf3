// Credits a card payment that the processor took: exactly once for each checkout session.
import Type, { type Static } from 'typebox'
import { operation, operatorOnly } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { fault } from '../../../kit/fault.ts'
import { currencies, formatAmount } from '../../../kit/money.ts'
import { amount, dateTime, nullable, oneOf } from '../../../kit/schema.ts'
import { readBalance } from '../../../ledger/ledger.ts'
import { customerById } from '../../account/index.ts'
import { notConfigured } from '../faults.ts'
import { creditOnce, type DocumentContext, PaymentConflict } from '../payments/credit.ts'

const topUpConflict = fault('top_up_conflict', 'conflict', {
  sentence: 'This session or payment intent was credited with other facts.',
  hint: 'Compare customer, amount, currency and ids with the processor; nothing was credited now.',
})
const customerUnknown = fault('top_up_customer_not_found', 'absent', {
  sentence: 'There is no customer with this id to credit.',
  hint: 'Check customer_id; nothing was credited.',
})

const takes = Type.Object({
  customer_id: Type.String({ minLength: 1, maxLength: 64, description: 'The customer to credit.' }),
  amount_cents: Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Minor units.' }),
  currency: oneOf(currencies),
  processor_checkout_session_id: Type.String({ minLength: 1, maxLength: 255 }),
  processor_payment_intent_id: Type.Optional(
    nullable(Type.String({ minLength: 1, maxLength: 255 })),
  ),
})

export const creditProcessorTopUp = operation({
  name: 'credit_processor_top_up',
  does: 'Credit a card payment to a balance, once for each checkout session.',
  at: 'POST /v1/internal/billing/processor/top-ups',
  area: 'Billing',
  who: operatorOnly(),
  takes,
  gives: Type.Object(
    {
      customer_id: Type.String(),
      credited: Type.Boolean({ description: 'False when this session was credited before.' }),
      amount: amount('What this session credited.'),
      currency: oneOf(currencies),
      processor_checkout_session_id: Type.String(),
      processor_payment_intent_id: nullable(Type.String()),
      ledger_transaction_id: Type.Integer(),
      available: amount('Balance that can be spent now.'),
      created_at: dateTime('When it was credited.'),
    },
    { title: 'ProcessorTopUpCreditResponse' },
  ),
  fails: [topUpConflict, notConfigured, customerUnknown],
  effect: 'transaction',
  target: (input) => ({
    target_type: 'processor_checkout_session',
    target: input.processor_checkout_session_id,
    customer_id: input.customer_id,
    metadata: { amount_cents: input.amount_cents, currency: input.currency },
  }),
  async run(input, call, app) {
    const { environment, allow_unverified_top_ups } = app.settings
    if (environment === 'production' && !allow_unverified_top_ups)
      throw notConfigured({
        detail: 'Nothing is configured that could verify this payment.',
        hint: 'An operator must set up the processor, or ALLOW_UNVERIFIED_TOP_UPS.',
      })
    if (!(await customerById(call.sql, input.customer_id))) throw customerUnknown()
    const context = { seller: app.settings, at: app.clock.now() }
    const { credited, payment } = await credit(call.sql, input, context)
    const balance = await readBalance(call.sql, input.customer_id, input.currency)
    return {
      customer_id: input.customer_id,
      credited,
      amount: formatAmount(payment.amount),
      currency: input.currency,
      processor_checkout_session_id: input.processor_checkout_session_id,
      processor_payment_intent_id: payment.processor_payment_intent_id,
      ledger_transaction_id: Number(payment.transfer_id),
      available: formatAmount(balance.available),
      created_at: payment.created_at.toISOString(),
    }
  },
})

async function credit(sql: Sql, input: Static<typeof takes>, context: DocumentContext) {
  const session = input.processor_checkout_session_id
  try {
    return await creditOnce(
      sql,
      {
        id: `processor/${session}`,
        customer_id: input.customer_id,
        currency: input.currency,
        amount: BigInt(input.amount_cents),
        account: 'processor',
        description: 'Card top-up',
        checkout_id: session,
        processor_checkout_session_id: session,
        processor_payment_intent_id: input.processor_payment_intent_id ?? null,
      },
      context,
    )
  } catch (error) {
    throw error instanceof PaymentConflict ? topUpConflict() : error
  }
}
