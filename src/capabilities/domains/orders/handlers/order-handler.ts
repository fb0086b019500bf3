// Order handler: the strategy of one order type. The saga (purchase.ts) and the settle job call the
// same members of each, and share what they find in one context.

import type { Outcome, Registry, RegistryDomain } from '../../../../adapters/registry/port.ts'
import type { App, Call } from '../../../../app.ts'
import type { Currency } from '../../../../kit/money.ts'
import type { CustomerId, DomainName, OrderId } from '../../../../kit/random.ts'
import type { LimitedBy } from '../../../limits/index.ts'
import type { PriceBody, Quote } from '../../../pricing/index.ts'
import type { Holding } from '../../holdings/domain-presenter.ts'
import type { ParsedName } from '../../names.ts'
import type { DomainStatus } from '../../schemas.ts'
import type { PriorState } from '../idempotency.sql.ts'
import type { Attempt, IdempotencyKey, OrderType } from '../order.ts'
import type { HoldingFacts, Placement } from '../order-batcher.ts'
import type { Purchased, ReadDecision, ReadReason } from '../reconcile/reconcile.ts'
import type { Circumstances, Term } from '../reconcile/term-verification.ts'

/** An order as this process works on it, whether it was just placed or found open. */
export type OpenOrder = {
  id: string
  type: OrderType
  customer_id: CustomerId
  domain: DomainName
  currency: string
  /** The order's command; each handler parses its own. */
  command: unknown
  attempts: number
  /** The fingerprint of each authorization information that was sent. */
  fingerprints: string[]
  first_sent_at: Date
  /** When the latest attempt without an answer had ended, or null if each was answered. */
  unanswered_at: Date | null
  created_at: Date
  /** Encrypted authorization information of a transfer, until it is no longer needed. */
  sealed: string | null
  lease_token: string
  /**
   * Until when an attempt may begin to send (app.monotonic_ms), so that it ends within its lease.
   */
  send_by_ms: number
}

type Digests = {
  /** SHA-256 of the ordered facts: an open order with the same digest is this request's. */
  digest: string
  key: IdempotencyKey | null
}

/** A paid request, as its operation read it. */
export type PurchaseRequest = Digests & {
  customer_id: CustomerId
  domain: DomainName
  period_years: number
  currency: Currency
  max_price: bigint | undefined
  dry_run: boolean
  /** The digests under each previous ENCRYPTION_KEY, if the request has a secret. */
  earlier?: readonly Digests[]
  /** Set if the service renews automatically, so that there is no earlier request to replay. */
  automatic?: true
  /** The operation's input as it was validated; without it, no approval is asked for. */
  input?: object
  /** The quote whose price is charged while it lasts. */
  quote_id?: string
  /** The key or consent whose limits count the purchase, in place of the caller's. */
  limited_by?: LimitedBy
}

/** The price that was agreed on, and the order that it is for. */
export type Agreement = {
  registry: Registry
  quote: Quote
  command: object
  contacts?: Placement['contacts']
  /** The holding that is renewed or restored; its `expiry` fences the placement. */
  holding?: Holding
  sealed?: string
  /** Metadata of the first audit row, beside the order. */
  audited?: Readonly<Record<string, unknown>>
  /** Whether it is paid from the renewal reserve first. */
  from_reserve?: boolean
}

/** Shared context of the steps of a paid request; each step adds the input of the later ones. */
export type PurchaseContext<R extends PurchaseRequest = PurchaseRequest, V = unknown> = {
  readonly app: App
  readonly call: Call
  readonly handler: OrderHandler<R, V>
  request: R
  /** The orders and the holding that an equal request may have made before. */
  prior?: PriorState
  /** The choices of the handler's validation. */
  validated?: V
  agreement?: Agreement
  /** The quote that it names, and may be placed by. */
  honoured?: { id: string; price: PriceBody }
  /** Set if its caller may buy it only with the owner's approval. */
  needsApproval?: true
  execution?: Execution
}

