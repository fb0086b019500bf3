// One attempt at a registry: its clTRID, its lease, the contacts that it requires, its sending, and
// an order that it leaves open: to the settle job, or parked, to an operator. The lease says how
// long an order or a domain is claimed for its exchanges, and until when a command may be sent
// under the claim. Another node may take over after the lease, so a command that would be sent
// later is not sent.
import type { Outcome, Attempt as PortAttempt, Registry } from '../../../adapters/registry/port.ts'
import type { App, AuditFacts } from '../../../app.ts'
import type { Params } from '../../../db/statement.ts'
import { type AuthInfoForm, fingerprintOf, newAuthInfo, randomBase62 } from '../../../kit/random.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { type ContactRole, contactForRegistry } from '../../contacts/index.ts'
import type { Execution, OpenOrder, Round, Sending } from './handlers/order-handler.ts'
import {
  type Attempt,
  alarmAfterMs,
  transferAlarmAfterMs,
  waitBefore,
  waitForRegistry,
} from './order.ts'
import { releaseDeferred } from './order-faults.ts'
import { leaveOrder } from './orders.sql.ts'
import type { Decision, Purchased } from './reconcile/reconcile.ts'

type Profile = Pick<Registry, 'profile'>

/**
 * Longer than the exchanges of one attempt may take together (a restore has four), so that no other
 * node takes it over meanwhile.
 */
export function leaseMs({ profile }: Profile): number {
  return 4 * profile.timeout_ms + 2_000
}

/**
 * By app.monotonic_ms; `began_ms` is a moment before the lease began. Leaves time for the answer to
 * what is sent at the last moment.
 */
export function sendBy(registry: Profile, began_ms: number): number {
  return began_ms + leaseMs(registry) - 2 * registry.profile.timeout_ms
}

/** It took so long to reach the registry that another sender may have begun. */
class LeaseExpired extends Error {
  constructor() {
    super('The lease ended before the command could be sent')
  }
}

/** Runs one command with its crash points; after `send_by_ms` it ends as `not_sent`. */
export async function sendWithinLease<T>(
  app: Pick<App, 'reached' | 'monotonic_ms'>,
  send_by_ms: number,
  command: (at: PortAttempt['at']) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const at: PortAttempt['at'] = (step) => {
    app.reached?.(step)
    // A session is held and no byte has left: the last moment at which not sending is certain.
    if (step === 'connected' && app.monotonic_ms() > send_by_ms) throw new LeaseExpired()
  }
  return command(at).catch((error): Outcome<T> => {
    if (!(error instanceof LeaseExpired)) throw error
    return { kind: 'unknown', cause: 'not_sent', message: error.message }
  })
}

export function newAttempt(
  orderId: string,
  number: number,
  form: AuthInfoForm = 'with_symbols',
): Attempt {
  const auth_info = newAuthInfo(form)
  return {
    number,
    cl_trid: `${orderId}-${number}-${randomBase62(8)}`,
    auth_info,
    fingerprint: fingerprintOf(auth_info),
  }
}

/**
 * Sends one command of an attempt, with its crash points and the rule of its lease. A refusal of
 * which no byte was sent (a price that has risen since, say) says nothing about an earlier attempt,
 * which may still be done.
 */
export async function sendAttempt<T>(
  app: App,
  { order, attempt }: Sending,
  send: (attempt: PortAttempt) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  let began = false
  const outcome = await sendWithinLease(app, order.send_by_ms, (at) =>
    send({
      cl_trid: attempt.cl_trid,
      priority: 'purchase',
      at(step) {
        began = true
        at(step)
      },
      half_frames: app.settings.crash_at === 'half_frame_written',
    }),
  )
  return began ? outcome : undecided(outcome, attempt)
}

type Undone = Exclude<Outcome<never>, { kind: 'done' }>

/**
 * A refusal before the command was sent ends a first attempt: nothing was done. Later it says
 * nothing about what an earlier attempt did or may still do, so the order waits.
 */
function undecided<O extends Outcome<unknown>>(outcome: O, { number }: Attempt): O | Undone {
  if (outcome.kind !== 'refused' || number === 1) return outcome
  return { kind: 'unknown', cause: 'server_failed', message: outcome.message }
}

/**
 * Adds the registry's facts after the command, so that the answer shows what a later read shows. A
 * read that fails leaves the outcome as it was.
 */
export async function withFacts(
  { order, registry }: Sending,
  outcome: Outcome<Purchased>,
): Promise<Outcome<Purchased>> {
  if (outcome.kind !== 'done' || outcome.value.found) return outcome
  const read = await registry.read(order.domain, 'purchase')
  if (read.kind !== 'done' || read.value.sponsor !== registry.profile.client_id) return outcome
  return { ...outcome, value: { ...outcome.value, found: read.value } }
}

