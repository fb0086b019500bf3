// Rows of the simulated Stripe. Amounts are minor units, times are epoch milliseconds.

export type Session = {
  id: string
  amount: number
  currency: string
  description: string
  client_reference_id: string | null
  metadata: Record<string, string>
  success_url: string
  cancel_url: string | null
  created_at: number
  expires_at: number
  status: 'open' | 'complete' | 'expired'
  payment_status: 'unpaid' | 'paid'
  intent_id: string | null
}

export type Intent = {
  id: string
  amount: number
  currency: string
  metadata: Record<string, string>
  status: 'processing' | 'succeeded' | 'requires_payment_method'
  created_at: number
}

export type Refund = {
  id: string
  intent_id: string
  amount: number
  currency: string
  status: 'pending' | 'succeeded' | 'failed'
  created_at: number
}

export type Dispute = {
  id: string
  intent_id: string
  amount: number
  currency: string
  status: 'needs_response' | 'under_review' | 'won' | 'lost' | 'warning_needs_response'
  created_at: number
}

/** A request with an idempotency key, and its answer. */
export type Replay = { digest: string; status: number; body: unknown }
export type StripeEvent = {
  id: string
  type: string
  created_at: number
  /** The `data.object` of an event; the base URL is that of the payment pages. */
  objectAt: (base_url: string) => object
}
export type NewSession = Omit<Session, 'id' | 'status' | 'payment_status' | 'intent_id'>
