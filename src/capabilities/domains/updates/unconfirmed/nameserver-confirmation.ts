// The dead man's switch of a change of name servers: its revert is stored before the registry gets
// the command, and a task makes it unless the change is confirmed in time.
import Type from 'typebox'
import type { Glue, RegistryDomain } from '../../../../adapters/registry/port.ts'
import type { App, Call, Caller } from '../../../../app.ts'
import type { Sql } from '../../../../db/database.ts'
import { json, type Row } from '../../../../db/statement.ts'
import { fault, InvalidInput } from '../../../../kit/fault.ts'
import { FieldReader } from '../../../../kit/field-reader.ts'
import { newId } from '../../../../kit/random.ts'
import { compile, dateTime } from '../../../../kit/schema.ts'
import { enqueue } from '../../../../tasks/index.ts'
import {
  type ChangeState,
  isMaker,
  makerColumns,
  readRevertAfter,
} from '../../dns/unconfirmed/confirmation.ts'
import {
  dropNameserverConfirmation,
  endNameserverConfirmation,
  storeNameserverConfirmation,
  undecidedNameservers,
} from '../../dns/unconfirmed/nameserver-confirmations.sql.ts'
import type { Holding } from '../../holdings/domain-presenter.ts'
import type { UpdateSteps } from '../domain-update.ts'
import { differenceOf } from '../update-diff.ts'
import { changeUnderWay } from '../update-faults.ts'
import { revertNameserversTask } from './revert-nameservers-task.ts'

export type NameserverConfirmation = Row<'nameserver_confirmations_by_id'>
type Delegation = { nameservers: readonly string[]; glue: Glue }

export const nameserverChangeUnconfirmed = fault('nameserver_change_unconfirmed', 'conflict', {
  sentence: 'Another change of the name servers waits for its confirmation.',
  hint: 'Confirm that change (confirm_dns_change), or send this one without revert_after.',
  next: 'read_back',
  facts: {
    change_id: Type.String({ description: 'The change that waits.' }),
    reverts_at: dateTime('When that change is reverted.'),
  },
})

const readGlue = compile(Type.Record(Type.String(), Type.Array(Type.String())))

export const beforeOf = (row: NameserverConfirmation): Delegation => ({
  nameservers: row.before_nameservers,
  glue: readGlue.parse(row.before_glue),
})
const afterOf = (row: NameserverConfirmation): Delegation => ({
  nameservers: row.after_nameservers,
  glue: readGlue.parse(row.after_glue),
})

/** Whether nothing needs to change at a registry that shows this. */
function isAt({ nameservers, glue }: Delegation, wanted: Partial<Delegation>): boolean {
  const shown = { nameservers: [...nameservers], glue, epp_statuses: [], lift_hold_at: null }
  return differenceOf(wanted, shown) === null
}

function sameHosts(one: readonly string[], other: readonly string[]): boolean {
  const sorted = (hosts: readonly string[]) => hosts.toSorted().join(' ')
  return sorted(one) === sorted(other)
}

/** Whether the registry shows the name servers from before, those of the change, or others. */
export function placeOf(
  { nameservers, glue }: Pick<RegistryDomain, 'nameservers' | 'glue'>,
  row: NameserverConfirmation,
): 'before' | 'after' | 'elsewhere' {
  const [before, after] = [beforeOf(row), afterOf(row)]
  const shown = { nameservers, glue: glue ?? {} }
  // If the hosts are the same, the change is about their addresses.
  const byGlue = sameHosts(before.nameservers, after.nameservers)
  const shows = (one: Delegation) => isAt(shown, byGlue ? one : { nameservers: one.nameservers })
  if (shows(before)) return 'before'
  return shows(after) ? 'after' : 'elsewhere'
}

type Asked = { nameservers: readonly string[]; glue: Glue } | undefined

type Timed = { revert_after?: string | undefined; require_served?: boolean | undefined }

/** Milliseconds, or null if it needs no confirmation. Throws InvalidInput. */
export function nameserversRevertAfter(
  desired: Asked,
  { revert_after: text, require_served }: Timed,
): number | null {
  if (text === undefined) return null
  const msg =
    desired === undefined
      ? 'Only a change of name servers can be reverted: send nameservers with it'
      : 'A change that waits for its servers (require_served) cannot be reverted by itself'
  if (desired === undefined || require_served)
    throw new InvalidInput([{ path: ['revert_after'], msg, type: 'value_error' }])
  const reader = new FieldReader()
  const ms = readRevertAfter(reader, text)
  reader.finish()
  return ms
}

