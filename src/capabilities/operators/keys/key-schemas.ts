// Operator keys as they are shown. The secret is shown only once.
import Type, { type Static } from 'typebox'
import { dateTime, nullable } from '../../../kit/schema.ts'
import type { OperatorKeyRow } from './keys.sql.ts'

export const operatorKeyResponse = Type.Object(
  {
    id: Type.Integer({ description: 'Stays the same when the key is rotated.' }),
    name: Type.String({
      description:
        'The name of the operator in the audit log, also for customers. "environment" names ' +
        'the key of OPERATOR_KEY, and "first start" the key that is made if there is none.',
    }),
    key_prefix: nullable(
      Type.String({
        description: 'The first characters of the key, or null if it was not made here.',
      }),
    ),
    current: Type.Boolean({
      description: 'Whether this call uses the key or one of its sessions.',
    }),
    created_at: dateTime('When it was created.'),
    rotated_at: nullable(dateTime('When its secret was last replaced, or null if it never was.')),
    last_used_at: nullable(dateTime('When it was last used, up to a minute late.')),
    revoked_at: nullable(dateTime('When it was revoked, or null if it is active.')),
  },
  { title: 'OperatorKey' },
)
type OperatorKey = Static<typeof operatorKeyResponse>

export const operatorKeyGiven = Type.Object(
  {
    operator_key: Type.String({ description: 'The whole key. It is shown only in this response.' }),
    key: operatorKeyResponse,
  },
  { title: 'OperatorKeyCreated' },
)

/** `current` is the id of the caller's key, or null if it calls without one. */
export function operatorKeyOf(row: OperatorKeyRow, current: bigint | null): OperatorKey {
  return {
    id: Number(row.id),
    name: row.label,
    key_prefix: row.key_prefix,
    current: row.id === current,
    created_at: row.created_at.toISOString(),
    rotated_at: row.rotated_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  }
}
