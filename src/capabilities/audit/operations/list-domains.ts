// Lists the audit entries of the caller's domains, newest first.

import Type from 'typebox'
import { operation, owner } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { parseHost } from '../../../kit/net/host.ts'
import type { CustomerId, DomainName } from '../../../kit/random.ts'
import { stringOf } from '../../../kit/schema.ts'
import { byNumber } from '../../../lists/cursor.ts'
import { pagesOf } from '../../../lists/paging.ts'
import { isVisibleDomain } from '../../limits/index.ts'
import { auditLog, shownEntry } from '../schemas.ts'
import {
  rowsOfDomain,
  rowsOfDomains,
  rowsOfDomainsByAction,
  rowsOfDomainsByTime,
} from './pages.sql.ts'
import { rangeFields, readRange, type TimeRange } from './time-range.ts'

const pages = pagesOf('list_domain_audit_logs', byNumber)

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
    domain: Type.Optional(
      stringOf<DomainName>({ maxLength: 253, description: 'Only this domain.' }),
    ),
    action: Type.Optional(Type.String({ description: 'Only this action.' })),
    ...rangeFields,
    ...pages.takes,
  }),
  gives: Type.Object(
    {
      audit_logs: Type.Array(auditLog, { description: 'The entries.' }),
      ...pages.gives,
    },
    { title: 'DomainAuditPage' },
  ),
  fails: [],
  effect: 'none',
  async run({ domain, action, from_timestamp, to_timestamp, ...asked }, call) {
    const { from, to } = readRange({ from_timestamp, to_timestamp })
    const filter = {
      // Names are stored as lower-case A-labels; an invalid name is in no row.
      domain: domain === undefined ? null : (parseHost(domain) ?? ''),
      action: action ?? null,
      ...{ from, to },
    }
    const { rows, next_cursor } = await pages.read(
      asked,
      ({ after: before, most }) =>
        readRows(call.sql, call.customer_id, { ...filter, before, most }),
      ({ id }) => id,
    )
    const audit_logs = rows
      .map(shownEntry)
      .filter(({ target }) => isVisibleDomain(call.caller, target ?? ''))
    return { audit_logs, next_cursor }
  },
})

type Filter = TimeRange & {
  domain: DomainName | null
  action: string | null
  before: bigint | null
  most: number
}

function readRows(sql: Sql, customer_id: CustomerId, filter: Filter) {
  const { domain, action, from, to, before, most } = filter
  if (domain !== null)
    return sql.run(rowsOfDomain, { customer_id, domain, action, from, to, before, limit: most })
  if (action !== null)
    return sql.run(rowsOfDomainsByAction, { customer_id, action, from, to, before, limit: most })
  return from === null && to === null
    ? sql.run(rowsOfDomains, { customer_id, before, limit: most })
    : sql.run(rowsOfDomainsByTime, { customer_id, from, to, before, limit: most })
}