type Wanted = {
  holding: Holding
  desired: Delegation
  /** Null if it needs no confirmation, and ends the changes that wait. */
  after_ms: number | null
}

type ConfirmedSteps = {
  steps: UpdateSteps
  /** The state of a change that can be reverted, or null if it cannot. */
  change: () => ChangeState | null
}

/** The steps of a change of name servers beside its commands. */
export function nameserverSteps(app: App, call: Call, wanted: Wanted): ConfirmedSteps {
  const { holding, desired, after_ms } = wanted
  const { id: domain_id } = holding
  let change: ChangeState | null = null
  let stored_id: string | null = null
  if (after_ms === null) {
    const steps = { stored: (sql: Sql) => endOlder(sql, { domain_id, desired }) }
    return { steps, change: () => null }
  }
  const steps: UpdateSteps = {
    async sending(before) {
      stored_id ??= await awaitConfirmation(app, call, { wanted, before, after_ms })
    },
    async nothingSent() {
      if (stored_id !== null)
        await app.db.count(dropNameserverConfirmation, { change_id: stored_id })
    },
    async stored(sql) {
      const open = await openChange(sql, domain_id)
      if (open && isSameRequest(open, { caller: call.caller, desired })) change = stateOf(open)
    },
  }
  return { steps, change: () => change }
}

async function openChange(sql: Pick<Sql, 'run'>, domain_id: bigint) {
  const rows = await sql.run(undecidedNameservers, { domain_id })
  return rows.find(({ state }) => state === 'unconfirmed')
}

function stateOf({ change_id, reverts_at }: NameserverConfirmation): ChangeState {
  return { id: change_id, state: 'unconfirmed', reverts_at: reverts_at.toISOString() }
}

type Request = { caller: Caller; desired: Delegation }

/** Whether the maker sent it again, after a lost answer for example. */
function isSameRequest(row: NameserverConfirmation, { caller, desired }: Request): boolean {
  return isMaker(caller, row) && isAt(afterOf(row), desired)
}

type Awaiting = { wanted: Wanted; before: Delegation; after_ms: number }

/** The id, or null if the same request is stored already. Throws nameserverChangeUnconfirmed. */
async function awaitConfirmation(
  app: App,
  call: Call,
  { wanted: { holding, desired }, before, after_ms }: Awaiting,
): Promise<string | null> {
  const { id: domain_id, customer_id } = holding
  const now = app.clock.now().getTime()
  const reverts_at = new Date(now + after_ms)
  const change_id = newId('nsc', now)
  const about = { target_type: 'domain', target: holding.name }
  const { actor_type, actor_label } = call.auditRow(about)
  return app.db.transaction(async (sql) => {
    const open = await openChange(sql, domain_id)
    if (open && isSameRequest(open, { caller: call.caller, desired })) return null
    if (open)
      throw nameserverChangeUnconfirmed({
        facts: { change_id: open.change_id, reverts_at: open.reverts_at.toISOString() },
      })
    const isStored = await sql.count(storeNameserverConfirmation, {
      ...{ change_id, domain_id, customer_id, reverts_at, actor_type, actor_label },
      ...{ before_nameservers: [...before.nameservers], before_glue: json(before.glue) },
      ...{ after_nameservers: [...desired.nameservers], after_glue: json(desired.glue) },
      ...makerColumns(call.caller),
    })
    if (isStored === 0) throw changeUnderWay({ retry_after_s: 2 })
    await enqueue(sql, revertNameserversTask, {
      ...{ key: change_id, payload: { change_id }, run_at: reverts_at },
      bulkhead: holding.registry,
    })
    return change_id
  })
}

type Newer = { domain_id: bigint; desired: Delegation }

/** Ends the changes that wait, because a later change decides. */
async function endOlder(sql: Sql, { domain_id, desired }: Newer): Promise<void> {
  for (const row of await sql.run(undecidedNameservers, { domain_id })) {
    await sql.maybe(endNameserverConfirmation, {
      ...{ change_id: row.change_id, from: ['unconfirmed', 'kept'], also_going_back: true },
      ...(isAt(desired, beforeOf(row))
        ? { state: 'reverted', kept_because: null }
        : { state: 'kept', kept_because: 'changed_since' }),
    })
  }
}
