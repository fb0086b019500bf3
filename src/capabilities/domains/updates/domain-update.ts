// Updates of a domain that cost nothing: reads the registry state, sends only the difference, reads
// it back and stores it. If it is repeated after silence, it sends the rest.
import type { Glue, Outcome, RegistryDomain } from '../../../adapters/registry/port.ts'
import type { App, AuditFacts, AuditResult, Call } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { Fault, faultWith } from '../../../kit/fault.ts'
import { storeAuditRow } from '../../audit/index.ts'
import type { LimitedBy } from '../../limits/index.ts'
import { serveAhead } from '../dns/serve-ahead.ts'
import { domainNotFound, glueRequired, notChangeable, unlockFirst } from '../faults.ts'
import type { Holding } from '../holdings/domain-presenter.ts'
import { holdingByName } from '../holdings/holdings.sql.ts'
import { domainStateOf, lifecycleStatus } from '../holdings/lifecycle.ts'
import { type DomainAction, refusalOf } from '../holdings/state-rules.ts'
import { applySyncDecision, storeReadings } from '../holdings/sync.ts'
import { decideSync } from '../holdings/sync-decision.ts'
import { isWithin } from '../names.ts'
import { endWithChange, refuseEndedApproval } from './approved-change.ts'
import {
  confirmWithRegistry,
  type PreviousRounds,
  refusedByRegistry,
  type Step,
} from './confirm-with-registry.ts'
import { type DomainLease, withDomainLease } from './domain-lease.ts'
import { type RightToChange, rightToChange } from './right-to-change.ts'
import {
  type DesiredState,
  type Difference,
  differenceOf,
  forbiddingStatus,
  hostsWithoutGlue,
  type ShownDomain,
  withoutUpdateProhibition,
} from './update-diff.ts'
import { purgeWanted, setAutoRenew } from './updates.sql.ts'
import { dropWaiting } from './waiting/waiting.sql.ts'

type HoldingUpdate = {
  holding: Holding
  /** The requested action in the table of states. */
  action: DomainAction
  desired: DesiredState
  /** Set together with the change at the registry, or not at all. */
  auto_renew?: boolean | undefined
  /** The key or the consent that turns it on; absent if the owner does. */
  auto_renew_by?: LimitedBy
  /**
   * Whether the desired state no longer applies to the present holding, so that nothing is done.
   */
  superseded?: (holding: Holding) => boolean
  /** The details of the audit row. */
  facts: AuditFacts
  /** Gets each reading of the registry; the last one is stored. */
  onReading?: (found: RegistryDomain) => void
  /** When it was asked for, if that was not now. */
  asked_at?: Date
  steps?: UpdateSteps
}

/** The steps of a change besides its commands. */
export type UpdateSteps = {
  /** Runs before each command; if it throws, nothing more is sent. */
  sending?: (before: { nameservers: readonly string[]; glue: Glue }) => Promise<void>
  /** Runs if nothing has reached the registry, and nothing will. */
  nothingSent?: () => Promise<void>
  /** Runs in the transaction that stores the change. */
  stored?: (sql: Sql) => Promise<unknown>
}

/**
 * Establishes the desired state at the registry and stores the registry's state after it, with the
 * audit row, in one transaction. Throws, with nothing stored: 409 not_changeable, glue_required,
 * change_under_way; 409 change_refused with the registry's words; 503 registry_unreachable when
 * nothing was sent, change_unconfirmed when something was. Sending the same again is safe.
 */
export async function updateHolding(app: App, call: Call, update: HoldingUpdate): Promise<Holding> {
  const { name: domain } = update.holding
  const { asked_at = app.clock.now() } = update
  const { nameservers, locked } = update.desired
  const guarded = nameservers !== undefined || locked === false
  const right = rightToChange(call, { holding: update.holding, guarded })
  return withDomainLease(app, { domain, right }, (lease) =>
    confirmWithRegistry(app, call, {
      lease,
      facts: rowFacts(update),
      enough_ms: 3 * lease.registry.profile.timeout_ms,
      ...(update.steps?.nothingSent && { onNothingSent: update.steps.nothingSent }),
      round: (soFar) => updateRound(app, call, { lease, update, right, asked_at, soFar }),
    }),
  )
}

function rowFacts({ holding, facts }: HoldingUpdate): AuditFacts {
  return { ...facts, target_type: 'domain', target: holding.name }
}

