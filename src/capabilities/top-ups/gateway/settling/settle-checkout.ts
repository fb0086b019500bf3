// Settles a checkout: derives balance, documents and status from its payments. One step with money
// is one transaction, which locks the checkout first; a crash between two of them leaves the rest
// to the next run.

import type { App, Call } from '../../../../app.ts'
import type { Sql } from '../../../../db/database.ts'
import type { CheckoutId, PaymentId } from '../../../../kit/random.ts'
import { storeAuditRow, systemCall } from '../../../audit/index.ts'
import type { DocumentContext } from '../../payments/credit.ts'
import { leftOf, reverseOnce } from '../../payments/reverse.ts'
import { paymentsOfCheckouts, storeTreatment } from '../checkout-payments.sql.ts'
import { type Checkout, type CheckoutPayment, paymentOf, topUpOf } from '../checkout-rows.ts'
import { lockTopUp, storeStatus } from '../checkouts.sql.ts'
import { ask, holdingsOf, isQuestion, type Question } from './ask-first.ts'
import { creditCheckout } from './credit-checkout.ts'
import { type ParkedReason, type Step, statusOf, stepsOf } from './next-step.ts'

/** For this long a payment is observed again after it is settled. */
const final_after_ms = 86_400_000
/** Far more than one checkout ever has: a loop that does not end is a bug. */
const most_steps = 100_000

type CheckoutStep = Step<CheckoutPayment>
type Parked = { payment: CheckoutPayment; reason: ParkedReason }
type Round =
  | { end: 'done' }
  | { end: 'again'; credited: boolean; parked: Parked | null }
  | { end: 'ask'; question: Question }

/** The number of payments that it credited. */
export async function settleCheckout(app: App, id: CheckoutId): Promise<number> {
  let credited = 0
  for (let steps = 0; steps < most_steps; steps += 1) {
    const round = await app.db.transaction((sql) => settleOnce(app, sql, id))
    if (round.end === 'done') return credited
    if (round.end === 'ask') {
      if (!(await ask(app, round.question))) return credited
      continue
    }
    app.reached?.('checkout_settled')
    if (round.credited) credited += 1
    if (round.parked) alarmParked(app, id, round.parked)
  }
  throw new Error(`checkout ${id} is not settled after ${most_steps} steps`)
}

/** The first step that can be taken, or else the status that follows from all of them. */
async function settleOnce(app: App, sql: Sql, id: CheckoutId): Promise<Round> {
  const checkout = topUpOf(await sql.one(lockTopUp, { id }))
  const read = async () =>
    (await sql.run(paymentsOfCheckouts, { checkout_ids: [id] })).map(paymentOf)
  const payments = await read()
  const is_compared = holdingsOf(app, checkout) !== undefined
  const steps = stepsOf({ ...checkout, is_compared }, payments)
  const step = steps.find((one) => !isQuestion(one))
  const now = app.clock.now()
  const context = { checkout, now, seller: app.settings, at: now }
  const call = systemCall(app, 'settle_checkouts')
  const parked = step ? await take(step, { ...context, sql, call }) : null
  const after = step ? await read() : payments
  const status = statusOf(checkout, after, now)
  const question = steps.find(isQuestion)
  const settle_at =
    step || question ? now : now <= checkout.expires_at ? later(checkout.expires_at, 1) : null
  await sql.run(storeStatus, { id, status, settle_at })
  if (step) {
    app.reached?.('before_checkout_commit')
    return { end: 'again', credited: step.do === 'credit' && parked === null, parked }
  }
  return question ? { end: 'ask', question: { step: question, checkout } } : { end: 'done' }
}

const later = (date: Date, ms: number) => new Date(date.getTime() + ms)

type Context = DocumentContext & { sql: Sql; checkout: Checkout; now: Date; call: Call }

/** Returns the payment that was parked, if one was. */
async function take(step: CheckoutStep, context: Context): Promise<Parked | null> {
  const { payment } = step
  switch (step.do) {
    case 'credit':
      return credit(step, context)
    case 'park':
      return park({ payment, reason: step.reason }, context)
    case 'keep':
      await treat(context, payment, { treatment: 'kept' })
      return null
    case 'reverse':
      await reverse(payment, context)
      return null
    case 'reinstate':
      await reinstate(payment, context)
      return null
    case 'rate':
    case 'compare':
      throw new Error('the gateway is asked outside of transactions')
  }
}

