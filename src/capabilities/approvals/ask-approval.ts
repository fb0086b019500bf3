// Stores a request that the owner is to approve, once, and notifies the owner. Nothing is held.
import type { App, Call, Caller } from '../../app.ts'
import type { Sql } from '../../db/database.ts'
import { type Json, json } from '../../db/statement.ts'
import type { Fault } from '../../kit/fault.ts'
import { formatAmount } from '../../kit/money.ts'
import { type DomainName, newId } from '../../kit/random.ts'
import { lockCustomer } from '../account/index.ts'
import { storeAuditRow } from '../audit/index.ts'
import { approvalRequired, limitedBy } from '../limits/index.ts'
import { customerMail } from '../mail/index.ts'
import { type ApprovalReason, approvalOf } from './approval.ts'
import {
  type ApprovalRow,
  approvalOfCustomer,
  countOpenApprovals,
  endApproval,
  expireOfCustomer,
  insertApproval,
  newestApproval,
  requestsOfDay,
  takeApproved,
} from './approvals.sql.ts'
import { approvalRequestEmail } from './emails.ts'
import { approvalDeclined, tooManyApprovals } from './faults.ts'
import { enqueuePushes } from './push/push-task.ts'

const most_open = 20
/**
 * Limits new approvals, since each is a mail. It counts those of a key with all that descend from
 * the same first one, or those of an app.
 */
const most_a_day = 100
const day_ms = 86_400_000
const life_ms = 7 * day_ms
/** A declined request is not put to the owner again before this time has passed. */
const declined_ms = day_ms

export type ApprovalRequest = {
  /** The name of the operation. */
  action: string
  domain: DomainName
  reason: ApprovalReason
  /** SHA-256 of the request. The same request has the same approval. */
  request_digest: string
  /** SHA-256 of everything that the request would order. */
  digest: string
  /** The request as the owner reads it. */
  request: Json
  /** The operation's input, as it was validated: JSON. It is stored sealed. */
  input: object
  /** Null if it costs nothing. */
  price: { amount: bigint; currency: string } | null
}

/** The answer (403 or 409) to a request that lacks nothing but the owner's approval. */
export async function askApproval(app: App, call: Call, wanted: ApprovalRequest): Promise<Fault> {
  return app.db.transaction(async (sql) => {
    const { customer_id } = call
    await lockCustomer(sql, customer_id)
    await sql.count(expireOfCustomer, { customer_id })
    const same = { customer_id, request_digest: wanted.request_digest, ...limitedBy(call.caller) }
    const newest = await sql.maybe(newestApproval, same)
    const isOpen = newest?.ended_at === null
    if (newest && isOpen && isSame(newest, wanted)) return approvalFault(app, newest, 'required')
    if (newest && isOpen) {
      const voided = { state: 'voided', error_code: 'request_changed', error_detail: null }
      await sql.count(endApproval, { id: newest.id, ...voided })
    }
    if (newest && isDeclined(newest, app.clock.now())) return approvalFault(app, newest, 'declined')
    const { api_key_id, oauth_grant_id } = same
    const by = { api_key_id, oauth_grant_id, most: most_open }
    if ((await sql.one(countOpenApprovals, by)).open >= BigInt(most_open))
      return tooManyApprovals({
        detail: `Only ${most_open} requests of one key may be waiting for the owner.`,
      })
    const today = startOfDay(app.clock.now())
    const day = { customer_id, ...limitedBy(call.caller), since: today, most: most_a_day }
    const { asked, counted_for } = await sql.one(requestsOfDay, day)
    if (asked >= BigInt(most_a_day)) return tooManyToday(today)
    const row = await store(app, sql, { call, wanted, counted_for })
    return approvalFault(app, row, 'required')
  })
}

/** The day is counted in UTC. */
function startOfDay(now: Date): Date {
  return new Date(now.getTime() - (now.getTime() % day_ms))
}

function tooManyToday(today: Date): Fault {
  const until = new Date(today.getTime() + day_ms).toISOString()
  return tooManyApprovals({
    detail:
      `A key with all keys that descend from the same first one, or an app with its keys, may ` +
      `${most_a_day} times a day (UTC): more can be asked for from ${until} on.`,
    facts: { until },
  })
}

function isDeclined({ state, decided_at }: ApprovalRow, now: Date): boolean {
  const at_ms = decided_at?.getTime() ?? 0
  return state === 'declined' && now.getTime() - at_ms < declined_ms
}

/** Whether this request was approved, and this call is the one repetition by its caller. */
export async function takeApproval(
  { db }: Pick<App, 'db'>,
  { customer_id, caller }: Call,
  digest: string,
): Promise<boolean> {
  return (await db.count(takeApproved, { customer_id, digest, ...limitedBy(caller) })) > 0
}

/** A price below the highest does not make it another request. */
function isSame(open: ApprovalRow, { digest, price }: ApprovalRequest): boolean {
  return open.digest === digest && (price === null || price.amount <= (open.amount ?? 0n))
}

type NewRequest = { call: Call; wanted: ApprovalRequest; counted_for: string }

async function store(app: App, sql: Sql, { call, wanted, counted_for }: NewRequest) {
  const now = app.clock.now()
  const { action, domain, price, input, request, ...rest } = wanted
  const { customer_id } = call
  const id = newId('apr', now.getTime())
  await sql.count(insertApproval, {
    ...rest,
    ...{ id, customer_id, counted_for, action, domain },
    ...limitedBy(call.caller),
    asked_by: nameOf(call.caller),
    agent_identifier: call.agent_identifier,
    request: json(request),
    input: app.encryption.seal(JSON.stringify(input)),
    amount: price?.amount ?? null,
    currency: price?.currency ?? null,
    created_at: now,
    expires_at: new Date(now.getTime() + life_ms),
  })
  const highest = price && `${formatAmount(price.amount)} ${price.currency}`
  await storeAuditRow(
    sql,
    call.auditRow({
      action: 'ask_approval',
      target_type: 'approval',
      target: id,
      result: 'pending',
      metadata: { domain, asked_for: action, reason: wanted.reason, highest_price: highest },
    }),
  )
  const row = await sql.one(approvalOfCustomer, { id, customer_id })
  await customerMail(sql, customer_id, approvalRequestEmail(approvalOf(app, row)))
  await enqueuePushes(app, sql, { id, customer_id })
  return row
}

function nameOf(caller: Caller): string {
  if (caller.kind === 'api_key') return caller.label ?? `API key ${caller.key_id}`
  if (caller.kind === 'oauth_client') return caller.label.slice(0, 200)
  throw new Error(`No approval is asked for ${caller.kind}`)
}

function approvalFault(app: App, row: ApprovalRow, answer: 'required' | 'declined'): Fault {
  const { id, state, expires_at, url, note, reason } = approvalOf(app, row)
  const page = `/approvals/${id}`
  const approval = { id, state, expires_at, url, reason, ...(note !== null && { note }) }
  if (answer === 'declined') return approvalDeclined({ page, facts: { approval } })
  const detail =
    state === 'approved'
      ? 'The owner has approved it, and the service is doing it now.'
      : `${approvalRequired.sentence} It waits for the owner's answer until ${expires_at}.`
  return approvalRequired({ detail, page, facts: { approval } })
}
