// The session of an operator's browser, as it is shown.
import Type, { type Static } from 'typebox'
import type { Caller } from '../../../app.ts'
import { dateTime, nullable } from '../../../kit/schema.ts'
import { endOf } from './authenticate-session.ts'

export const operatorSession = Type.Object(
  {
    name: Type.String({ description: 'The name of the key.' }),
    key_id: Type.Integer({ description: 'The id of the key.' }),
    expires_at: nullable(
      dateTime('When the session expires if it is not used again, or null for a call with a key.'),
    ),
    ends_at: nullable(
      dateTime('When the session expires at the latest, or null for a call with a key.'),
    ),
  },
  { title: 'OperatorSession' },
)

type Operator = Extract<Caller, { kind: 'operator' }>
type Times = { last_used_at: Date; expires_at: Date }

/** `times` is null if the operator calls with a key. */
export function operatorSessionOf(
  { label, key_id }: Operator,
  times: Times | null,
): Static<typeof operatorSession> {
  return {
    name: label,
    key_id: Number(key_id),
    expires_at: times && endOf(times).toISOString(),
    ends_at: times?.expires_at.toISOString() ?? null,
  }
}
