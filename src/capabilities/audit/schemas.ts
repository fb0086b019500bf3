// Response schemas of audit entries.

import Type from 'typebox'
import type { CustomerId } from '../../kit/random.ts'
import { dateTime, nullable, stringOf } from '../../kit/schema.ts'
import type { StoredColumns } from './rows/stored-row.ts'

export const auditLog = Type.Object(
  {
    id: Type.Integer({ description: 'Its number; a later entry usually has a greater one.' }),
    entry_point: Type.String({
      description: 'Entry point: rest, mcp, dashboard, internal, job, cli or webhook.',
    }),
    action: Type.String({ description: 'The operation, e.g. register_domain.' }),
    actor_type: Type.String({
      description:
        'The kind of the actor: customer, api_key, oauth_client, operator, system or anonymous.',
    }),
    actor_label: nullable(Type.String({ description: 'The name of the key or operator.' })),
    agent_identifier: Type.String({ description: 'The client name that the caller sent.' }),
    api_key_id: nullable(Type.Integer({ description: 'The API key that was used.' })),
    customer_id: nullable(
      stringOf<CustomerId>({ description: 'The customer whose log it is in.' }),
    ),
    target_type: nullable(Type.String({ description: 'The kind of target.' })),
    target: nullable(Type.String({ description: 'The id or name of the target.' })),
    result: Type.String({ description: 'success, denied, failed, pending or unknown.' }),
    status_code: nullable(Type.Integer({ description: 'The HTTP status of the answer.' })),
    error_code: nullable(Type.String({ description: 'The code of the error, if it failed.' })),
    metadata: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description: 'Further facts, in which secrets are redacted.',
    }),
    created_at: dateTime('When it happened.'),
  },
  { title: 'AuditLogResponse' },
)

/** One entry of a response. */
export function shownEntry(row: StoredColumns & { id: bigint }) {
  return {
    id: Number(row.id),
    entry_point: row.entry_point,
    action: row.action,
    actor_type: row.actor_type,
    actor_label: row.actor_label,
    agent_identifier: row.agent_identifier,
    api_key_id: row.api_key_id === null ? null : Number(row.api_key_id),
    customer_id: row.customer_id,
    target_type: row.target_type,
    target: row.target,
    result: row.result,
    status_code: row.status_code,
    error_code: row.error_code,
    metadata: { ...Object(row.metadata) },
    created_at: row.created_at.toISOString(),
  }
}
