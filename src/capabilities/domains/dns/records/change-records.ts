// Changes record sets of a holding in one transaction: checked as a whole, kept with the sets of
// before, and audited.
import type { App, Call } from '../../../../app.ts'
import type { Sql } from '../../../../db/database.ts'
import { json } from '../../../../db/statement.ts'
import { FieldReader } from '../../../../kit/field-reader.ts'
import { requireFreshSession } from '../../../account/index.ts'
import { requestChanged } from '../../../approvals/index.ts'
import { storeAuditRow } from '../../../audit/index.ts'
import { recordsNeedNoApproval, requireRecordsAllowed } from '../../../limits/index.ts'
import { domainNotFound } from '../../faults.ts'
import type { Holding } from '../../holdings/domain-presenter.ts'
import { endWithChange, requireApproval } from '../../updates/approved-change.ts'
import { type RightToChange, rightToChange } from '../../updates/right-to-change.ts'
import { lockZoneHolding } from '../zones.sql.ts'
import { keepChange } from './kept-change.ts'
import {
  isTooLarge,
  planRecords,
  type RecordEdits,
  type RecordPlan,
  type SetDiff,
} from './plan-records.ts'
import { type RecordZone, readRecordZone } from './read-zone.ts'
import { diffDigest, shownDiff } from './record-presenter.ts'
import { most_sets, most_zone_octets, type RecordSets, recordPath } from './record-set.ts'
import { putRecordSets, touchRecords } from './records.sql.ts'
import { dnsZoneFull } from './zone-faults.ts'

export type RecordChange = {
  holding: Holding
  /** The operation. */
  action: string
  /** Its input, which an owner approves. */
  input: object
  /** The edits that the request asks for; malformed fields are noted with the reader. */
  edits: (zone: RecordZone, reader: FieldReader) => RecordEdits
  /** The change that this one takes back. */
  reverts?: string
  /** Of the audit row, beside the changed sets. */
  metadata?: Readonly<Record<string, unknown>>
}

export type ChangedRecords = {
  zone: Pick<RecordZone, 'domain' | 'hosted' | 'serial'>
  diff: readonly SetDiff[]
  /** All sets, as they are now. */
  sets: RecordSets
  /** Null: nothing differed, or it was a dry run. */
  change_id: string | null
}

const most_shown = 20

/** The difference that the change would make; throws the same faults, but for approvals. */
export async function previewRecords(
  { sql, caller }: Pick<Call, 'sql' | 'caller'>,
  change: RecordChange,
): Promise<ChangedRecords> {
  const zone = await readRecordZone(sql, change.holding)
  return { zone, ...planOf(zone, change, caller), change_id: null }
}

/**
 * All of it or nothing. Throws InvalidInput at the place of each broken rule, dnsZoneFull,
 * dns_record_not_allowed, and approvalRequired for a key or an app on a protected domain. A set
 * that is there as asked for is left alone.
 */
export async function changeRecords(
  app: App,
  call: Call,
  change: RecordChange,
): Promise<ChangedRecords> {
  const { holding, action, input } = change
  if (holding.protected) requireFreshSession(app, call)
  const isExempt = recordsNeedNoApproval(call.caller)
  const mayChange = rightToChange(call, { holding, guarded: true, records_free: isExempt })
  // Again where nothing had differed at first, so that the owner was not asked.
  for (let { diff } = await previewRecords(call, change); ; ) {
    const isAsked = diff.length > 0 && !isExempt
    if (isAsked) {
      const records = shownDiff(diff.slice(0, most_shown))
      const more = diff.length > most_shown && { sets_total: diff.length }
      const request = { records, ...more }
      await requireApproval(app, call, { action, holding, input, request })
    }
    const mayStore = (planned: RecordPlan) => isAsked || isExempt || planned.diff.length === 0
    const done = await app.db.transaction((sql) =>
      storeChange(app, { call, sql }, { change, mayChange, mayStore }),
    )
    if (done.change_id !== null) app.reached?.('records_stored')
    if (done.change_id !== null || done.diff.length === 0) return done
    diff = done.diff
  }
}

