// An operator corrects a balance, with a reason: money given or taken without a payment.

import Type, { type Static } from 'typebox'
import { type App, operation, operatorOnly } from '../../../app.ts'
import { violatedConstraint } from '../../../db/database.ts'
import { fault, InvalidInput } from '../../../kit/fault.ts'
import { currencies, formatAmount } from '../../../kit/money.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { amount, oneOf, stringOf } from '../../../kit/schema.ts'
import { readBalance } from '../../../ledger/ledger.ts'
import { customerAbsent, requireCustomer } from '../../account/index.ts'
import {
  correctionConflict,
  correctionFields,
  correctionId,
  earlierCorrection,
  lockCorrections,
  postNewCorrection,
  reasonField,
} from './post-correction.ts'

const exceedsBalance = fault('adjustment_exceeds_balance', 'conflict', {
  sentence: 'The balance does not cover this adjustment.',
  hint: 'Take at most "available"; money that open orders hold cannot be taken.',
  facts: { available: amount('The amount that can be taken.'), currency: oneOf(currencies) },
})

const takes = Type.Object({
  customer_id: stringOf<CustomerId>({ minLength: 1, maxLength: 64, description: 'The customer.' }),
  amount_cents: Type.Integer({
    minimum: -1_000_000_000,
    maximum: 1_000_000_000,
    examples: [-500],
    description:
      'The amount in minor units. Above zero it is given to the customer, below zero it is taken.',
  }),
  currency: oneOf(currencies),
  reason: reasonField,
  adjustment_id: correctionId,
})
type Input = Static<typeof takes>

export const adjustBalance = operation({
  name: 'adjust_balance',
  does: 'Add money to a balance, or take money from it, with a reason.',
  more:
    'It is for corrections without a payment, such as a goodwill credit, or money that was ' +
    'credited by mistake. What the customer owes is paid first. The same adjustment_id again ' +
    'posts nothing.',
  at: 'POST /v1/internal/billing/adjustments',
  area: 'Billing',
  who: operatorOnly(),
  takes,
  gives: Type.Object(
    { adjustment_id: Type.String(), ...correctionFields },
    { title: 'AdjustmentResponse' },
  ),
  fails: [correctionConflict, exceedsBalance, customerAbsent],
  effect: 'transaction',
  target: ({ customer_id, adjustment_id, amount_cents, currency, reason }, output) => ({
    target_type: 'adjustment',
    target: adjustment_id,
    ...(output ? { customer_id } : {}),
    metadata: {
      amount_cents,
      currency,
      reason,
      ...(output?.posted === false && { repeated: true }),
    },
  }),
  async run(input, call, app) {
    const { customer_id, currency, adjustment_id, reason } = input
    const moved = BigInt(input.amount_cents)
    if (moved === 0n)
      throw new InvalidInput([
        { path: ['amount_cents'], msg: 'Input should not be zero', type: 'value_error' },
      ])
    await requireCustomer(call.sql, customer_id)
    await lockCorrections(call.sql, { id: adjustment_id })
    const correction = {
      ...({ id: adjustment_id, kind: 'adjustment', customer_id, currency } as const),
      ...{ amount: moved, operation_id: null, reason },
    }
    const earlier = await earlierCorrection(call.sql, correction)
    const posted = earlier
      ? earlier.transfer_id
      : await postNewCorrection(call.sql, correction).catch((error) =>
          refuseOverdraft(error, app, input),
        )
    const { available } = await readBalance(call.sql, customer_id, currency)
    return {
      ...{ adjustment_id, customer_id, currency, amount: formatAmount(moved) },
      posted: earlier === undefined,
      ledger_transaction_id: Number(posted),
      available: formatAmount(available),
    }
  },
})

async function refuseOverdraft(error: unknown, app: App, input: Input): Promise<never> {
  if (violatedConstraint(error) !== 'no_overdraft') throw error
  const { available } = await readBalance(app.db, input.customer_id, input.currency)
  const shown = formatAmount(available)
  throw exceedsBalance({
    detail: `The balance has ${shown} ${input.currency} that can be taken.`,
    facts: { available: shown, currency: input.currency },
  })
}
