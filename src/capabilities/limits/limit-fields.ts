// Limits of an API key or an OAuth grant as requests and answers have them.
import Type, { type Static } from 'typebox'
import { currencies } from '../../kit/money.ts'
import { amount, amountGiven, dateTime, nullable, oneOf } from '../../kit/schema.ts'
import { dnsField, dnsShape } from './dns-fields.ts'

export const spendWindows = ['day', 'month', 'total'] as const
export type SpendWindow = (typeof spendWindows)[number]
const outsideWords = ['refuse', 'ask'] as const

const decimal = (description: string) => amountGiven({ example: '25.00', description })
// Ajv fills in no default within a union (nullable); readLimits does.
const currency = Type.Optional(
  oneOf(currencies, { default: 'USD', description: 'It buys in no other.' }),
)
const listOf = (description: string, example: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 300, examples: [example] }), {
    minItems: 1,
    maxItems: 100,
    description,
  })

/** For the body of a request. Null, or left out: no such limit. */
export const limitFields = {
  spend_limit: Type.Optional(
    nullable(
      Type.Object(
        {
          amount: decimal('The most to spend in a window.'),
          currency,
          window: Type.Optional(
            oneOf(spendWindows, {
              default: 'month',
              description: 'A calendar day or month in UTC, or all of its life.',
            }),
          ),
        },
        { additionalProperties: false, description: 'The most to spend. Null: no limit.' },
      ),
    ),
  ),
  max_price: Type.Optional(
    nullable(
      Type.Object(
        { amount: decimal('The most that one purchase may cost.'), currency },
        { additionalProperties: false, description: 'The highest price. Null: no limit.' },
      ),
    ),
  ),
  approval_above: Type.Optional(
    nullable(
      Type.Object(
        { amount: decimal('A purchase above it waits for the owner.'), currency },
        { additionalProperties: false, description: 'Where approval begins. Null: never.' },
      ),
    ),
  ),
  outside_allowed: Type.Optional(
    oneOf(outsideWords, {
      description: 'A purchase outside the lists below: "refuse" it (usual), or "ask" the owner.',
    }),
  ),
  allowed_tlds: Type.Optional(
    nullable(listOf('The TLDs under which it may buy, renew and transfer. Null: all.', 'com')),
  ),
  allowed_domains: Type.Optional(
    nullable(
      listOf(
        'The only domains that it sees, changes and buys. "*" stands for any part of the label ' +
          'before the TLD. Null: all.',
        'shop-*.com',
      ),
    ),
  ),
  allowed_ips: Type.Optional(
    nullable(
      listOf('The addresses and networks that it may be used from. Null: all.', '192.0.2.0/24'),
    ),
  ),
  dns: dnsField,
}
export type LimitFields = {
  [K in keyof typeof limitFields]?: Static<(typeof limitFields)[K]> | undefined
}

/** Of an answer. */
export const limitsShape = {
  spend_limit: nullable(
    Type.Object(
      {
        amount: amount('The most to spend in a window.'),
        currency: oneOf(currencies),
        window: oneOf(spendWindows),
        spent: amount('Held or paid in this window.'),
        left: amount('The rest of it; never below zero.'),
        until: nullable(dateTime('When the next window starts; null: never.')),
      },
      { description: 'The most to spend. Null: no limit of its own.' },
    ),
  ),
  max_price: nullable(
    Type.Object(
      { amount: amount('The most that one purchase may cost.'), currency: oneOf(currencies) },
      { description: 'The highest price. Null: no limit of its own.' },
    ),
  ),
  approval_above: nullable(
    Type.Object(
      { amount: amount('A purchase above it waits.'), currency: oneOf(currencies) },
      { description: 'Where approval begins. Null: none of its own.' },
    ),
  ),
  outside_allowed: oneOf(outsideWords, { description: 'A purchase outside the lists below.' }),
  allowed_tlds: nullable(Type.Array(Type.String(), { description: 'Where it may buy.' })),
  allowed_domains: nullable(Type.Array(Type.String(), { description: 'All that it sees.' })),
  allowed_ips: nullable(Type.Array(Type.String(), { description: 'Networks of its callers.' })),
  dns: dnsShape,
}
/** The limits of a key or an app. */
export const limitEntryShape = Type.Object(
  {
    of: oneOf(['api_key', 'app'], { description: 'Whose limits these are.' }),
    id: Type.String({ description: 'Of the key; of an app its client_id.' }),
    name: Type.String({ description: 'Of the key, or of the app.' }),
    inherited: Type.Boolean({
      description: 'Of a key that made the calling one, or of the app that did.',
    }),
    expires_at: nullable(dateTime('When the key expires; null: never, or an app.')),
    ...limitsShape,
  },
  { title: 'Limits' },
)
const limits = Type.Object(limitsShape)
export type Limits = Static<typeof limits>