/** A reading of the registry, and the state of the holding before it. */
type Seen = { holding: Holding; found: RegistryDomain; shown: ShownDomain }
type Updating = { lease: DomainLease; update: HoldingUpdate }
type UpdateRound = Updating & { right: RightToChange; asked_at: Date; soFar: PreviousRounds }

/** Each round reads, and sends what is still missing. */
async function updateRound(
  app: App,
  call: Call,
  { lease, update, right, asked_at, soFar }: UpdateRound,
): Promise<Step<Holding>> {
  // Under the lease, a newer change has either ended, with its approval, or comes later.
  if (!soFar.sent) await refuseEndedApproval(app.db, call)
  const seen = await look(app, { lease, update })
  if (!seen) return { kind: 'silent' }
  update.onReading?.({ ...seen.found, glue: seen.shown.glue })
  if (update.superseded?.(seen.holding)) return { kind: 'confirmed', value: seen.holding }
  const left = differenceOf(update.desired, seen.shown)
  if (!left || soFar.accepted) {
    const result = left ? 'pending' : 'success'
    const { sent } = soFar
    const stored = await store(app, call, { update, right, sent, seen, asked_at, result })
    return stored ? { kind: 'confirmed', value: stored } : { kind: 'stale' }
  }
  if (soFar.refused) {
    if (!soFar.sent) await update.steps?.nothingSent?.()
    throw refusedByRegistry(soFar.refused)
  }
  refuseUpdate(app, update, seen)
  const { nameservers, glue } = seen.shown
  await update.steps?.sending?.({ nameservers, glue })
  return { kind: 'answered', outcome: await sendServed(app, { lease, update }, left) }
}

/** Sends it with the zone served before the registry names our servers, unless it refuses. */
async function sendServed(app: App, updating: Updating, left: Difference): Promise<Outcome<null>> {
  const { holding, desired } = updating.update
  const isMove = left.nameservers !== undefined && desired.nameservers !== undefined
  const unserve = isMove ? await serveAhead(app, holding, desired.nameservers ?? []) : undefined
  const outcome = await send(updating, left)
  if (outcome.kind === 'refused') await unserve?.()
  return outcome
}

/** Undefined if the registry is silent. */
async function look(app: App, { lease, update }: Updating): Promise<Seen | undefined> {
  const { registry, priority } = lease
  const { customer_id, name } = update.holding
  const holding = await app.db.maybe(holdingByName, { customer_id, name })
  if (!holding) throw domainNotFound()
  const read = await registry.read(holding.name, priority)
  const facts = { sponsor: registry.profile.client_id, now: app.calendar.now() }
  const reading = decideSync(read, holding, facts)
  if (reading.do === 'nothing') return undefined
  if (reading.do !== 'store') {
    const settled = await applySyncDecision(app, holding, reading)
    if (settled.kind === 'missing') return undefined
    throw domainNotFound()
  }
  const { found } = reading
  const own = (update.desired.nameservers ?? []).filter((host) => isWithin(holding.name, host))
  const objects = own.length > 0 ? await registry.readGlue?.(own, priority) : undefined
  if (objects && objects.kind !== 'done') return undefined
  const glue = { ...found.glue, ...objects?.value }
  return { holding, found, shown: { ...found, glue, lift_hold_at: holding.lift_hold_at } }
}

/** Throws the fault that forbids sending. */
function refuseUpdate(
  app: App,
  { action, desired }: HoldingUpdate,
  { holding, found, shown }: Seen,
): void {
  const obstacles = desired.cleared ? withoutUpdateProhibition(found) : found
  refuseByStatus(app, { holding, action }, obstacles)
  const hosts = hostsWithoutGlue(holding.name, desired, shown)
  if (hosts.length > 0)
    throw glueRequired({
      detail: `No address is known of ${hosts.join(', ')}.`,
      facts: { hosts },
    })
}

async function send({ lease, update }: Updating, left: Difference): Promise<Outcome<null>> {
  const { registry, priority } = lease
  const { name: domain } = update.holding
  const { add = [], glue = {} } = left.nameservers ?? {}
  const hosts = [...new Set([...add, ...Object.keys(glue)])]
  if (hosts.length > 0) {
    await lease.renew()
    const made = await registry.ensureHosts(hosts, { priority, permit: lease.permit }, glue)
    if (made.kind !== 'done') return made
  }
  return lease.send((attempt) => registry.update({ domain, ...left }, attempt))
}

