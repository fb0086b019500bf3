// Lists the audit entries of the caller's domains, newest first.
import Type from 'typebox'
import { operation, owner } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { parseHost } from '../../../kit/net/host.ts'
import { withDefault } from '../../../kit/schema.ts'
import { isVisibleDomain } from '../../limits/index.ts'
import { auditLog, cursorField, nextCursorField, pageOf } from '../schemas.ts'
import {
  rowsOfDomain,
  rowsOfDomains,
  rowsOfDomainsByAction,
  rowsOfDomainsByTime,
} from './pages.sql.ts'
import { rangeFields, readRange, type TimeRange } from './time-range.ts'

export const listDomainAuditLogs = operation({
  name: 'list_domain_audit_logs',
  does: "List the actions on the caller's domains and their actors, newest first.",
  more:
    'A page begins below its cursor, so new entries never shift it. The time range includes both ' +
    'ends.',
  at: 'GET /v1/domain-audit-logs',
  area: 'Audit logs',
  who: owner('audit:read'),
  takes: Type.Object({
    domain: Type.Optional(Type.String({ maxLength: 253, description: 'Only this domain.' })),
    action: Type.Optional(Type.String({ description: 'Only this action.' })),
    ...rangeFields,
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
    const { from, to } = readRange({ from_timestamp, to_timestamp })
    const rows = await readRows(call.sql, call.customer_id, {
      // Names are stored as lower-case A-labels; an invalid name is in no row.
      domain: domain === undefined ? null : (parseHost(domain) ?? ''),
      action: action ?? null,
      from,
      to,
      before: cursor === undefined ? null : BigInt(cursor),
      most: limit + 1,
    })
    const page = pageOf(rows, limit)
    const isVisible = ({ target }: { target?: string | null }) =>
      isVisibleDomain(call.caller, target ?? '')
    return { ...page, audit_logs: page.audit_logs.filter(isVisible) }
  },
})

type Filter = TimeRange & {
  domain: string | null
  action: string | null
  before: bigint | null
  most: number
}

function readRows(sql: Sql, customer_id: string, filter: Filter) {
  const { domain, action, from, to, before, most } = filter
  if (domain !== null)
    return sql.run(rowsOfDomain, { customer_id, domain, action, from, to, before, limit: most })
  if (action !== null)
    return sql.run(rowsOfDomainsByAction, { customer_id, action, from, to, before, limit: most })
  return from === null && to === null
    ? sql.run(rowsOfDomains, { customer_id, before, limit: most })
    : sql.run(rowsOfDomainsByTime, { customer_id, from, to, before, limit: most })
}
