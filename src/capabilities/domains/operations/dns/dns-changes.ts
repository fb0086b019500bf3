// The changes of a domain's DNS records, and the revert of each: GET
// /v1/domains/{domain}/changes, GET .../changes/{change_id} and POST
// .../changes/{change_id}/revert.

import Type from 'typebox'
import type { Sql } from '../../../../db/database.ts'
import type { Row } from '../../../../db/statement.ts'
import { fault } from '../../../../kit/fault.ts'
import type { DomainName } from '../../../../kit/random.ts'
import {
  dateTime,
  identifier,
  nullable,
  oneOf,
  stringOf,
  withDefault,
} from '../../../../kit/schema.ts'
import { byNumber } from '../../../../lists/cursor.ts'
import { pagesOf } from '../../../../lists/paging.ts'
import { dnsChangeById, listDnsChangeRows } from '../../dns/record-sets/change.sql.ts'
import { diffOfKept } from '../../dns/record-sets/kept-change.ts'
import { setDiffShape, shownDiff } from '../../dns/record-sets/record-presenter.ts'
import {
  changeRecords,
  previewRecords,
  type RecordChange,
} from '../../dns/records/change-records.ts'
import {
  conflictShape,
  type RevertConflict,
  revertEdits,
} from '../../dns/records/revert-records.ts'
import { answerOf, changedRecordsShape, previewOf } from '../../dns/records/served.ts'
import { endChange } from '../../dns/unconfirmed/confirmation.ts'
import { keptBecause, keptReasons } from '../../dns/unconfirmed/kept.ts'
import { domainNotFound, domainPending } from '../../faults.ts'
import { hostOf } from '../../names.ts'
import { domainOperation, requireHolding } from '../domain-operation.ts'
import { domainInPath } from '../paid-request.ts'
import { changeFaults, dryRunField } from './record-fields.ts'

export const dnsChangeNotFound = fault('dns_change_not_found', 'absent', {
  sentence: 'The domain has no such change.',
  hint: 'List its changes: they are kept for a year, up to 1,000 of a domain.',
})

const most_listed_sets = 20
/** Keeps a page of large changes within a few megabytes. */
const most_octets = 2_000_000n

const changeInPath = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The id of the change, from list_dns_changes.',
})

const states = ['permanent', 'unconfirmed', 'confirmed', 'reverted', 'kept'] as const

const dnsChangeShape = Type.Object(
  {
    id: identifier('dch'),
    serial: Type.Integer({ description: 'The serial of the records after it.' }),
    action: Type.String({ description: 'The operation that made it.' }),
    made_by: Type.Object({
      kind: Type.String({ description: '"customer", "api_key", "oauth_client" or "system".' }),
      label: nullable(Type.String({ description: 'The name of the key or the app.' })),
    }),
    entry_point: Type.String({ description: 'The entry point: "rest", "mcp", "dashboard", ...' }),
    reverts: nullable(Type.String({ description: 'The change that it reverted.' })),
    state: oneOf(states, {
      description:
        'permanent: it was made without revert_after. kept: it was due to be reverted and was ' +
        'not, so the owner decides.',
    }),
    reverts_at: nullable(
      dateTime(
        'When it is reverted without a confirmation, or was to be; null if it is permanent.',
      ),
    ),
    kept_because: nullable(
      oneOf(keptReasons, { description: 'Why it was not reverted, or null if it is not "kept".' }),
    ),
    reverted_by: nullable(Type.String({ description: 'The last change that reverted it.' })),
    diff: Type.Array(setDiffShape, { description: `Up to ${most_listed_sets} changed sets.` }),
    sets_total: Type.Integer({ description: 'How many sets it changed.' }),
    created_at: dateTime('When it was made.'),
  },
  { title: 'DnsChange' },
)

const pages = pagesOf('list_dns_changes', byNumber, { default: 20 })

export const listDnsChanges = domainOperation({
  name: 'list_dns_changes',
  does: 'List the changes of the DNS records of one of your domains, newest first.',
  more: 'Each shows its sets before and after it. revert_dns_change reverts one.',
  at: 'GET /v1/domains/{domain}/changes',
  scope: 'domains:read',
  takes: Type.Object({
    domain: domainInPath,
    ...pages.takes,
  }),
  gives: Type.Object(
    {
      domain: stringOf<DomainName>({ description: 'Lower-case A-labels.' }),
      changes: Type.Array(dnsChangeShape),
      ...pages.gives,
    },
    { title: 'ListDnsChangesResponse' },
  ),
  fails: [domainNotFound, domainPending],
  effect: 'none',
  tools: [
    {
      group: 'name servers and DNS',
      title: 'List changes of DNS records',
      destructive: false,
      idempotent: true,
      open_world: false,
    },
  ],
  async run({ limit, cursor, ...input }, call) {
    const before = pages.placeOf(cursor)
    const domain = hostOf(input.domain)
    const { id, customer_id } = await requireHolding(call, domain, 'list_dns_records')
    const page = { domain_id: id, customer_id, before, limit: BigInt(limit + 1) }
    const rows = await call.sql.run(listDnsChangeRows, { ...page, most_octets })
    const shown = rows.slice(0, limit)
    const last = shown.at(-1)
    return {
      domain,
      changes: shown.map((row) => shownChange(row, most_listed_sets)),
      next_cursor: last && Number(last.looked) > shown.length ? pages.cursorAt(last.pos) : null,
    }
  },
})

