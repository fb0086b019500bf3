// Credits a card payment that an operator reports: exactly once for each checkout session, and only
// as the processor shows it.

import Type, { type Static } from 'typebox'
import { type CardProcessor, ProcessorUnavailable } from '../../../adapters/processor/port.ts'
import { type App, operation, operatorOnly } from '../../../app.ts'
import { notConfigured } from '../../../errors/faults.ts'
import { currencies, formatAmount } from '../../../kit/money.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { amount, dateTime, nullable, oneOf, stringOf } from '../../../kit/schema.ts'
import { readBalance } from '../../../ledger/ledger.ts'
import { customerById } from '../../account/index.ts'
import { PaymentConflict } from '../payments/credit.ts'
import {
  creditedCustomerUnknown,
  paymentUnverified,
  processorUnavailable,
  topUpConflict,
} from './card-faults.ts'
import { creditSession, isSame, type PaidSession } from './credit-session.ts'

const takes = Type.Object(
  {
    customer_id: stringOf<CustomerId>({
      minLength: 1,
      maxLength: 64,
      description: 'The customer to credit.',
    }),
    amount_cents: Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description: 'The amount, in minor units.',
    }),
    currency: oneOf(currencies),
    processor_checkout_session_id: Type.String({ minLength: 1, maxLength: 255 }),
    processor_payment_intent_id: Type.Optional(
      nullable(Type.String({ minLength: 1, maxLength: 255 })),
    ),
  },
  { title: 'StripeTopUpCreditRequest' },
)
type Input = Static<typeof takes>

export const creditProcessorTopUp = operation({
  name: 'credit_processor_top_up',
  does: 'Credit a card payment to a balance, once for each checkout session.',
  more:
    'With a key of the processor the session is read back there first: it must be paid, with the ' +
    'same customer (client_reference_id), amount and currency.',
  at: 'POST /v1/internal/billing/processor/top-ups',
  area: 'Billing',
  who: operatorOnly(),
  takes,
  gives: Type.Object(
    {
      customer_id: stringOf<CustomerId>(),
      credited: Type.Boolean({ description: 'False if this session was credited before.' }),
      amount: amount('The amount that this session credited.'),
      currency: oneOf(currencies),
      processor_checkout_session_id: Type.String(),
      processor_payment_intent_id: nullable(Type.String()),
      ledger_transaction_id: Type.Integer(),
      available: amount('The balance that can be spent now.'),
      created_at: dateTime('When it was credited.'),
    },
    { title: 'ProcessorTopUpCreditResponse' },
  ),
  fails: [
    topUpConflict,
    notConfigured,
    creditedCustomerUnknown,
    paymentUnverified,
    processorUnavailable,
  ],
  effect: 'own',
  target: (input) => ({
    target_type: 'processor_checkout_session',
    target: input.processor_checkout_session_id,
    customer_id: input.customer_id,
    metadata: { amount_cents: input.amount_cents, currency: input.currency },
  }),
  async run(input, call, app) {
    const { customer_id, currency, processor_checkout_session_id } = input
    const processor = verifierOf(app)
    if (!(await customerById(app.db, customer_id))) throw creditedCustomerUnknown()
    const paid = await verified(processor, input)
    app.reached?.('card_before_credit')
    const { credited, payment, balance } = await app.db
      .transaction(async (sql) => {
        const how = { app, auditRow: call.auditRow, status_code: 200 }
        const done = await creditSession(sql, paid, how)
        await call.assertStillAllowed({ sql })
        return { ...done, balance: await readBalance(sql, customer_id, currency) }
      })
      .catch((error) => {
        throw error instanceof PaymentConflict ? topUpConflict() : error
      })
    app.reached?.('card_after_credit')
    return {
      customer_id,
      credited,
      amount: formatAmount(payment.amount),
      currency,
      processor_checkout_session_id,
      processor_payment_intent_id: payment.processor_payment_intent_id,
      ledger_transaction_id: Number(payment.transfer_id),
      available: formatAmount(balance.available),
      created_at: payment.created_at.toISOString(),
    }
  },
})

/**
 * The processor to read sessions back at, or null if they are believed. The simulated one of the
 * sandbox is not asked, since there an operator credits at will.
 */
function verifierOf({ settings, processor }: App): CardProcessor | null {
  if (settings.stripe_secret_key !== null && processor) return processor
  const { environment, allow_unverified_top_ups } = settings
  if (environment === 'production' && !allow_unverified_top_ups)
    throw notConfigured({
      detail: 'Nothing is configured that could verify this payment.',
      hint: 'An operator must set up the processor, or ALLOW_UNVERIFIED_TOP_UPS.',
    })
  return null
}

/** The session as the processor shows it. */
async function verified(processor: CardProcessor | null, input: Input): Promise<PaidSession> {
  const { customer_id, currency, processor_checkout_session_id: session_id } = input
  const amount_cents = BigInt(input.amount_cents)
  const payment_intent = input.processor_payment_intent_id ?? null
  const asked = { session_id, payment_intent, customer_id, currency, amount_cents }
  if (!processor) return asked
  const session = await processor.readSession(session_id).catch((error) => {
    if (!(error instanceof ProcessorUnavailable)) throw error
    throw processorUnavailable({ retry_after_s: 5, cause: error })
  })
  if (!session) throw paymentUnverified({ detail: 'The processor knows no such session.' })
  if (!session.is_paid) throw paymentUnverified({ detail: 'The session is not paid.' })
  const isSameIntent = payment_intent === null || payment_intent === session.payment_intent
  if (!isSame(session, asked) || !isSameIntent) throw paymentUnverified()
  return { ...asked, payment_intent: session.payment_intent }
}
