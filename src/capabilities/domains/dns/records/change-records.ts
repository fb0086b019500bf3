// Changes record sets of a holding in one transaction. A change is checked as a whole, kept with
// the sets as they were before it, and audited.
import type { App, Call, DnsLimit } from '../../../../app.ts'
import type { Sql } from '../../../../db/database.ts'
import { json } from '../../../../db/statement.ts'
import { FieldReader } from '../../../../kit/field-reader.ts'
import type { DomainName } from '../../../../kit/random.ts'
import { requireFreshSession } from '../../../account/index.ts'
import { requestChanged } from '../../../approvals/index.ts'
import { storeAuditRow } from '../../../audit/index.ts'
import { recordsNeedNoApproval, requireRecordsAllowed } from '../../../limits/index.ts'
import { domainNotFound } from '../../faults.ts'
import type { Holding } from '../../holdings/domain-presenter.ts'
import { endWithChange, isHeldToApproval, requireApproval } from '../../updates/approved-change.ts'
import { type RightToChange, rightToChange } from '../../updates/right-to-change.ts'
import { keepChange } from '../record-sets/kept-change.ts'
import {
  isTooLarge,
  planRecords,
  type RecordEdits,
  type RecordPlan,
  type SetDiff,
} from '../record-sets/plan-records.ts'
import { diffDigest, headOfDiff } from '../record-sets/record-presenter.ts'
import {
  most_sets,
  most_zone_octets,
  type RecordSets,
  recordPath,
} from '../record-sets/record-set.ts'
import {
  askedSets,
  awaitConfirmation,
  type ChangeState,
  readRevertAfter,
  requireNoOpenChange,
  type StoredEnd,
  withShortTtls,
} from '../unconfirmed/confirmation.ts'
import { dnsZoneFull } from '../zone-faults.ts'
import { lockZoneHolding } from '../zones.sql.ts'
import { type RecordZone, readRecordZone } from './read-zone.ts'
import { putRecordSets, touchRecords } from './records.sql.ts'

export type RecordChange = {
  holding: Holding
  /** The name of the operation. */
  action: string
  /** Its input, which an owner approves. */
  input: object
  /** The edits that the request asks for; malformed fields are noted with the reader. */
  edits: (zone: RecordZone, reader: FieldReader) => RecordEdits
  /** The change that this one reverts. */
  reverts?: string
  /**
   * The limit of the key for DNS updates that makes the change, beside the limits of the caller.
   * Its maker had the right to make the key, so no approval is asked for.
   */
  by_key?: { limit: DnsLimit }
  /** Stores more in the transaction. */
  within?: (sql: Sql) => Promise<void>
  /** The metadata of the audit row, beside the changed sets. */
  metadata?: Readonly<Record<string, unknown>>
  /** An ISO 8601 duration, after which the change is reverted unless it is confirmed. */
  revert_after?: string | undefined
  /** The end of an earlier change, which was made by right, and approved where that was needed. */
  ends?: ChangeEnd
}

/** The end of an earlier change that waits for its confirmation. */
type ChangeEnd = {
  /** Whether it needs no approval because the earlier change was approved. */
  approved: boolean
  /** Whether the sets are compared as they are, with the short TTLs. */
  as_stored: boolean
  /**
   * Runs in the transaction, under the lock of the holding. `change_id` is the id of this change,
   * or null if no set differs. Returns null if there was nothing to end.
   */
  store: (sql: Sql, change_id: string | null) => Promise<StoredEnd | null>
}

export type ChangedRecords = {
  zone: Pick<RecordZone, 'domain' | 'hosted' | 'serial'>
  diff: readonly SetDiff[]
  /** All sets as they are after the change. */
  sets: RecordSets
  /** Null if nothing differed, or if it was a dry run. */
  change_id: string | null
  /** The state of a change that waits for its confirmation, or of the one that it ended. */
  change: ChangeState | null
}

/** The difference that the change would make. Throws the same faults, except for approvals. */
export async function previewRecords(
  { sql, caller }: Pick<Call, 'sql' | 'caller'>,
  change: RecordChange,
): Promise<ChangedRecords> {
  const zone = await readRecordZone(sql, change.holding)
  const { diff, sets } = planOf(zone, change, caller)
  return { zone, diff, sets, change_id: null, change: null }
}

/**
 * Makes the whole change or nothing of it. Throws InvalidInput at the place of each broken rule,
 * dnsZoneFull, dns_record_not_allowed, and approvalRequired for a key or an app on a protected
 * domain. A set that is already as the request asks is left alone.
 */
export async function changeRecords(
  app: App,
  call: Call,
  change: RecordChange,
): Promise<ChangedRecords> {
  const { holding, action, input, revert_after, by_key } = change
  if (holding.protected && !by_key) requireFreshSession(app, call)
  const isApproved = change.ends?.approved === true
  const records_free = by_key !== undefined || recordsNeedNoApproval(call.caller)
  const isExempt = isApproved || records_free
  const mayChange = rightToChange(call, { holding, guarded: !isApproved, records_free })
  const store = (mayStore: (plan: RecordPlan) => boolean) =>
    app.db.transaction((sql) => changeWithin(app, { call, sql }, { change, mayChange, mayStore }))
  const isHeld = !isExempt && isHeldToApproval(call, holding)
  if (!isHeld) return stored(app, await store(() => true))
  // The owner is not asked if nothing differs. If something does when it is stored, this repeats.
  for (let { diff } = await previewRecords(call, change); ; ) {
    const isAsked = diff.length > 0
    if (isAsked) {
      const records = headOfDiff(diff)
      const more = diff.length > records.length && { sets_total: diff.length }
      const timed = revert_after !== undefined && { revert_after }
      const request = { records, ...more, ...timed }
      await requireApproval(app, call, { action, holding, input, request })
    }
    const done = await store((planned) => isAsked || planned.diff.length === 0)
    if (done.change_id !== null || done.diff.length === 0) return stored(app, done)
    diff = done.diff
  }
}

