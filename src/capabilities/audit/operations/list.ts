// Lists the audit log of a customer, newest first.
import Type from 'typebox'
import { type EntryPoint, operation, ownerOf } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { withDefault } from '../../../kit/schema.ts'
import { auditLog, cursorField, nextCursorField, pageOf } from '../schemas.ts'
import { rowsOfAction, rowsOfCustomer, rowsOfEntryPoint } from './pages.sql.ts'

export const listAuditLogs = operation({
  name: 'list_audit_logs',
  does: 'List the actions in an account and their actors, newest first.',
  at: 'GET /v1/customers/{customer_id}/audit-logs',
  area: 'Audit logs',
  who: ownerOf('audit:read'),
  takes: Type.Object({
    customer_id: Type.String({ description: 'The customer.' }),
    action: Type.Optional(Type.String({ description: 'Only this action.' })),
    entry_point: Type.Optional(Type.String({ description: 'Only entries of this entry point.' })),
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
    const before = cursor === undefined ? null : BigInt(cursor)
    const filter = { action, entry_point, before, most: limit + 1 }
    return pageOf(await readRows(call.sql, call.customer_id, filter), limit)
  },
})

// The values of the table's constraint: a record, so that the compiler requires each.
const entryPoints: Record<EntryPoint, true> = {
  rest: true,
  mcp: true,
  dashboard: true,
  internal: true,
  job: true,
  cli: true,
  webhook: true,
}

type Filter = {
  action: string | undefined
  entry_point: string | undefined
  before: bigint | null
  most: number
}

function readRows(sql: Sql, customer_id: string, filter: Filter) {
  const { action, entry_point, before, most } = filter
  if (action !== undefined) {
    const points = entry_point === undefined ? Object.keys(entryPoints) : [entry_point]
    return sql.run(rowsOfAction, { customer_id, action, entry_points: points, before, limit: most })
  }
  return entry_point === undefined
    ? sql.run(rowsOfCustomer, { customer_id, before, limit: most })
    : sql.run(rowsOfEntryPoint, { customer_id, entry_point, before, limit: most })
}
