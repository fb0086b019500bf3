// GET the audit log of a customer, newest first.
import Type from 'typebox'
import { operation, ownerOf } from '../../app.ts'
import { withDefault } from '../../kit/schema.ts'
import { auditLog, cursorField, nextCursorField, pageOf } from './shapes.ts'
import { rowsOfCustomer } from './store.ts'

export const listAuditLogs = operation({
  name: 'list_audit_logs',
  does: 'List what was done in an account and who did it, newest first.',
  at: 'GET /v1/customers/{customer_id}/audit-logs',
  area: 'Audit logs',
  who: ownerOf('audit:read'),
  takes: Type.Object({
    customer_id: Type.String({ description: 'The customer.' }),
    action: Type.Optional(Type.String({ description: 'Only this action.' })),
    entry_point: Type.Optional(Type.String({ description: 'Only what came in this way.' })),
    limit: withDefault(
      Type.Integer({ minimum: 1, maximum: 500, description: 'Entries on a page.' }),
      100,
    ),
    cursor: cursorField,
  }),
  gives: Type.Object(
    {
      audit_logs: Type.Array(auditLog, { description: 'The entries.' }),
      next_cursor: nextCursorField,
    },
    { title: 'ListAuditLogsResponse' },
  ),
  fails: [],
  effect: 'none',
  async run({ action, entry_point, limit, cursor }, call) {
    const rows = await call.sql.run(rowsOfCustomer, [
      call.customer_id,
      action ?? null,
      entry_point ?? null,
      cursor === undefined ? null : BigInt(cursor),
      limit + 1,
    ])
    return pageOf(rows, limit)
  },
})
