// An event as it is shown: by the list and the tool, and in the body of a webhook.
import Type, { type Static } from 'typebox'
import { dateTime, identifier } from '../../../kit/schema.ts'
import type { EventRow } from '../log/events.sql.ts'

export const event = Type.Object(
  {
    id: identifier('evt', 'The id never changes, and is also the webhook-id of its deliveries.'),
    type: Type.String({ description: 'The type of the event, e.g. domain.registered.' }),
    created_at: dateTime('When it happened.'),
    audit_log_id: Type.Integer({ description: 'The entry of the audit log that it comes from.' }),
    subject: Type.Object(
      {
        type: Type.String({ description: 'domain, checkout, payment, api_key, ...' }),
        id: Type.String({ description: 'The id of the object, or the name of the domain.' }),
      },
      { description: 'The object that the event is about.' },
    ),
    data: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description: 'The facts of this type of event, which are never secret.',
    }),
  },
  { title: 'Event' },
)

export function shownEvent(row: EventRow): Static<typeof event> {
  return {
    id: row.id,
    type: row.type,
    created_at: row.created_at.toISOString(),
    audit_log_id: Number(row.audit_log_id),
    subject: { type: row.subject_type, id: row.subject_id },
    data: { ...Object(row.data) },
  }
}
