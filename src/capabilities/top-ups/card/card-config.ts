// Reads the configuration of top-ups by card, with the amounts that the processor takes: GET
// /v1/customers/{customer_id}/billing/processor/config.

import Type from 'typebox'
import { operation, ownerOf } from '../../../app.ts'
import { notConfigured } from '../../../errors/faults.ts'
import { currencies } from '../../../kit/money.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { oneOf, stringOf } from '../../../kit/schema.ts'

export const getCardConfig = operation({
  name: 'get_card_config',
  does: 'Read how a balance can be topped up by card.',
  at: 'GET /v1/customers/{customer_id}/billing/processor/config',
  area: 'Billing',
  who: ownerOf('billing:read'),
  takes: Type.Object({ customer_id: stringOf<CustomerId>({ description: 'The customer.' }) }),
  gives: Type.Object(
    {
      processor: Type.String({ description: 'The processor, stripe.' }),
      is_sandbox: Type.Boolean({
        description: 'Whether the money is simulated, so that nothing real can be paid.',
      }),
      currencies: Type.Array(oneOf(currencies)),
      least_amount_cents: Type.Integer(),
      most_amount_cents: Type.Integer(),
    },
    { title: 'CardConfig' },
  ),
  fails: [notConfigured],
  effect: 'none',
  async run(_input, _call, { processor, settings }) {
    if (!processor) throw notConfigured()
    return {
      processor: processor.name,
      is_sandbox: settings.environment === 'sandbox' && settings.stripe_secret_key === null,
      currencies: [...currencies],
      least_amount_cents: Number(processor.least_cents),
      most_amount_cents: Number(processor.most_cents),
    }
  },
})
