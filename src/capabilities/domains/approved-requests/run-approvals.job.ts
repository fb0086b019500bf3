// Makes the requests that owners approved, in the name of the key or the app that asked: exactly as
// approved, once (orders_place ends the approval with its order), and within all limits.
import {
  type App,
  type Call,
  type Caller,
  type CustomerCaller,
  type EffectOf,
  holdsScope,
  job,
  type Operation,
  type PresentRight,
} from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { accountSuspended, insufficientScope } from '../../../errors/faults.ts'
import { Fault, InvalidInput } from '../../../kit/fault.ts'
import type { ApprovalId } from '../../../kit/random.ts'
import { compile } from '../../../kit/schema.ts'
import { done, type TaskEnd, workTasks } from '../../../tasks/index.ts'
import {
  approvalToRun,
  endApproval,
  requestChanged,
  runApprovalTask,
} from '../../approvals/index.ts'
import { auditRowOf, storeAuditRow, systemCall } from '../../audit/index.ts'
import { updateContactHandle } from '../../contacts/index.ts'
import {
  isVisibleDomain,
  presentRights,
  recordsNeedNoApproval,
  requireRecordsAllowed,
} from '../../limits/index.ts'
import { domainNotFound, priceChanged } from '../faults.ts'
import { approveTransfer } from '../operations/answer-transfer.ts'
import { changeDnsRecords, replaceDnsRecords } from '../operations/dns/change-dns-records.ts'
import { configureDnsRecord } from '../operations/dns/configure-dns-record.ts'
import { revertDnsChange } from '../operations/dns/dns-changes.ts'
import { applyDnsTemplate } from '../operations/dns/dns-templates.ts'
import { deleteRecordSet, putRecordSet } from '../operations/dns/record-sets.ts'
import { importDnsZone } from '../operations/dns/zone-file.ts'
import { unlockDomain } from '../operations/lock.ts'
import { registerDomain } from '../operations/register.ts'
import { renewDomain } from '../operations/renew.ts'
import { restoreDomain } from '../operations/restore.ts'
import { transferDomain } from '../operations/transfer.ts'
import { updateDomain } from '../operations/update-domain.ts'
import { absentCaller } from '../updates/absent-caller.ts'
import { endWithChange } from '../updates/approved-change.ts'

const limit = 5

export const runApprovals = job({
  name: 'run_approvals',
  does: 'Carries out the requests of keys and apps that their owners approved.',
  every_ms: 5_000,
  per_node: true,
  task_kind: runApprovalTask.kind,
  run: async (app) => ({
    more:
      (await workTasks(app, runApprovalTask, {
        limit,
        handle: ({ payload }) => runApproval(app, payload.approval_id),
      })) === limit,
  }),
})

const runnable: readonly Operation[] = [
  ...[registerDomain, renewDomain, transferDomain, restoreDomain],
  ...[updateDomain, unlockDomain, approveTransfer, updateContactHandle],
  ...[configureDnsRecord, putRecordSet, deleteRecordSet, changeDnsRecords],
  ...[replaceDnsRecords, revertDnsChange, importDnsZone, applyDnsTemplate],
]

type Approved = NonNullable<Awaited<ReturnType<typeof readApproved>>>

const readApproved = (app: App, id: ApprovalId) => app.db.maybe(approvalToRun, { id })

async function runApproval(app: App, id: ApprovalId): Promise<TaskEnd> {
  const row = await readApproved(app, id)
  if (row?.state !== 'approved') return done
  const caller = await absentCaller(app.db, row)
  if (!caller) return endAs(row, { state: 'voided', error_code: 'key_revoked' })
  const call = callOf(app, row, caller)
  try {
    const { operation, input } = requestOf(app, row, caller)
    await make(app, { operation, input }, call)
  } catch (error) {
    // orders_place refuses an expired approval like one of another request: its state shows which.
    if (error instanceof Fault && (await readApproved(app, id))?.state === 'expired')
      return endAs(row, { state: 'expired', error_code: null })
    if (error instanceof Fault && !(await absentCaller(app.db, row)))
      return endAs(row, { state: 'voided', error_code: 'key_revoked' })
    if (error instanceof Fault) return endOf(row, refusalOf(error), call)
    // It was valid when it was asked for: what it names is gone, or used, since.
    if (error instanceof InvalidInput) return endOf(row, invalid(error), call)
    throw error
  }
  if (row.amount === null) return endAs(row, { state: 'executed', error_code: null })
  // Where its order was placed, that has ended it.
  const error_detail = 'An equal request had already been made.'
  return endAs(row, { state: 'failed', error_code: 'duplicate_request', error_detail })
}

