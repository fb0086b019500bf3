// The store of the simulated Stripe: checkout sessions, payment intents, refunds and disputes, and
// the events of their changes.
import { randomBytes } from 'node:crypto'
import { JournaledStore } from '../support/journaled-store.ts'
import type { Clock } from '../support/sandbox-clock.ts'
import type {
  Dispute,
  Intent,
  NewSession,
  Refund,
  Replay,
  Session,
  StripeEvent,
} from './processor-records.ts'
import { chargeObject, disputeObject, refundObject, sessionObject } from './stripe-objects.ts'

class ProcessorRows extends JournaledStore {
  readonly tables = {
    session: this.table<Session>('session'),
    intent: this.table<Intent>('intent'),
    refund: this.table<Refund>('refund'),
    dispute: this.table<Dispute>('dispute'),
    replay: this.table<Replay>('replay'),
    /** The endpoints of events, of which there is at most one. */
    endpoint: this.table<{ id: string; url: string; secret: string }>('endpoint'),
    secret: this.table<string>('secret'),
  }
}

type StoreOptions = {
  clock: Clock
  file: string | null
  /** Called after the change is durable. */
  happened: (event: StripeEvent) => void
}

export class ProcessorStore {
  readonly rows: ProcessorRows
  readonly api_key: string
  readonly #clock: Clock
  readonly #happened: StoreOptions['happened']

  constructor({ clock, file, happened }: StoreOptions) {
    this.#clock = clock
    this.#happened = happened
    this.rows = new ProcessorRows(file)
    this.rows.open()
    const { secret } = this.rows.tables
    this.api_key = secret.get('api_key') ?? `sk_test_${randomBytes(24).toString('hex')}`
    secret.put('api_key', this.api_key)
    this.rows.commit()
  }

  get now(): number {
    return this.#clock.now()
  }

  createSession(asked: NewSession): Session {
    const session: Session = {
      ...asked,
      id: newId('cs_test_'),
      status: 'open',
      payment_status: 'unpaid',
      intent_id: null,
    }
    this.rows.tables.session.put(session.id, session)
    this.rows.commit()
    return session
  }

  /** The sessions, after those whose time has ended are expired. */
  session(id: string): Session | null {
    const session = this.rows.tables.session.get(id) ?? null
    if (session?.status === 'open' && session.expires_at <= this.now) return this.expire(id)
    return session
  }

  /** @throws RangeError for a session that is not open */
  expire(id: string): Session {
    const session: Session = { ...this.#mustOpen(id), status: 'expired' }
    this.rows.tables.session.put(id, session)
    this.#commit('checkout.session.expired', (base_url) => sessionObject(session, base_url))
    return session
  }

  /**
   * The customer pays. With `later`, the payment takes days, and succeeds or fails by `settle`.
   * @throws RangeError for a session that is not open
   */
  pay(id: string, later = false): Intent {
    const open = this.#mustOpen(id)
    const intent: Intent = {
      id: newId('pi_'),
      amount: open.amount,
      currency: open.currency,
      metadata: open.metadata,
      status: later ? 'processing' : 'succeeded',
      created_at: this.now,
    }
    const session: Session = {
      ...open,
      status: 'complete',
      payment_status: later ? 'unpaid' : 'paid',
      intent_id: intent.id,
    }
    this.rows.tables.intent.put(intent.id, intent)
    this.rows.tables.session.put(id, session)
    this.#commit('checkout.session.completed', (base_url) => sessionObject(session, base_url))
    return intent
  }

  /** Ends a payment that takes days. @throws RangeError */
  settle(intentId: string, succeeded: boolean): void {
    const intent = this.#mustIntent(intentId)
    const session = [...this.rows.tables.session.values()].find((one) => one.intent_id === intentId)
    if (intent.status !== 'processing' || !session)
      throw new RangeError('the payment is not processing')
    const status = succeeded ? 'succeeded' : 'requires_payment_method'
    const paid: Session = { ...session, payment_status: succeeded ? 'paid' : 'unpaid' }
    this.rows.tables.intent.put(intentId, { ...intent, status })
    this.rows.tables.session.put(session.id, paid)
    const end = succeeded ? 'succeeded' : 'failed'
    this.#commit(`checkout.session.async_payment_${end}`, (base_url) =>
      sessionObject(paid, base_url),
    )
  }

