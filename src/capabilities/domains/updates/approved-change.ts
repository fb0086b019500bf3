// Changes without a price that wait for the owner: changes of a protected domain, and automatic
// renewal outside the limits of a key (decision 69).
import type { App, Call, Caller } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import type { Json } from '../../../db/statement.ts'
import type { ApprovalId } from '../../../kit/random.ts'
import {
  type ApprovalRequest,
  approvedById,
  askApproval,
  endApproval,
  requestChanged,
  takeApproval,
  voidOlderChanges,
} from '../../approvals/index.ts'
import type { Holding } from '../holdings/domain-presenter.ts'
import { digestOf } from '../orders/idempotency.ts'

type Change = {
  /** The name of the operation. */
  action: string
  holding: Pick<Holding, 'name' | 'protected'>
  /** Why it needs approval, or null if it does not; by default the protection of the domain. */
  reason?: ApprovalRequest['reason'] | null
  input: object
  /**
   * The facts besides the input that it is about, which may differ when the service makes it.
   */
  about?: object
  /** The request as the owner reads it. */
  request?: Json
  /** Whether the caller repeats it once, because its answer is a secret. */
  isRepeated?: true
}

/**
 * Throws approvalRequired, with the approval, if a key or an app needs one, and requestChanged if
 * the service makes another request than the approved one.
 */
export async function requireApproval(app: App, call: Call, change: Change): Promise<void> {
  const { action, holding, input, about, request = {}, isRepeated } = change
  const { reason = holding.protected ? 'protected_domain' : null } = change
  const { caller, approval } = call
  const facts = { action, input: { ...input, domain: holding.name } }
  const digest = digestOf(about ? { ...facts, about } : facts)
  if (approval) {
    if (approval.digest !== digest) throw requestChanged()
    return
  }
  if (reason === null || !isAgent(caller)) return
  if (isRepeated && (await takeApproval(app, call, digest))) return
  throw await askApproval(app, call, {
    ...{ action, domain: holding.name, reason, request, input },
    ...{ request_digest: digest, digest, price: null },
  })
}

/** Throws requestChanged for an approval that has ended, for example by a newer change. */
export async function refuseEndedApproval(
  sql: Sql,
  { approval }: Pick<Call, 'approval'>,
): Promise<void> {
  if (approval && !(await sql.maybe(approvedById, { id: approval.id }))) throw requestChanged()
}

type Changed = {
  holding: Pick<Holding, 'customer_id' | 'name'>
  /** The parts that the request is about, even if they did not have to be changed. */
  parts: { lock?: boolean; nameservers?: boolean; auto_renew?: boolean }
  /** When the request came. */
  asked_at: Date
}

/**
 * Ends the approval in the transaction that stores the change, after the holding is locked, so that
 * a service that dies after it does not make the change again. Returns false if the approval had
 * ended before. Older approved changes of the same parts that wait for the registry are voided,
 * because they would undo it. A change that the service makes by itself is no newer request.
 */
export async function endWithChange(
  sql: Sql,
  { approval, caller }: Pick<Call, 'approval' | 'caller'>,
  changed?: Changed,
): Promise<boolean> {
  if (approval) {
    const ending = { state: 'executed', error_code: null, error_detail: null }
    if ((await sql.count(endApproval, { id: approval.id, ...ending })) === 0) return false
  }
  if (changed && caller.kind !== 'anonymous') await voidOlder(sql, changed, approval?.id ?? null)
  return true
}

async function voidOlder(
  sql: Sql,
  { holding, parts, asked_at }: Changed,
  approval_id: ApprovalId | null,
): Promise<void> {
  const { lock = false, nameservers = false, auto_renew = false } = parts
  const { customer_id, name: domain } = holding
  const changed = { lock, nameservers, auto_renew }
  await sql.count(voidOlderChanges, { customer_id, domain, ...changed, approval_id, asked_at })
}

/** Whether the call has an approval, or needs one for a change of a protected domain. */
export function isHeldToApproval(
  { caller, approval }: Pick<Call, 'caller' | 'approval'>,
  holding: Pick<Holding, 'protected'>,
): boolean {
  return approval !== undefined || (holding.protected && isAgent(caller))
}

function isAgent({ kind }: Caller): boolean {
  return kind === 'api_key' || kind === 'oauth_client'
}
