// Reads the session of a checkout back at the processor, and applies its state: the credit, an end
// without one, or neither. A session that does not fit the checkout is parked for an operator.
import type { ProcessorSession } from '../../../adapters/processor/port.ts'
import type { App, Call } from '../../../app.ts'
import { currencies } from '../../../kit/money.ts'
import { wordOf } from '../../../kit/schema.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { PaymentConflict } from '../payments/credit.ts'
import { type CheckoutRow, moveCheckout } from './card.sql.ts'
import type { CheckoutStatus } from './card-checkout.ts'
import { creditSession, isSame } from './credit-session.ts'

export type Reading = {
  app: App
  /** The context of the audit rows. */
  call: Pick<Call, 'auditRow'>
}

/** Statuses go forward only: the statuses that each may follow. */
const before: Partial<Record<CheckoutStatus, readonly CheckoutStatus[]>> = {
  processing: ['open'],
  expired: ['open', 'processing'],
  failed: ['open', 'processing'],
  parked: ['open', 'processing', 'expired', 'failed'],
}

/** Rejects with ProcessorUnavailable. */
export async function readSession(reading: Reading, row: CheckoutRow): Promise<void> {
  const { app } = reading
  const { session_id } = row
  if (!app.processor || session_id === null) return
  const session = await app.processor.readSession(session_id)
  app.reached?.('card_session_read')
  if (session) await applySession(reading, row, session)
  else await park(reading, row, 'The processor knows no such session')
}

/** `session` was read for the row, so it has the same session id. */
export async function applySession(
  reading: Reading,
  row: CheckoutRow,
  session: ProcessorSession,
): Promise<void> {
  const { unknown_word } = session
  if (unknown_word !== null) {
    await park(reading, row, `The processor shows a word that is not known: ${unknown_word}`)
    return
  }
  if (session.checkout_id !== row.id || !isSame(session, row)) {
    await park(reading, row, 'The processor shows another customer, amount, currency or checkout')
    return
  }
  if (session.is_paid) {
    await credit(reading, row, session)
    return
  }
  const status = endOf(session)
  if (status !== null) await move(reading, row, { status })
}

function endOf({ status, has_failed }: ProcessorSession): CheckoutStatus | null {
  if (status === 'complete') return has_failed ? 'failed' : 'processing'
  return status === 'expired' ? 'expired' : null
}

async function credit({ app, call }: Reading, row: CheckoutRow, session: ProcessorSession) {
  const { customer_id, amount_cents } = row
  const { id: session_id, payment_intent } = session
  const currency = wordOf(currencies, row.currency)
  const paid = { session_id, payment_intent, customer_id, currency, amount_cents }
  const auditRow: Call['auditRow'] = (facts) =>
    call.auditRow({ ...facts, action: 'credit_card_payment' })
  try {
    app.reached?.('card_before_credit')
    await app.db.transaction((sql) => creditSession(sql, paid, { app, auditRow }))
    app.reached?.('card_after_credit')
  } catch (error) {
    if (!(error instanceof PaymentConflict)) throw error
    await park({ app, call }, row, 'Its session or payment was credited with different details')
  }
}

async function park(reading: Reading, row: CheckoutRow, parked_reason: string): Promise<void> {
  if (!(await move(reading, row, { status: 'parked', parked_reason }))) return
  const { id: checkout, customer_id, session_id: session } = row
  const facts = { checkout, customer_id, session, reason: parked_reason, alarm: 'card_parked' }
  reading.app.log.error(facts, 'card checkout needs manual review')
}

/** Whether it had another status that may precede this one. A parked checkout gets an audit row. */
async function move(
  { app, call }: Reading,
  { id, customer_id, session_id, amount_cents, currency }: CheckoutRow,
  { status, parked_reason = null }: { status: CheckoutStatus; parked_reason?: string | null },
): Promise<boolean> {
  const from = [...(before[status] ?? [])]
  return app.db.transaction(async (sql) => {
    const moved = { id, status, from, parked_reason, payment_id: null }
    if ((await sql.count(moveCheckout, moved)) === 0) return false
    if (parked_reason === null) return true
    const metadata = { session_id, amount_cents, currency, reason: parked_reason }
    const target = { target_type: 'card_checkout', target: id, customer_id }
    const row = { ...target, action: 'park_card_payment', result: 'unknown', metadata } as const
    await storeAuditRow(sql, call.auditRow(row))
    return true
  })
}
