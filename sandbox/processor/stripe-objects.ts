// Stripe's representations of the store's rows.
import type { Dispute, Intent, Refund, Session, StripeEvent } from './processor-records.ts'

const API_VERSION = '2026-10-28.endive'
const seconds = (time: number) => Math.floor(time / 1_000)

export function sessionObject(session: Session, base_url: string): object {
  const { id, amount, currency, client_reference_id, metadata, status, payment_status } = session
  return {
    id,
    object: 'checkout.session',
    amount_subtotal: amount,
    amount_total: amount,
    currency,
    client_reference_id,
    metadata,
    mode: 'payment',
    status,
    payment_status,
    payment_intent: session.intent_id,
    success_url: session.success_url,
    cancel_url: session.cancel_url,
    created: seconds(session.created_at),
    expires_at: seconds(session.expires_at),
    url: status === 'open' ? `${base_url}/c/pay/${id}` : null,
    livemode: false,
  }
}

export function intentObject(intent: Intent): object {
  const { id, amount, currency, metadata, status } = intent
  const amount_received = status === 'succeeded' ? amount : 0
  const created = seconds(intent.created_at)
  const latest_charge = chargeOf(id)
  return {
    ...{ id, object: 'payment_intent', amount, amount_received, currency, metadata, status },
    ...{ latest_charge, created, livemode: false },
  }
}

export function refundObject(refund: Refund): object {
  return { ...partOfIntent(refund), object: 'refund', reason: null }
}

export function disputeObject(dispute: Dispute): object {
  return { ...partOfIntent(dispute), object: 'dispute', reason: 'fraudulent', livemode: false }
}

function partOfIntent(row: Refund | Dispute): object {
  const { id, intent_id, amount, currency, status, created_at } = row
  const charge = chargeOf(intent_id)
  return {
    id,
    amount,
    currency,
    status,
    payment_intent: intent_id,
    charge,
    created: seconds(created_at),
  }
}

function chargeOf(intentId: string): string {
  return intentId.replace('pi_', 'ch_')
}

export function chargeObject({ id, amount, currency }: Intent): object {
  return { id: chargeOf(id), object: 'charge', amount, currency, payment_intent: id }
}

export function eventObject(event: StripeEvent, base_url: string): object {
  return {
    id: event.id,
    object: 'event',
    api_version: API_VERSION,
    created: seconds(event.created_at),
    data: { object: event.objectAt(base_url) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type: event.type,
  }
}