export const getDnsChange = domainOperation({
  name: 'get_dns_change',
  does: 'Get one change of the DNS records of one of your domains, with all sets that it changed.',
  more: 'Models read list_dns_changes, which has the first sets of each.',
  at: 'GET /v1/domains/{domain}/changes/{change_id}',
  scope: 'domains:read',
  takes: Type.Object({ domain: domainInPath, change_id: changeInPath }),
  gives: Type.Object(
    {
      ...dnsChangeShape.properties,
      diff: Type.Array(setDiffShape, { description: 'All sets that it changed.' }),
    },
    { title: 'DnsChangeInFull' },
  ),
  fails: [domainNotFound, domainPending, dnsChangeNotFound],
  effect: 'none',
  async run(input, call) {
    const holding = await requireHolding(call, hostOf(input.domain), 'list_dns_records')
    const { id: domain_id, customer_id } = holding
    const row = await call.sql.maybe(dnsChangeById, { id: input.change_id, domain_id, customer_id })
    if (!row) throw dnsChangeNotFound()
    return shownChange(row)
  },
})

/** `most` is the number of sets to show, by default all. */
function shownChange(row: Row<'dns_changes_by_id'>, most?: number) {
  const diff = diffOfKept(row.sets)
  return {
    id: row.id,
    serial: Number(row.serial),
    action: row.action,
    made_by: { kind: row.actor_type, label: row.actor_label },
    entry_point: row.entry_point,
    reverts: row.reverts,
    state: stateOf(row.state),
    reverts_at: row.reverts_at?.toISOString() ?? null,
    kept_because: row.state === 'kept' ? keptBecause(row.kept_because) : null,
    reverted_by: row.reverted_by,
    diff: shownDiff(diff.slice(0, most)),
    sets_total: diff.length,
    created_at: row.created_at.toISOString(),
  }
}

function stateOf(stored: string | null) {
  return states.find((one) => one === stored) ?? 'permanent'
}

export const revertDnsChange = domainOperation({
  name: 'revert_dns_change',
  does: 'Revert a change of the DNS records of one of your domains.',
  more:
    'It restores the values that the change removed; with "prune" it also deletes those that it ' +
    'added. A set that was changed since stays as it is, and is listed in "conflicts". A change ' +
    'that waits for its confirmation ends by it.',
  at: 'POST /v1/domains/{domain}/changes/{change_id}/revert',
  scope: 'dns:write',
  takes: Type.Object({
    domain: domainInPath,
    change_id: changeInPath,
    prune: withDefault(
      Type.Boolean({ description: 'Whether to delete the values that the change added.' }),
      false,
    ),
    dry_run: dryRunField,
  }),
  gives: Type.Object(
    {
      ...changedRecordsShape.properties,
      conflicts: Type.Array(conflictShape, { description: 'The sets that stay as they are.' }),
    },
    { title: 'RevertedDnsChangeResponse' },
  ),
  fails: [...changeFaults, dnsChangeNotFound],
  tools: [
    {
      group: 'name servers and DNS',
      title: 'Take back a change of DNS records',
      examples: [{ domain: 'my-agent.com', change_id: 'dch_01j9zk3v8m2q4r6t8w0y2b4d6f' }],
      destructive: true,
      idempotent: true,
    },
  ],
  async run(input, call, app) {
    const domain = hostOf(input.domain)
    const holding = await requireHolding(call, domain, 'configure_dns_record')
    const { id: domain_id, customer_id } = holding
    const asked = { id: input.change_id, domain_id, customer_id }
    const kept = await call.sql.maybe(dnsChangeById, asked)
    if (!kept) throw dnsChangeNotFound()
    const changed = diffOfKept(kept.sets)
    let conflicts: readonly RevertConflict[] = []
    const isOpen = kept.state === 'unconfirmed' || kept.state === 'kept'
    const change: RecordChange = {
      ...{ holding, input, action: 'revert_dns_change', reverts: kept.id },
      ...(isOpen && {
        ends: {
          ...{ approved: false, as_stored: true },
          // A set that needs "prune" is still reverted when it is due.
          store: (sql: Sql) =>
            conflicts.some(({ reason }) => reason === 'needs_prune')
              ? Promise.resolve(null)
              : endChange(sql, { id: kept.id, state: 'reverted', from: ['unconfirmed', 'kept'] }),
        },
      }),
      edits: (zone) => {
        const edits = revertEdits(zone, { changed, prune: input.prune })
        conflicts = edits.conflicts
        return { sets: edits.sets }
      },
    }
    const answer = input.dry_run
      ? previewOf(await previewRecords(call, change))
      : await answerOf(app, await changeRecords(app, call, change))
    return { ...answer, conflicts: [...conflicts] }
  },
})
