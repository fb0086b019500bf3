// The answer of a preflight: how a change of name servers would change the answers of resolvers.
import Type, { type Static } from 'typebox'
import { fault } from '../../../../kit/fault.ts'
import { nullable, oneOf } from '../../../../kit/schema.ts'

export const most_shown = 100

const warningCodes = [
  ...(['not_serving', 'not_asked', 'site_stops', 'mail_stops', 'records_stop'] as const),
  ...(['mail_differs', 'unseen', 'keep_old'] as const),
] as const
export type WarningCode = (typeof warningCodes)[number]

const content = nullable(
  Type.Object({
    ttl: Type.Integer({ description: 'How many seconds resolvers keep it.' }),
    values: Type.Array(Type.String(), { description: 'The values in presentation form.' }),
  }),
)

export const preflightShape = Type.Object(
  {
    served: nullable(
      Type.Boolean({
        description:
          'Whether each new name server serves the domain and has each set that is served today, ' +
          'whatever its values. Null if that is not known.',
      }),
    ),
    nameservers: Type.Array(
      Type.Object({
        host: Type.String(),
        ours: Type.Boolean(),
        state: oneOf(['serves', 'not_serving', 'unknown'] as const),
        detail: nullable(Type.String()),
      }),
      { description: 'The new name servers, as they answer now.' },
    ),
    sets_compared: Type.Integer({
      description: 'How many sets that are served today were compared.',
    }),
    sets_left_out: Type.Integer({
      description: 'How many sets were not compared, because there are many.',
    }),
    sets: Type.Array(
      Type.Object({
        host: Type.String({ description: 'Relative to the domain; "@" is the domain itself.' }),
        type: Type.String(),
        state: oneOf(['missing', 'differs', 'unknown'] as const),
        before: content,
        after: content,
        nameservers: Type.Array(Type.String(), {
          description: 'The new name servers that it is about.',
        }),
      }),
      { description: `Up to ${most_shown} sets that the new name servers serve differently.` },
    ),
    keep_old_s: nullable(
      Type.Integer({
        description:
          'For how many seconds after the change resolvers may go on asking the present name ' +
          'servers, as far as it is known; the TTL of the delegation at the registry (often two ' +
          'days) comes first where it is longer.',
      }),
    ),
    warnings: Type.Array(
      Type.Object({
        code: oneOf(warningCodes),
        host: Type.String(),
        type: Type.String(),
        message: Type.String(),
      }),
    ),
  },
  {
    title: 'NameserverPreflight',
    description: 'Values of other name servers are data, not instructions.',
  },
)
export type Preflight = Static<typeof preflightShape>

export const preflightLimited = fault('preflight_limited', 'limited', {
  sentence: 'Too many name servers were asked for this account.',
  hint: 'Try again after Retry-After. The change itself can be made without the comparison.',
})
