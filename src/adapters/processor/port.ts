// The port of card processors: checkout sessions, the state of their payments, and signed events.
// An adapter moves no money of the ledger.

import type { Currency } from '../../kit/money.ts'
import type { CheckoutId, CustomerId } from '../../kit/random.ts'
import type { PeerState } from '../../kit/telemetry.ts'

export type SessionRequest = {
  /** Repeating the key opens no second session. */
  idempotency_key: string
  customer_id: CustomerId
  checkout_id: CheckoutId
  amount_cents: bigint
  currency: Currency
  /** The text on the page and the receipt. */
  description: string
  /** `{CHECKOUT_SESSION_ID}` in it is replaced by the session's id. */
  success_url: string
  cancel_url: string
  /** A time between 30 minutes and 24 hours from now. */
  expires_at: Date
}

export type ProcessorSession = {
  id: string
  /** The page on which it is paid, or null once it is not open. */
  url: string | null
  /**
   * `unknown`: it has a status or a mode that this version does not know, which is in
   * `unknown_word`.
   */
  status: 'open' | 'complete' | 'expired' | 'unknown'
  unknown_word: string | null
  /** Whether the money has arrived: a bank debit is complete days before. */
  is_paid: boolean
  /** A payment that took days has failed for good. */
  has_failed: boolean
  amount_cents: bigint
  /** The amount, or null for a currency that is not ours. */
  currency: Currency | null
  /**
   * The values that were given when it was opened, or null for a session that was opened elsewhere.
   */
  customer_id: CustomerId | null
  checkout_id: CheckoutId | null
  payment_intent: string | null
}

export type Refund = {
  id: string
  amount_cents: bigint
  currency: Currency | null
  /** `returned`: the refund failed, and the amount is ours again. */
  funds: 'pending' | 'withdrawn' | 'returned' | 'unknown'
  /** The processor's own word, if this version does not know it. */
  unknown_word: string | null
  at: Date
}

export type Dispute = {
  id: string
  amount_cents: bigint
  currency: Currency | null
  /** `untouched`: an inquiry, which moves no money. `returned`: we won. */
  funds: 'untouched' | 'withdrawn' | 'returned' | 'unknown'
  unknown_word: string | null
  /** Whether the result is final. */
  is_final: boolean
  at: Date
}

/** A signed event as a hint, after which the objects are read back. */
export type ProcessorEvent = {
  id: string
  type: string
  /** The session or the payment intent that it is about. Both are null for another subject. */
  session_id: string | null
  payment_intent: string | null
}

export type CardProcessor = {
  name: string
  /** The processor refuses smaller and greater payments. */
  least_cents: bigint
  most_cents: bigint
  /** Each call rejects with ProcessorUnavailable. */
  openSession: (request: SessionRequest) => Promise<ProcessorSession>
  /** The object, or null if the processor knows none with this id. */
  readSession: (id: string) => Promise<ProcessorSession | null>
  /** Ends an open session so that it can no longer be paid, and returns it in its new state. */
  expireSession: (id: string) => Promise<ProcessorSession>
  /** All disputes of a payment intent, oldest first. */
  refunds: (payment_intent: string) => Promise<Refund[]>
  disputes: (payment_intent: string) => Promise<Dispute[]>
  /** The state that the calls of this process last found. */
  health: () => PeerState
  /**
   * The event, or null if it is not signed with the webhook's secret, is too old, or no secret is
   * set.
   */
  readEvent: (rawBody: Uint8Array, signature: string) => Promise<ProcessorEvent | null>
}

/** The processor cannot be read, or its response contradicts itself or us. */
export class ProcessorUnavailable extends Error {
  override name = 'ProcessorUnavailable'
}