/** Shared context of the steps of one round of an open order. */
export type Execution = {
  readonly app: App
  readonly call: Call
  readonly handler: OrderHandler
  readonly registry: Registry
  readonly order: OpenOrder
  readonly attempt: Attempt
  /**
   * `read`: the registry accepted it earlier. `read_first`: nothing fences a second sending, so the
   * state at the registry decides whether there is one. `never_again`: it may not be sent twice.
   * `verify`: it was answered "done", with dates that did not fit.
   */
  readonly mode: 'send' | 'read' | 'read_first' | 'never_again' | 'verify'
  /** The request that waits for the answer, or null if an open order is continued. */
  readonly pendingRequest: { price: PriceBody; key: IdempotencyKey | null } | null
  outcome?: Outcome<Purchased>
  reconciliation?: Reconciliation
  /** The answer that was stored in the transaction that ended the order. */
  answer?: FirstAnswer | null
  round?: Round
}

/** The result of a round. An `open` order keeps its hold. */
export type Round =
  | { result: 'succeeded'; holding: HoldingFacts }
  | { result: 'failed'; code: string; detail: string }
  | { result: 'open'; state: 'accepted' | 'unknown' | 'parked'; code: string; detail: string }
  /** Another process ended it first; the order's row has the result. */
  | { result: 'overtaken' }

/** The first answer to a request: the domain, or the refusal that ended the order. */
export type FirstAnswer = {
  status: DomainStatus | null
  refused: { code: string; detail: string | null } | null
}

/** The request that waits for an answer. */
export type Waiting = { price: PriceBody; now: Date }

type CaptureFacts = { term: Term; found?: RegistryDomain | undefined }

/** The part of a request that a price depends on, for a name that becomes the customer's. */
export type Priced = Pick<PurchaseRequest, 'period_years' | 'currency'> & { name: ParsedName }

export type Sending = { order: OpenOrder; attempt: Attempt; registry: Registry }
export type ReadBack = { order: OpenOrder; registry: Registry; why: ReadReason }
export type Reconciliation = { decision: ReadDecision; found?: RegistryDomain }

export type OrderHandler<R extends PurchaseRequest = PurchaseRequest, V = unknown> = {
  type: OrderType
  /** The operation that the audit rows are about. */
  action: 'register_domain' | 'renew_domain' | 'transfer_domain' | 'restore_domain'
  /** The participle of the action, as in "was not registered". */
  participle: string
  /** Whether the domain becomes the customer's, and so must not be theirs yet. */
  acquires: boolean
  /** How long after the first attempt it may be sent again, or null while the order is open. */
  resends_for_ms: number | null
  /** The title for the ledger, such as "Registration of a.com, 2 years". */
  title(order: Pick<OpenOrder, 'domain' | 'command'>): string
  /** Throws the faults of the request itself, and returns its values with the defaults. */
  validate(context: PurchaseContext<R, V>): Promise<V>
  /** Asks the registry, and throws the fault that prevents the order or its price. */
  agreePrice(context: PurchaseContext<R, V>, validated: V): Promise<Agreement>
  /** Stores facts that the order needs beside it, which `drop` deletes if it was not placed. */
  prepare?(context: PurchaseContext<R, V>, order_id: OrderId): Promise<void>
  drop?(context: PurchaseContext<R, V>, order_id: OrderId): Promise<void>
  /**
   * Called if the price was not agreed or the order was not placed. Throws the refusal that
   * explains why an equal request of a moment ago left nothing to order.
   */
  explainConflict(context: PurchaseContext<R, V>, refused: 'price' | 'placement'): Promise<void>
  /**
   * The command without the facts that may change until an owner approves it, such as prices.
   */
  approvedPart(command: unknown): object
  /** Sends one attempt. A refused prerequisite counts as its outcome. */
  send(app: App, sending: Sending): Promise<Outcome<Purchased>>
  /** Reads the registry and reconciles the order with what it shows. */
  reconcile(app: App, read: ReadBack): Promise<Reconciliation>
  /** The term after the capture, or why these dates do not match the purchase. */
  term(order: OpenOrder, purchased: Purchased, circumstances: Circumstances): Term
  /** The changes of the holding. */
  holding(order: OpenOrder, purchased: Purchased, facts: CaptureFacts): HoldingFacts
  /**
   * The answer to store in the transaction of the capture, or null if a holding was changed, so
   * that the answer is made from the rows.
   */
  answerAtCapture(order: OpenOrder, holding: HoldingFacts, waiting: Waiting): DomainStatus | null
}