function stored(app: App, done: ChangedRecords): ChangedRecords {
  if (done.change_id !== null) app.reached?.('records_stored')
  return done
}

type Context = { call: Call; sql: Sql }
type Storing = {
  change: RecordChange
  mayChange: RightToChange
  /** Whether the difference may be stored, because its owner was asked where that is needed. */
  mayStore: (plan: RecordPlan) => boolean
}

/**
 * Makes the change in a transaction. A difference that may not be stored yet has no effect and gets
 * no change_id.
 */
export async function changeWithin(
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
  if (!mayStore(plan)) return { zone, diff, sets, change_id: null, change: null }
  const stored = diff.length === 0 ? null : await storeDiff(app, { call, sql }, { change, plan })
  const change_id = stored?.change_id ?? null
  const end = (await change.ends?.store(sql, change_id)) ?? null
  await storeAuditRow(sql, call.auditRow(auditedOf(change, { stored, end })))
  await change.within?.(sql)
  await mayChange(sql, diff)
  if (!(await endWithChange(sql, call))) throw requestChanged()
  app.reached?.('records_storing')
  const serial = stored?.serial ?? zone.serial
  const state = end?.change ?? stored?.awaited ?? null
  return { zone: { ...zone, serial }, diff, sets, change_id, change: state }
}

const aboutOf = ({ action, holding }: RecordChange) => {
  return { action, target_type: 'domain', target: holding.name }
}

type Stored = Awaited<ReturnType<typeof storeDiff>>

function auditedOf(
  change: RecordChange,
  { stored, end }: { stored: Stored | null; end: StoredEnd | null },
) {
  const repeated = stored || end ? {} : { repeated: true }
  const metadata = { ...stored?.facts, ...change.metadata, ...end?.metadata, ...repeated }
  return { ...aboutOf(change), metadata }
}

type Differing = { change: RecordChange; plan: PlannedChange }

async function storeDiff(app: App, { call, sql }: Context, { change, plan }: Differing) {
  const { holding, reverts } = change
  const { diff, after_ms } = plan
  const { id: domain_id, customer_id } = holding
  await sql.count(putRecordSets, { domain_id, sets: json(rowsOf(holding.name, diff)) })
  const { serial } = await sql.one(touchRecords, { domain_id })
  const row = call.auditRow(aboutOf(change))
  const kept = { domain_id, customer_id, serial, diff, row, reverts: reverts ?? null }
  const change_id = await keepChange(app, sql, kept)
  const awaiting = { change_id, domain_id, after_ms: after_ms ?? 0 }
  const awaited = after_ms === null ? null : await awaitConfirmation(app, { call, sql }, awaiting)
  const facts = {
    ...{ change: change_id, serial: Number(serial), digest: diffDigest(holding.name, diff) },
    sets: headOfDiff(diff),
    sets_total: diff.length,
    ...(reverts !== undefined && { reverts }),
    ...(awaited && { state: awaited.state, reverts_at: awaited.reverts_at }),
  }
  return { serial: Number(serial), change_id, awaited, facts }
}

/** `after_ms` is the time to confirm it in, or null if it needs no confirmation. */
type PlannedChange = RecordPlan & { after_ms: number | null }

function planOf(
  zone: RecordZone,
  { edits, revert_after, ends, by_key }: RecordChange,
  caller: Call['caller'],
): PlannedChange {
  const reader = new FieldReader()
  const asked = edits(zone, reader)
  const after_ms = revert_after === undefined ? null : readRevertAfter(reader, revert_after)
  // This comes before the rules, whose sentences would be about sets that could not be read.
  reader.finish()
  const before = ends?.as_stored ? zone.sets : askedSets(zone.sets, zone.open)
  const plan = planRecords(reader, { domain: zone.domain, before, edits: asked })
  reader.finish()
  requireRecordsAllowed(caller, plan.diff, by_key?.limit)
  const { size } = plan.sets
  if ((size > most_sets && size > zone.sets.size) || isTooLarge(plan, zone.sets))
    throw dnsZoneFull({
      detail:
        `A domain has at most ${most_sets} record sets of ${most_zone_octets} octets together; ` +
        `it would have ${size} of ${plan.octets}.`,
      facts: { records: zone.sets.size },
    })
  if (after_ms === null) return { ...plan, after_ms }
  requireNoOpenChange(plan.diff, zone.open)
  return { ...withShortTtls(plan), after_ms }
}

function rowsOf(domain: DomainName, diff: readonly SetDiff[]) {
  return diff.map(({ host, type, after }) => ({
    ...{ host, type },
    path: recordPath(host, domain),
    ttl: after?.ttl ?? null,
    rdata: after?.rdata.map((one) => one.toString('hex')) ?? [],
  }))
}