type Context = { call: Call; sql: Sql }
type Storing = {
  change: RecordChange
  mayChange: RightToChange
  mayStore: (plan: RecordPlan) => boolean
}

/** Without effect, and without a change_id, for a difference that may not be stored yet. */
async function storeChange(
  app: App,
  { call, sql }: Context,
  { change, mayChange, mayStore }: Storing,
): Promise<ChangedRecords> {
  const { holding } = change
  const { id, customer_id } = holding
  if (!(await sql.maybe(lockZoneHolding, { id, customer_id }))) throw domainNotFound()
  const zone = await readRecordZone(sql, holding)
  const plan = planOf(zone, change, call.caller)
  const { diff, sets } = plan
  if (!mayStore(plan)) return { zone, diff, sets, change_id: null }
  const stored =
    diff.length === 0
      ? await noteRepeated({ call, sql }, { change, serial: zone.serial })
      : await storeDiff(app, { call, sql }, { change, diff })
  await mayChange(sql, diff)
  if (!(await endWithChange(sql, call))) throw requestChanged()
  app.reached?.('records_storing')
  const { serial, change_id } = stored
  return { zone: { ...zone, serial }, diff, sets, change_id }
}

const aboutOf = ({ action, holding }: RecordChange) => {
  return { action, target_type: 'domain', target: holding.name }
}

type Repeated = { change: RecordChange; serial: number }

async function noteRepeated({ call, sql }: Context, { change, serial }: Repeated) {
  const metadata = { ...change.metadata, repeated: true }
  await storeAuditRow(sql, call.auditRow({ ...aboutOf(change), metadata }))
  return { serial, change_id: null }
}

type Differing = { change: RecordChange; diff: readonly SetDiff[] }

async function storeDiff(app: App, { call, sql }: Context, { change, diff }: Differing) {
  const { holding, reverts, metadata } = change
  const { id: domain_id, customer_id } = holding
  await sql.count(putRecordSets, { domain_id, sets: json(rowsOf(holding.name, diff)) })
  const { serial } = await sql.one(touchRecords, { domain_id })
  const row = call.auditRow(aboutOf(change))
  const kept = { domain_id, customer_id, serial, diff, row, reverts: reverts ?? null }
  const change_id = await keepChange(app, sql, kept)
  const facts = {
    ...{ change: change_id, serial: Number(serial), digest: diffDigest(holding.name, diff) },
    sets: shownDiff(diff.slice(0, most_shown)),
    sets_total: diff.length,
    ...(reverts !== undefined && { reverts }),
    ...metadata,
  }
  await storeAuditRow(sql, call.auditRow({ ...aboutOf(change), metadata: facts }))
  return { serial: Number(serial), change_id }
}

function planOf(zone: RecordZone, { edits }: RecordChange, caller: Call['caller']): RecordPlan {
  const reader = new FieldReader()
  const asked = edits(zone, reader)
  // Before the rules, whose sentences would speak of sets that could not be read.
  reader.finish()
  const plan = planRecords(reader, { domain: zone.domain, before: zone.sets, edits: asked })
  reader.finish()
  requireRecordsAllowed(caller, plan.diff)
  const { size } = plan.sets
  if ((size > most_sets && size > zone.sets.size) || isTooLarge(plan, zone.sets))
    throw dnsZoneFull({
      detail:
        `A domain has at most ${most_sets} record sets of ${most_zone_octets} octets together; ` +
        `it would have ${size} of ${plan.octets}.`,
      facts: { records: zone.sets.size },
    })
  return plan
}

function rowsOf(domain: string, diff: readonly SetDiff[]) {
  return diff.map(({ host, type, after }) => ({
    ...{ host, type },
    path: recordPath(host, domain),
    ttl: after?.ttl ?? null,
    rdata: after?.rdata.map((one) => one.toString('hex')) ?? [],
  }))
}
