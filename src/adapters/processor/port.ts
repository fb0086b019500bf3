// The port of card processors: checkout sessions, the course of their payments, and signed events.
// An adapter moves no money of the ledger.
import type { Currency } from '../../kit/money.ts'
import type { PeerState } from '../../kit/telemetry.ts'

export type SessionRequest = {
  /** The same key again opens no second session. */
  idempotency_key: string
  customer_id: string
  checkout_id: string
  amount_cents: bigint
  currency: Currency
  /** On the page and the receipt. */
  description: string
  /** `{CHECKOUT_SESSION_ID}` in it becomes the session's id. */
  success_url: string
  cancel_url: string
  /** From 30 minutes to 24 hours from now. */
  expires_at: Date
}

export type ProcessorSession = {
  id: string
  /** The page on which it is paid; null once it is not open. */
  url: string | null
  /** `unknown`: it has a status, or a mode, that this version does not know: see `unknown_word`. */
  status: 'open' | 'complete' | 'expired' | 'unknown'
  unknown_word: string | null
  /** Whether the money is there: a bank debit is complete days before. */
  is_paid: boolean
  /** A payment that took days has failed for good. */
  has_failed: boolean
  amount_cents: bigint
  /** Null for a currency that is not ours. */
  currency: Currency | null
  /** As they were given when it was opened; null for a session opened elsewhere. */
  customer_id: string | null
  checkout_id: string | null
  payment_intent: string | null
}

export type Refund = {
  id: string
  amount_cents: bigint
  currency: Currency | null
  /** `returned`: it failed, and the amount is ours again. */
  funds: 'pending' | 'withdrawn' | 'returned' | 'unknown'
  /** The processor's own word, where it is none that this version knows. */
  unknown_word: string | null
  at: Date
}

export type Dispute = {
  id: string
  amount_cents: bigint
  currency: Currency | null
  /** `untouched`: an inquiry, which moves no money. `returned`: won. */
  funds: 'untouched' | 'withdrawn' | 'returned' | 'unknown'
  unknown_word: string | null
  /** No other result will come. */
  is_final: boolean
  at: Date
}

/** A signed event, as a hint: the objects are read back. */
export type ProcessorEvent = {
  id: string
  type: string
  /** The session or the payment intent that it is about; both null for another subject. */
  session_id: string | null
  payment_intent: string | null
}

export type CardProcessor = {
  name: string
  /** It refuses smaller and greater payments. */
  least_cents: bigint
  most_cents: bigint
  /** Each rejects with ProcessorUnavailable. */
  openSession: (request: SessionRequest) => Promise<ProcessorSession>
  /** Null: the processor knows none of this id. */
  readSession: (id: string) => Promise<ProcessorSession | null>
  /** An open session can be paid no longer; returns it as it is then. */
  expireSession: (id: string) => Promise<ProcessorSession>
  /** All of a payment intent, oldest first. */
  refunds: (payment_intent: string) => Promise<Refund[]>
  disputes: (payment_intent: string) => Promise<Dispute[]>
  /** As the calls of this process found it last. */
  health: () => PeerState
  /** Null: not signed with the webhook's secret, too old, or no secret is set. */
  readEvent: (rawBody: Uint8Array, signature: string) => Promise<ProcessorEvent | null>
}

/** The processor cannot be read, or its response contradicts itself or us. */
export class ProcessorUnavailable extends Error {
  override name = 'ProcessorUnavailable'
}
