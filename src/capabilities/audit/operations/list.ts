// Lists the audit log of a customer, newest first.

import Type from 'typebox'
import { type AuditRow, type EntryPoint, operation, ownerOf } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import type { ApiKeyId, CustomerId } from '../../../kit/random.ts'
import { oneOf, stringOf } from '../../../kit/schema.ts'
import { byNumber } from '../../../lists/cursor.ts'
import { pagesOf } from '../../../lists/paging.ts'
import { auditLog, shownEntry } from '../schemas.ts'
import { rowsOfAction, rowsOfCustomer, rowsOfEntryPoint, windowOfCustomer } from './pages.sql.ts'
import { rangeFields, readRange, type TimeRange } from './time-range.ts'

// The values of the table's constraints: records, so that the compiler requires each.
const entryPoints: Record<EntryPoint, true> = {
  rest: true,
  mcp: true,
  dashboard: true,
  internal: true,
  job: true,
  cli: true,
  webhook: true,
  dns: true,
}
const actorTypes: Record<AuditRow['actor_type'], true> = {
  customer: true,
  api_key: true,
  oauth_client: true,
  operator: true,
  system: true,
  anonymous: true,
}

const pages = pagesOf('list_audit_logs', byNumber)

export const listAuditLogs = operation({
  name: 'list_audit_logs',
  does: 'List the actions in an account and their actors, newest first.',
  more:
    'Filters can be combined. With a time range or an actor a page may have fewer entries than ' +
    'its limit, or none, and a next_cursor still: follow it until it is null.',
  at: 'GET /v1/customers/{customer_id}/audit-logs',
  area: 'Audit logs',
  who: ownerOf('audit:read'),
  takes: Type.Object({
    customer_id: stringOf<CustomerId>({ description: 'The customer.' }),
    action: Type.Optional(Type.String({ description: 'Only this action.' })),
    entry_point: Type.Optional(Type.String({ description: 'Only entries of this entry point.' })),
    ...rangeFields,
    actor_type: Type.Optional(
      oneOf(Object.keys(actorTypes), { description: 'Only actors of this kind.' }),
    ),
    actor_label: Type.Optional(
      Type.String({ maxLength: 2_048, description: 'Only the key, app or operator of this name.' }),
    ),
    api_key_id: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Only entries of this API key.' }),
    ),
    ...pages.takes,
  }),
  gives: Type.Object(
    {
      audit_logs: Type.Array(auditLog, { description: 'The entries.' }),
      ...pages.gives,
    },
    { title: 'ListAuditLogsResponse' },
  ),
  fails: [],
  effect: 'none',
  async run({ limit, cursor, from_timestamp, to_timestamp, ...given }, call) {
    const filter: Filter = {
      action: given.action ?? null,
      entry_point: given.entry_point ?? null,
      actor_type: given.actor_type ?? null,
      actor_label: given.actor_label ?? null,
      api_key_id: given.api_key_id === undefined ? null : BigInt(given.api_key_id),
      ...readRange({ from_timestamp, to_timestamp }),
    }
    const place = { before: pages.placeOf(cursor), limit }
    const { action: _action, entry_point: _point, ...others } = filter
    if (Object.values(others).some((value) => value !== null))
      return readWindow(call.sql, call.customer_id, { ...filter, ...place })
    return pageOf(await readRows(call.sql, call.customer_id, { ...filter, ...place }), limit)
  },
})

type Filter = TimeRange & {
  action: string | null
  entry_point: string | null
  actor_type: string | null
  actor_label: string | null
  api_key_id: ApiKeyId | null
}
type Asked = Filter & { before: bigint | null; limit: number }

function readRows(
  sql: Sql,
  customer_id: CustomerId,
  { action, entry_point, before, limit }: Asked,
) {
  const page = { customer_id, before, limit: limit + 1 }
  if (action !== null) {
    const entry_points = entry_point === null ? Object.keys(entryPoints) : [entry_point]
    return sql.run(rowsOfAction, { ...page, action, entry_points })
  }
  return entry_point === null
    ? sql.run(rowsOfCustomer, page)
    : sql.run(rowsOfEntryPoint, { ...page, entry_point })
}

function pageOf(found: readonly Parameters<typeof shownEntry>[0][], limit: number) {
  const { rows, next_cursor } = pages.cut(found, limit, ({ id }) => id)
  return { audit_logs: rows.map(shownEntry), next_cursor }
}

/** How many rows one page looks at, whatever it filters: no index has all combinations. */
const window = 2_000

async function readWindow(sql: Sql, customer_id: CustomerId, { limit, ...filter }: Asked) {
  const rows = await sql.run(windowOfCustomer, {
    ...{ ...filter, customer_id, window, limit: limit + 1 },
  })
  const page = pageOf(
    rows.filter(({ matches }) => matches),
    limit,
  )
  const end = rows.at(-1)
  if (page.next_cursor !== null || !end?.ends_window) return page
  return { ...page, next_cursor: pages.cursorAt(end.id) }
}
