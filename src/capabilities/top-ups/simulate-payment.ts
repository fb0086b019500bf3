// Credits simulated money: in the sandbox environment an owner tries a purchase without a payment.
import Type from 'typebox'
import { operation, owner } from '../../app.ts'
import { currencies, formatAmount } from '../../kit/money.ts'
import { type CustomerId, randomBase62 } from '../../kit/random.ts'
import { amount, dateTime, oneOf, stringOf } from '../../kit/schema.ts'
import { readBalance } from '../../ledger/ledger.ts'
import { creditOnce } from './payments/credit.ts'

export const simulateTopUp = operation({
  name: 'simulate_top_up',
  does: 'Add simulated money to your balance, in the sandbox environment only.',
  at: 'POST /v1/sandbox/top-ups',
  area: 'Sandbox',
  who: owner('billing:write'),
  takes: Type.Object({
    amount_cents: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      examples: [10_000],
      description: 'The amount in minor units: 10000 is 100.00.',
    }),
    currency: oneOf(currencies),
  }),
  gives: Type.Object(
    {
      customer_id: stringOf<CustomerId>(),
      amount: amount('The amount that is credited now.'),
      currency: oneOf(currencies),
      ledger_transaction_id: Type.Integer(),
      available: amount('The balance that can be spent now.'),
      created_at: dateTime('When it was credited.'),
    },
    { title: 'SandboxTopUpResponse' },
  ),
  fails: [],
  effect: 'transaction',
  target: ({ amount_cents, currency }) => ({
    target_type: 'balance',
    target: currency,
    metadata: { amount_cents, currency },
  }),
  async run({ amount_cents, currency }, call, app) {
    const { customer_id } = call
    const session = `sandbox_${randomBase62(27)}`
    const { payment } = await creditOnce(
      call.sql,
      {
        id: `processor/${session}`,
        customer_id,
        currency,
        amount: BigInt(amount_cents),
        account: 'processor',
        description: 'Simulated top-up',
        checkout_id: session,
        processor_checkout_session_id: session,
        processor_payment_intent_id: null,
      },
      { seller: app.settings, at: app.clock.now() },
    )
    const balance = await readBalance(call.sql, customer_id, currency)
    return {
      customer_id,
      amount: formatAmount(BigInt(amount_cents)),
      currency,
      ledger_transaction_id: Number(payment.transfer_id),
      available: formatAmount(balance.available),
      created_at: payment.created_at.toISOString(),
    }
  },
})
