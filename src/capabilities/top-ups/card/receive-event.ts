// The webhook of the card processor. A signed event is a hint: its session, or the refunds and
// disputes of its payment, are read back, so that order and repetition of events do not matter.
import Type from 'typebox'
import { type ProcessorEvent, ProcessorUnavailable } from '../../../adapters/processor/port.ts'
import { type App, anyone, operation } from '../../../app.ts'
import { notConfigured } from '../../../errors/faults.ts'
import { storeAuditRow, systemAuditRow } from '../../audit/index.ts'
import { checkoutOfId, checkoutOfSession, paymentOfSession, putSession } from './card.sql.ts'
import { processorUnavailable, signatureInvalid } from './card-faults.ts'
import { readReversals } from './card-reversals.ts'
import { applySession, type Reading, readSession } from './read-session.ts'

export const receiveProcessorEvent = operation({
  name: 'receive_processor_event',
  does: "Receive a signed event of the card processor, Stripe's webhook.",
  more:
    'Events are not trusted: the session or the payment is read back. Register ' +
    'checkout.session.completed, .async_payment_succeeded, .async_payment_failed, .expired, ' +
    'refund.created, refund.updated, refund.failed, charge.refunded, charge.dispute.created, ' +
    '.updated, .closed, .funds_withdrawn and .funds_reinstated.',
  at: 'POST /v1/billing/processor/webhook',
  area: 'Billing',
  who: anyone(),
  takes: Type.Object({
    stripe_signature: Type.Optional(
      Type.String({ description: 'The time and the signature of the body, as Stripe sends them.' }),
    ),
  }),
  in: { stripe_signature: 'header' },
  raw_body: true,
  max_body_bytes: 262_144,
  gives: Type.Object(
    { received: Type.Boolean({ description: 'True if it need not be sent again.' }) },
    { title: 'ProcessorEventResponse' },
  ),
  fails: [notConfigured, signatureInvalid, processorUnavailable],
  effect: 'own',
  async run({ stripe_signature: signature = '' }, call, app) {
    const { processor, settings } = app
    if (!processor || settings.stripe_webhook_secret === null) throw notConfigured()
    try {
      const event = await processor.readEvent(call.raw_body, signature)
      if (!event) throw signatureInvalid()
      await handle(readingFor(app), event)
    } catch (error) {
      if (!(error instanceof ProcessorUnavailable)) throw error
      throw processorUnavailable({ retry_after_s: 5, cause: error })
    }
    return { received: true }
  },
})

/** Its audit rows are the service's own: the processor is no principal. */
function readingFor(app: App): Reading {
  const context = { entry_point: 'webhook', agent_identifier: 'agent-registrar/webhook' } as const
  const auditRow: Reading['call']['auditRow'] = ({
    action = 'receive_processor_event',
    ...facts
  }) => systemAuditRow({ ...context, action, now: app.clock.now() }, facts)
  return { app, call: { auditRow } }
}

const isReversal = /^(charge\.refund|refund\.|charge\.dispute\.)/
const isOfPayment = (type: string) => type.startsWith('checkout.session.') || isReversal.test(type)

async function handle(reading: Reading, event: ProcessorEvent): Promise<void> {
  const { id, type, session_id, payment_intent } = event
  // A signed event that names nothing would name nothing again if it were sent again.
  if (session_id === null && payment_intent === null) {
    if (id === '' || isOfPayment(type))
      await noteUnknown(reading, { target_type: 'processor_event', id })
  } else if (session_id !== null) await handleSession(reading, session_id)
  else if (payment_intent !== null && isReversal.test(type)) {
    if (!(await readReversals(reading, payment_intent)))
      await noteUnknown(reading, { target_type: 'processor_payment_intent', id: payment_intent })
  }
}

async function handleSession(reading: Reading, session_id: string): Promise<void> {
  const { db } = reading.app
  const row = await db.maybe(checkoutOfSession, { session_id })
  if (row) return readSession(reading, row)
  // An operator credits sessions that were opened elsewhere.
  if (await db.maybe(paymentOfSession, { session_id })) return
  if (!(await adopt(reading, session_id)))
    await noteUnknown(reading, { target_type: 'processor_checkout_session', id: session_id })
}

/** The session of a checkout whose opening was cut off before the row had the session's id. */
async function adopt(reading: Reading, session_id: string): Promise<boolean> {
  const { db, processor } = reading.app
  const session = await processor?.readSession(session_id)
  if (!session?.checkout_id) return false
  const { checkout_id: id, url: session_url } = session
  if ((await db.maybe(checkoutOfId, { id }))?.customer_id !== session.customer_id) return false
  const row = await db.maybe(putSession, { id, session_id, session_url })
  if (row) await applySession(reading, row, session)
  return row !== undefined
}

type Unknown = { target_type: string; id: string }

/** Notes that money may have come that no checkout of ours explains. */
async function noteUnknown({ app, call }: Reading, { target_type, id }: Unknown): Promise<void> {
  app.log.error({ [target_type]: id, alarm: 'card_event_unknown' }, 'card payment of no checkout')
  const facts = { target_type, target: id, customer_id: null, result: 'unknown' } as const
  await storeAuditRow(app.db, call.auditRow(facts))
}