  /** With `amount` null, the rest is refunded. @throws RangeError for more than was paid */
  refund(intentId: string, amount: number | null): Refund {
    const intent = this.#mustIntent(intentId)
    const before = this.refunds(intentId).filter(({ status }) => status !== 'failed')
    const rest = before.reduce((sum, one) => sum - one.amount, intent.amount)
    const asked = amount ?? rest
    if (intent.status !== 'succeeded' || asked <= 0 || asked > rest)
      throw new RangeError('the refund is more than what was paid and not yet refunded')
    const refund: Refund = {
      id: newId('re_'),
      intent_id: intentId,
      amount: asked,
      currency: intent.currency,
      status: 'succeeded',
      created_at: this.now,
    }
    this.rows.tables.refund.put(refund.id, refund)
    this.#commit('refund.created', () => refundObject(refund))
    this.#commit('charge.refunded', () => chargeObject(intent))
    return refund
  }

  /** The bank has refused the refund, so its amount is ours again. @throws RangeError */
  failRefund(id: string): void {
    const refund = this.rows.tables.refund.get(id)
    if (!refund) throw new RangeError(`no refund ${id}`)
    const failed: Refund = { ...refund, status: 'failed' }
    this.rows.tables.refund.put(id, failed)
    this.#commit('refund.failed', () => refundObject(failed))
  }

  /**
   * With `amount` null, all of it is disputed. With `inquiry`, no money moves yet. @throws
   * RangeError
   */
  dispute(intentId: string, amount: number | null, inquiry = false): Dispute {
    const intent = this.#mustIntent(intentId)
    if (intent.status !== 'succeeded') throw new RangeError('the payment is not paid')
    const dispute: Dispute = {
      id: newId('du_'),
      intent_id: intentId,
      amount: amount ?? intent.amount,
      currency: intent.currency,
      status: inquiry ? 'warning_needs_response' : 'needs_response',
      created_at: this.now,
    }
    this.rows.tables.dispute.put(dispute.id, dispute)
    this.#commit('charge.dispute.created', () => disputeObject(dispute))
    return dispute
  }

  /** @throws RangeError */
  closeDispute(id: string, status: 'won' | 'lost'): void {
    const dispute = this.rows.tables.dispute.get(id)
    if (!dispute) throw new RangeError(`no dispute ${id}`)
    const closed: Dispute = { ...dispute, status }
    this.rows.tables.dispute.put(id, closed)
    this.#commit('charge.dispute.closed', () => disputeObject(closed))
  }

  refunds(intentId: string): Refund[] {
    return [...this.rows.tables.refund.values()].filter(({ intent_id }) => intent_id === intentId)
  }

  disputes(intentId: string): Dispute[] {
    return [...this.rows.tables.dispute.values()].filter(({ intent_id }) => intent_id === intentId)
  }

  #mustOpen(id: string): Session {
    const session = this.rows.tables.session.get(id)
    if (session?.status === 'open') return session
    throw new RangeError(session ? `the session is ${session.status}` : `no session ${id}`)
  }

  #mustIntent(id: string): Intent {
    const intent = this.rows.tables.intent.get(id)
    if (intent) return intent
    throw new RangeError(`no payment intent ${id}`)
  }

  #commit(type: string, objectAt: StripeEvent['objectAt']): void {
    this.rows.commit()
    this.#happened({ id: newId('evt_'), type, created_at: this.now, objectAt })
  }
}

function newId(prefix: string): string {
  return prefix + randomBytes(12).toString('hex')
}