type Request = { operation: Operation; input: Parameters<Operation['run']>[0] }

/** A request whose effect is a transaction ends the approval in it, with its audit row. */
async function make(app: App, { operation, input }: Request, call: Call): Promise<void> {
  if (operation.effect !== 'transaction') {
    await operation.run(input, call, app)
    return
  }
  await app.db.transaction(async (sql) => {
    const output = await operation.run(input, { ...call, sql }, app)
    if (!(await endWithChange(sql, call))) throw requestChanged()
    const facts = operation.target?.(input, output) ?? { target_type: null, target: null }
    await storeAuditRow(sql, call.auditRow({ ...facts, result: 'success' }))
  })
}

function callOf(app: App, row: Approved, caller: CustomerCaller): Call {
  const { id, customer_id, action, agent_identifier, digest, amount } = row
  return {
    ...systemCall(app, action),
    ...{ caller, customer_id, agent_identifier },
    approval: { id, digest, amount },
    assertStillAllowed: (effect) => assertStillAllowed(app, { row, caller }, effect),
    auditRow: ({ metadata, ...facts }) =>
      auditRowOf(
        {
          ...{ entry_point: 'job', action: facts.action ?? action },
          ...{ caller, agent_identifier, now: app.clock.now() },
        },
        { ...facts, metadata: { ...metadata, approval: id } },
      ),
  }
}

type Asking = { row: Approved; caller: CustomerCaller }

/** Throws requestChanged if the key, the app or the approval has ended meanwhile. */
async function assertStillAllowed(
  app: App,
  { row, caller }: Asking,
  { sql, domain, records = [] }: EffectOf = {},
): Promise<PresentRight> {
  const asked = { domain: domain ?? null, approval_id: row.id }
  const now = await presentRights(sql ?? { maybe: app.db.lookUp }, caller, asked)
  if (!now?.approved) throw requestChanged()
  requireRight(row, now.caller)
  if (domain !== undefined && !isVisibleDomain(now.caller, domain)) throw domainNotFound()
  requireRecordsAllowed(now.caller, records)
  return { protected: now.protected, records_free: recordsNeedNoApproval(now.caller) }
}

/** Throws the same faults as the authorization of the request. */
function requestOf(app: App, row: Approved, caller: CustomerCaller) {
  const text = row.input === null ? undefined : app.encryption.unseal(row.input)
  if (text === undefined) throw requestChanged()
  const operation = requireRight(row, caller)
  const input: unknown = JSON.parse(text)
  // Another version stored it, and its form has changed since.
  if (!compile(operation.takes).check(input)) throw requestChanged()
  return { operation, input }
}

function requireRight({ action }: Pick<Approved, 'action'>, caller: Caller): Operation {
  const operation = runnable.find(({ name }) => name === action)
  if (!operation || !('scopes' in caller)) throw requestChanged()
  if (caller.suspended) throw accountSuspended()
  const { scope } = operation.who
  if (scope && !holdsScope(caller.scopes, scope))
    throw insufficientScope({ facts: { required_scope: scope } })
  return operation
}

type Refusal = { code: string; detail: string; retryable: boolean }

function refusalOf({ type: { code, retryable }, message: detail }: Fault): Refusal {
  return { code, detail, retryable }
}

function invalid({ message: detail }: InvalidInput): Refusal {
  return { code: 'validation_error', detail, retryable: false }
}

/** If an outside party is down, the request is made again until the approval expires. */
function endOf(row: Approved, { code, detail, retryable }: Refusal, call: Call): TaskEnd {
  if (retryable) return { end: 'retry', reason: `${code}: ${detail}` }
  const isVoid = [priceChanged, requestChanged].some((type) => type.code === code)
  const state = isVoid ? 'voided' : 'failed'
  const ending = { state, error_code: code, error_detail: detail }
  return endAs(row, ending, async (sql) => {
    const facts = { target_type: 'approval', target: row.id, error_code: code }
    const metadata = { domain: row.domain, asked_for: row.action }
    const ended = { ...facts, metadata, action: 'run_approval', result: 'failed' } as const
    await storeAuditRow(sql, call.auditRow(ended))
  })
}

type Ending = { state: string; error_code: string | null; error_detail?: string | null }

/** Does nothing if its order has ended the approval already. */
function endAs(
  { id }: Approved,
  { error_detail = null, ...ending }: Ending,
  note: (sql: Sql) => Promise<void> = async () => undefined,
): TaskEnd {
  return {
    end: 'done',
    effects: async (sql) => {
      if ((await sql.count(endApproval, { id, ...ending, error_detail })) > 0) await note(sql)
    },
  }
}
