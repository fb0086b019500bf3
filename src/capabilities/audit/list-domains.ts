// GET what was done to the caller's domains, newest first.
import { domainToASCII } from 'node:url'
import Type from 'typebox'
import { operation, owner } from '../../app.ts'
import { dateTime, withDefault } from '../../kit/schema.ts'
import { auditLog, cursorField, nextCursorField, pageOf } from './shapes.ts'
import { domainRowsOfCustomer } from './store.ts'

const momentOf = (text: string | undefined) => (text === undefined ? null : new Date(text))

export const listDomainAuditLogs = operation({
  name: 'list_domain_audit_logs',
  does: "List what was done to the caller's domains and who did it, newest first.",
  at: 'GET /v1/domain-audit-logs',
  area: 'Audit logs',
  who: owner('audit:read'),
  takes: Type.Object({
    domain: Type.Optional(Type.String({ maxLength: 253, description: 'Only this domain.' })),
    action: Type.Optional(Type.String({ description: 'Only this action.' })),
    from_timestamp: Type.Optional(dateTime('Only what was done then or later.')),
    to_timestamp: Type.Optional(dateTime('Only what was done then or earlier.')),
    cursor: cursorField,
    limit: withDefault(
      Type.Integer({ minimum: 1, maximum: 500, description: 'Entries on a page.' }),
      100,
    ),
  }),
  gives: Type.Object(
    {
      audit_logs: Type.Array(auditLog, { description: 'The entries.' }),
      next_cursor: nextCursorField,
    },
    { title: 'DomainAuditPage' },
  ),
  fails: [],
  effect: 'none',
  async run({ domain, action, from_timestamp, to_timestamp, cursor, limit }, call) {
    const rows = await call.sql.run(domainRowsOfCustomer, [
      call.customer_id,
      // Names are kept as lower-case A-labels; what is no name at all is in no row.
      domain === undefined ? null : domainToASCII(domain),
      action ?? null,
      momentOf(from_timestamp),
      momentOf(to_timestamp),
      cursor === undefined ? null : BigInt(cursor),
      limit + 1,
    ])
    return pageOf(rows, limit)
  },
})