type Refs = {
  registrant: string | null
  contacts: { type: 'admin' | 'tech' | 'billing'; id: string }[]
}

const roleTypes = { admin: 'admin', technical: 'tech', billing: 'billing' } as const
const otherRoles = ['admin', 'technical', 'billing'] as const

/** Makes sure that the registry has the contacts, and returns its ids for them. */
export async function putContacts(
  app: App,
  { order, registry }: Pick<Sending, 'registry'> & { order: { customer_id: string } },
  chosen: Partial<Record<ContactRole, number>>,
): Promise<Outcome<Refs>> {
  const none: Refs = { registrant: null, contacts: [] }
  if (registry.profile.contacts === 'prohibited')
    return { kind: 'done', value: none, sv_trid: null }
  const ids = new Map<number, string>()
  for (const contactId of new Set(Object.values(chosen))) {
    const contact = await contactForRegistry(app.db, {
      contact_id: BigInt(contactId),
      customer_id: order.customer_id,
      registry: registry.profile.name,
    })
    if (contact.synced) {
      ids.set(contactId, contact.contact.id)
      continue
    }
    const put = await registry.putContact(contact.contact, 'purchase')
    if (put.kind !== 'done') return put
    await contact.markSynced()
    ids.set(contactId, put.value.id)
  }
  const registrant = ids.get(chosen.registrant ?? 0) ?? null
  const contacts = otherRoles.flatMap((role) => {
    const id = ids.get(chosen[role] ?? 0)
    return id === undefined ? [] : [{ type: roleTypes[role], id }]
  })
  return { kind: 'done', value: { registrant, contacts }, sv_trid: null }
}

/**
 * The outcome of an attempt whose requirement was not met, so that its command was not sent. While
 * the registry still works on the requirement, the order waits.
 */
export function unmetRequirement<T>(
  outcome: Exclude<Outcome<T>, { kind: 'done' }>,
  attempt: Attempt,
): Outcome<never> {
  if (outcome.kind === 'accepted') return pending
  const decided = undecided(outcome, attempt)
  // Its reason is about the contact or the host: "exists" is not said of the domain.
  return decided.kind === 'refused' ? { ...decided, reason: 'policy' } : decided
}

const pending: Outcome<never> = {
  kind: 'unknown',
  cause: 'server_failed',
  message: 'The registry works on a contact.',
}

export function auditTarget(order: { domain: string; customer_id: string }): AuditFacts {
  return { target_type: 'domain', target: order.domain, customer_id: order.customer_id }
}

/** Leaves the order to the settle job, or to an operator. */
export async function leaveOpen(
  { app, call, order, attempt }: Execution,
  decision: Extract<Decision, { do: 'wait' | 'park' }>,
): Promise<Round> {
  const parked = decision.do === 'park'
  const state = parked ? 'parked' : decision.state
  const code = parked ? 'parked' : decision.code
  const age = ageOf(app, order)
  const alarm_ms = state === 'accepted' ? transferAlarmAfterMs : alarmAfterMs
  const late = age > alarm_ms && code !== releaseDeferred
  const alarm = parked || decision.alarm || late ? `${code}: ${decision.detail}` : null
  const facts = { order: order.id, domain: order.domain, detail: alarm }
  if (alarm) app.log.error({ ...facts, alarm: 'order_needs_operator' }, 'order needs manual review')
  const wait = state === 'accepted' ? waitForRegistry(age) : waitBefore(attempt.number)
  const left = {
    id: order.id,
    lease_token: order.lease_token,
    state,
    in_ms: wait,
    error_code: code,
    error_detail: decision.detail,
    alarm,
  }
  if (parked) await parkOrder({ app, call, order }, left)
  else await call.sql.run(leaveOrder, left)
  return { result: 'open', state, code, detail: decision.detail }
}

/** With its audit row, as the order now waits for a person. */
async function parkOrder(
  { app, call, order }: Pick<Execution, 'app' | 'call' | 'order'>,
  left: Params<'orders_leave'>,
): Promise<void> {
  const row = call.auditRow({
    ...auditTarget(order),
    action: 'park_order',
    result: 'unknown',
    metadata: { order: order.id, detail: left.error_detail },
  })
  await app.db.transaction(async (sql) => {
    if (await sql.maybe(leaveOrder, left)) await storeAuditRow(sql, row)
  })
}

export function ageOf(app: App, order: OpenOrder): number {
  return app.clock.now().getTime() - order.created_at.getTime()
}