type Treated = Partial<
  Pick<CheckoutPayment, 'treatment' | 'reason' | 'credited' | 'taken' | 'reversals'> & {
    quoted_amount: bigint
  }
>

async function treat(
  { sql, now, checkout }: Pick<Context, 'sql' | 'now' | 'checkout'>,
  payment: CheckoutPayment,
  treated: Treated,
): Promise<void> {
  const { id, treatment, reason, credited, taken, reversals, quoted_amount } = {
    ...payment,
    ...treated,
  }
  const final_at = later(now, final_after_ms)
  const { watched_until } = checkout
  // A payment that is gone may come back, so it is watched as long as its checkout.
  const isLonger = treatment === 'reversed' && watched_until !== null && watched_until > final_at
  await sql.run(storeTreatment, {
    id,
    treatment,
    reason,
    credited,
    taken,
    reversals,
    quoted_amount: String(quoted_amount),
    watched_until: isLonger ? watched_until : final_at,
  })
}

async function credit(
  step: CheckoutStep & { do: 'credit' },
  context: Context,
): Promise<Parked | null> {
  const { payment, cents, quoted_amount } = step
  const { sql, checkout } = context
  const outcome = await creditCheckout(sql, { checkout, payment, cents }, context)
  if (outcome === 'elsewhere') return park({ payment, reason: 'credited_elsewhere' }, context)
  await treat(context, payment, { treatment: 'credited', credited: cents, quoted_amount })
  await audit(context, 'top_up_credited', { payment, amount_cents: cents })
  return null
}

async function park(parked: Parked, context: Context): Promise<Parked> {
  const { payment, reason } = parked
  await treat(context, payment, { treatment: 'parked', reason })
  await audit(context, 'top_up_parked', { payment, reason })
  return parked
}

/** Takes back only the rest, since an operator may have taken a part back before. */
async function reverse(payment: CheckoutPayment, context: Context): Promise<void> {
  const { sql } = context
  const left = await leftOf(sql, payment.id)
  const reversals = payment.reversals + 1
  if (left > 0n)
    await reverseOnce(
      sql,
      {
        id: `reorganisation/${payment.id}/${reversals}`,
        payment_id: payment.id,
        kind: 'reorganisation',
        amount: left,
        description: `The payment in ${payment.asset} is no longer on ${payment.network}`,
      },
      context,
    )
  const taken = payment.taken + left
  await treat(context, payment, { treatment: 'reversed', taken, reversals })
  await audit(context, 'top_up_reversed', { payment, amount_cents: left })
}

async function reinstate(payment: CheckoutPayment, context: Context): Promise<void> {
  const { taken, reversals } = payment
  if (taken > 0n)
    await reverseOnce(
      context.sql,
      {
        id: `reinstatement/${payment.id}/${reversals}`,
        payment_id: payment.id,
        kind: 'reinstatement',
        amount: taken,
        description: `The payment in ${payment.asset} is on ${payment.network} again`,
      },
      context,
    )
  await treat(context, payment, { treatment: 'credited', taken: 0n })
  await audit(context, 'top_up_reinstated', { payment, amount_cents: taken })
}

type Audited = { payment: CheckoutPayment; amount_cents?: bigint; reason?: ParkedReason }
type CheckoutAction = 'top_up_credited' | 'top_up_parked' | 'top_up_reversed' | 'top_up_reinstated'

async function audit(
  { sql, checkout, call }: Context,
  action: CheckoutAction,
  { payment, amount_cents, reason }: Audited,
): Promise<void> {
  const row = call.auditRow({
    action,
    target_type: 'checkout',
    target: checkout.id,
    customer_id: checkout.customer_id,
    metadata: {
      payment_id: payment.id,
      currency: checkout.currency,
      ...(amount_cents === undefined ? {} : { amount_cents: Number(amount_cents) }),
      ...(reason === undefined ? {} : { reason }),
    },
  })
  await storeAuditRow(sql, row)
}

export function alarmParked(
  app: Pick<App, 'log'>,
  checkout_id: CheckoutId,
  { payment, reason }: { payment: { id: PaymentId }; reason: ParkedReason },
): void {
  const facts = { checkout_id, payment_id: payment.id, reason, alarm: 'payment_parked' }
  app.log.error(facts, 'payment needs manual review')
}
