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
  oneOf(currencies, {
    default: 'USD',
    description: 'The currency, which is the only one that it buys in.',
  }),
)
const listOf = (description: string, example: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 300, examples: [example] }), {
    minItems: 1,
    maxItems: 100,
    description,
  })

/** The limits in the body of a request. A limit that is null or left out does not exist. */
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
              description:
                'The window of the limit: a calendar day or month in UTC, or its whole life.',
            }),
          ),
        },
        {
          additionalProperties: false,
          description: 'The most that it may spend. Null sets no limit.',
        },
      ),
    ),
  ),
  max_price: Type.Optional(
    nullable(
      Type.Object(
        { amount: decimal('The most that one purchase may cost.'), currency },
        {
          additionalProperties: false,
          description: 'The highest price of one purchase. Null sets no limit.',
        },
      ),
    ),
  ),
  approval_above: Type.Optional(
    nullable(
      Type.Object(
        { amount: decimal('A purchase above it waits for the owner.'), currency },
        {
          additionalProperties: false,
          description: 'The price above which a purchase needs approval. Null if none does.',
        },
      ),
    ),
  ),
  outside_allowed: Type.Optional(
    oneOf(outsideWords, {
      description:
        'Whether a purchase outside the lists below is refused ("refuse", the default) or put to ' +
        'the owner ("ask").',
    }),
  ),
  allowed_tlds: Type.Optional(
    nullable(
      listOf('The TLDs under which it may buy, renew and transfer. Null allows all.', 'com'),
    ),
  ),
  allowed_domains: Type.Optional(
    nullable(
      listOf(
        'The only domains that it sees, changes and buys. "*" stands for any part of the ' +
          'label before the TLD. Null allows all.',
        'shop-*.com',
      ),
    ),
  ),
  allowed_ips: Type.Optional(
    nullable(
      listOf(
        'The addresses and networks that it may be used from. Null allows all.',
        '192.0.2.0/24',
      ),
    ),
  ),
  dns: dnsField,
}
export type LimitFields = {
  [K in keyof typeof limitFields]?: Static<(typeof limitFields)[K]> | undefined
}

/** The limits in an answer. */
export const limitsShape = {
  spend_limit: nullable(
    Type.Object(
      {
        amount: amount('The most that it may spend in a window.'),
        currency: oneOf(currencies),
        window: oneOf(spendWindows),
        spent: amount('The amount that was held or paid in this window.'),
        left: amount('The amount that is left, which is never below zero.'),
        until: nullable(dateTime('When the next window starts, or null if none does.')),
      },
      { description: 'The most that it may spend. Null if it has no limit of its own.' },
    ),
  ),
  max_price: nullable(
    Type.Object(
      { amount: amount('The most that one purchase may cost.'), currency: oneOf(currencies) },
      { description: 'The highest price of one purchase. Null if it has no limit of its own.' },
    ),
  ),
  approval_above: nullable(
    Type.Object(
      { amount: amount('A purchase above it waits.'), currency: oneOf(currencies) },
      {
        description:
          'The price above which a purchase needs approval. Null if it has no such limit of ' +
          'its own.',
      },
    ),
  ),
  outside_allowed: oneOf(outsideWords, {
    description: 'Whether a purchase outside the lists below is refused or put to the owner.',
  }),
  allowed_tlds: nullable(
    Type.Array(Type.String(), { description: 'The TLDs under which it may buy.' }),
  ),
  allowed_domains: nullable(
    Type.Array(Type.String(), { description: 'The only domains that it sees.' }),
  ),
  allowed_ips: nullable(
    Type.Array(Type.String(), { description: 'The networks that it may call from.' }),
  ),
  dns: dnsShape,
}
/** The limits of a key or an app. */
export const limitEntryShape = Type.Object(
  {
    of: oneOf(['api_key', 'app'], { description: 'Whose limits these are.' }),
    id: Type.String({ description: 'The id of the key, or the client_id of the app.' }),
    name: Type.String({ description: 'The name of the key or of the app.' }),
    inherited: Type.Boolean({
      description:
        'True for the limits of a key that made the calling one, or of the app that did.',
    }),
    expires_at: nullable(
      dateTime('When the key expires. Null for an app, and for a key that never expires.'),
    ),
    ...limitsShape,
  },
  { title: 'Limits' },
)
const limits = Type.Object(limitsShape)
export type Limits = Static<typeof limits>