const byOwner: LimitedBy = { api_key_id: null, oauth_grant_id: null }

type Storing = Pick<UpdateRound, 'update' | 'right' | 'asked_at'> & {
  seen: Seen
  result: AuditResult
  sent: boolean
}

/**
 * Undefined if newer facts (of a renewal, for example) were written since the registry was asked. A
 * change that was sent before the right ended is stored, and nothing else.
 */
async function store(
  app: App,
  call: Call,
  { update, right, sent, seen: { holding, found }, asked_at, result }: Storing,
): Promise<Holding | undefined> {
  const { desired, auto_renew, auto_renew_by = byOwner } = update
  const { id, customer_id, updated_at: seen } = holding
  return app.db.transaction(async (sql) => {
    const [stored] = await storeReadings(app, sql, [{ holding, found, seen }])
    if (!stored) return undefined
    const holds = await right(sql).then(
      () => true,
      (ended) => {
        if (sent && ended instanceof Fault) return false
        throw ended
      },
    )
    // The revert of an earlier change ends no request that came after that.
    if (desired.nameservers && !update.asked_at) await endOlder(sql, call, { id, customer_id })
    await update.steps?.stored?.(sql)
    const parts = {
      lock: desired.locked !== undefined,
      nameservers: desired.nameservers !== undefined,
      auto_renew: auto_renew !== undefined,
    }
    const stands = (await endWithChange(sql, call, { holding, parts, asked_at })) && holds
    const set =
      auto_renew === undefined || !stands
        ? undefined
        : await sql.maybe(setAutoRenew, { id, customer_id, auto_renew, ...auto_renew_by })
    const facts = stands ? rowFacts(update) : withoutAutoRenew(rowFacts(update))
    await storeAuditRow(sql, call.auditRow({ ...facts, result, status_code: 200 }))
    return set ?? stored
  })
}

/**
 * Stores only the change at the registry, which was sent before its approval or the right ended.
 */
function withoutAutoRenew({ metadata = {}, ...facts }: AuditFacts): AuditFacts {
  const { auto_renew: _not_set, ...rest } = metadata
  return { ...facts, metadata: rest }
}

/** Drops name servers that were still to be set, or waited, before this change of them. */
async function endOlder(
  sql: Sql,
  { caller }: Call,
  { id, customer_id }: Pick<Holding, 'id' | 'customer_id'>,
) {
  await sql.run(purgeWanted, { id, customer_id })
  // A change of the service's own is no newer request.
  if (caller.kind !== 'anonymous') await sql.maybe(dropWaiting, { domain_id: id })
}

type Asked = { holding: Holding; action: DomainAction }
type Statuses = Pick<RegistryDomain, 'epp_statuses' | 'rgp_statuses'>

/** Throws the fault of the table of states for the present state at the registry. */
export function refuseByState(app: App, { holding, action }: Asked): void {
  const now = app.calendar.now()
  const { epp_statuses, rgp_statuses } = holding
  const refusal = refusalOf(domainStateOf(holding, now), action)
  if (!refusal) return
  throw faultWith(refusal, {
    facts: { domain_status: lifecycleStatus(holding, now), epp_statuses, rgp_statuses },
  })
}

/**
 * Throws the fault of the table of states for the present state at the registry, and 409
 * not_changeable for a status that is no state of ours, such as a server's update lock.
 */
export function refuseByStatus(
  app: App,
  { holding, action }: Asked,
  { epp_statuses, rgp_statuses }: Statuses,
): void {
  const now = app.calendar.now()
  const facts = { ...holding, epp_statuses, rgp_statuses }
  const obstacle = forbiddingStatus({ epp_statuses, rgp_statuses })
  const refusal = refusalOf(domainStateOf(facts, now), action) ?? (obstacle && notChangeable)
  if (!refusal) return
  throw faultWith(refusal, {
    detail: `The status ${obstacle ?? 'pendingDelete'} prevents the change; nothing was sent.`,
    ...(obstacle?.startsWith('client') && { hint: unlockFirst }),
    facts: { domain_status: lifecycleStatus(facts, now), epp_statuses, rgp_statuses },
  })
}
