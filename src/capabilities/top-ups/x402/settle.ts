// Settles stored authorizations: submits each at most once at a time, and reads its result back
// before anything is submitted again. The money is credited by the checkout's own observation.
import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayUnavailable } from '../../../adapters/gateway/port.ts'
import type { Hex } from '../../../adapters/x402/port.ts'
import type { App } from '../../../app.ts'
import { done, type TaskEnd, workTask, workTasks } from '../../../tasks/index.ts'
import { storeAuditRow, systemCall } from '../../audit/index.ts'
import { observeCheckout } from '../gateway/watching/observe-checkout.ts'
import { type StoredAuthorization, settleTask, storedOf, unsealed } from './authorizations.ts'
import { type NextSettlement, nextSettlement } from './next-settlement.ts'
import { offerOf, x402Of } from './offers.ts'
import { type Attempt, askFacilitator, inFlight, readBack, sent, submit } from './submit.ts'
import {
  authorizationById,
  endAuthorization,
  endTransactions,
  markMined,
  offerOfCheckout,
} from './x402.sql.ts'

/** How long an attempt waits for its transaction to be in a block. */
const wait_ms = 6_000
const read_every_ms = 250
const again_ms = 2_000

/** Settles the payments that are due. */
export function settleDue(app: App, limit: number): Promise<number> {
  return workTasks(app, settleTask, {
    limit,
    handle: ({ payload }) => settle(app, payload.authorization_id),
  })
}

/** Settles it now. If another worker is settling it, waits for its result. */
export async function settleNow(app: App, id: string): Promise<StoredAuthorization> {
  const read = async () => storedOf(await app.db.one(authorizationById, { id }))
  const handle = () => settle(app, id)
  const before = await read()
  if (!isUnsettled(before)) return before
  const end = await workTask(app, settleTask, { key: id, handle })
  const give_up_ms = app.monotonic_ms() + wait_ms
  for (;;) {
    const now = await read()
    const isKnown = !isUnsettled(now) || now.transaction_id !== null
    if (end || isKnown || app.monotonic_ms() > give_up_ms) return now
    await sleep(read_every_ms)
  }
}

function isUnsettled({ state }: StoredAuthorization): boolean {
  return state === 'stored' || state === 'submitted'
}

async function settle(app: App, id: string): Promise<TaskEnd> {
  const stored = storedOf(await app.db.one(authorizationById, { id }))
  if (!isUnsettled(stored)) return done
  const { checkout_id } = stored
  const offer = offerOf(await app.db.one(offerOfCheckout, { checkout_id }))
  const authorization = unsealed(app, stored, offer)
  if (!authorization) {
    app.log.error(
      { id, alarm: 'x402_unreadable' },
      'payment by x402 is sealed with another ENCRYPTION_KEY',
    )
    return { end: 'dead', reason: 'It was sealed with another ENCRYPTION_KEY' }
  }
  try {
    const attempt = { x402: x402Of(app), stored, offer, authorization }
    return await advance(app, attempt)
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error
    app.log.warn({ id, alarm: 'x402_waits', reason: error.message }, 'settlement by x402 delayed')
    return { end: 'retry', reason: error.message }
  }
}

/** Reads first, submits at most once, and then waits for a block. */
async function advance(app: App, attempt: Attempt): Promise<TaskEnd> {
  const { settler } = attempt.x402
  const first = await readBack(app, attempt)
  const next =
    settler.kind === 'wallet'
      ? nextSettlement(first, await inFlight(app, attempt, settler))
      : nextSettlement(first, null)
  const end = await take(app, attempt, next)
  if (end) return end
  const give_up_ms = app.monotonic_ms() + wait_ms
  for (;;) {
    const reading = await readBack(app, attempt)
    if (reading.state === 'settled') return note(app, attempt, reading)
    if (app.monotonic_ms() > give_up_ms) break
    await sleep(read_every_ms)
  }
  return later('Not in a block yet')
}

function later(reason: string): TaskEnd {
  return { end: 'retry', reason, in_ms: again_ms, uncounted: true }
}

/** Undefined if something was submitted, for which the caller has to wait. */
async function take(
  app: App,
  attempt: Attempt,
  next: NextSettlement,
): Promise<TaskEnd | undefined> {
  const { stored, x402, offer, authorization } = attempt
  switch (next.do) {
    case 'note':
      return note(app, attempt, next)
    case 'end':
      return ended(app, attempt, next)
    case 'free':
      await app.db.run(endTransactions, { authorization_id: stored.id })
      return later('Its nonce was spent')
    case 'send_again':
      if (x402.settler.kind === 'wallet')
        await sent(app, x402.settler.send(offer.terms, authorization, next.made))
      return undefined
    case 'submit': {
      const invalid = await x402.verify(offer.terms, authorization)
      if (invalid) return ended(app, attempt, { state: 'failed', reason: invalid })
      const { settler } = x402
      if (settler.kind === 'wallet') {
        const isSent = await submit(app, attempt, { settler, replaced: next.replaced })
        return isSent ? undefined : later('Another settlement is in flight')
      }
      const reason = await askFacilitator(app, attempt, settler)
      return reason === null ? undefined : ended(app, attempt, { state: 'failed', reason })
    }
  }
}

type Settled = { transaction_id: Hex; is_final: boolean }

/**
 * Once it is in a block, the checkout is observed. It has ended when it is as deep as the network
 * requires.
 */
async function note(app: App, attempt: Attempt, settled: Settled): Promise<TaskEnd> {
  const { stored } = attempt
  const { id } = stored
  const { transaction_id, is_final } = settled
  const isNew = stored.transaction_id !== transaction_id
  if (isNew)
    await app.db.transaction(async (sql) => {
      await sql.run(markMined, { id, transaction_id })
      await sql.run(endTransactions, { authorization_id: id })
    })
  app.reached?.('x402_settled')
  if (isNew || is_final) await observeCheckout(app, stored.checkout_id)
  if (is_final) return ended(app, attempt, { state: 'settled', reason: null, transaction_id })
  return later('Not deep enough yet')
}

type End = {
  state: 'settled' | 'failed' | 'expired'
  reason: string | null
  transaction_id?: Hex
}

/** The row, its transactions, the task and the audit row end together. */
async function ended(app: App, { stored, offer }: Attempt, end: End): Promise<TaskEnd> {
  const { id } = stored
  const { state, reason, transaction_id = null } = end
  if (state !== 'settled') app.log.warn({ id, state, reason }, 'a payment by x402 was not settled')
  return {
    end: 'done',
    effects: async (sql) => {
      if (!(await sql.maybe(endAuthorization, { id, state, reason, transaction_id }))) return
      await sql.run(endTransactions, { authorization_id: id })
      const call = systemCall(app, 'settle_x402_payments')
      const row = call.auditRow({
        action: 'signed_payment_ended',
        target_type: 'checkout',
        target: offer.checkout_id,
        customer_id: offer.customer_id,
        result: state === 'settled' ? 'success' : 'failed',
        metadata: { state, reason, transaction_id },
      })
      await storeAuditRow(sql, row)
    },
  }
}
