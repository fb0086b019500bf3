// The store of the simulated BTCPay Server: invoices, their payments, and the effects of a payment.
// Amounts are integers of base units, kept as strings of digits.
import { createHash, randomBytes } from 'node:crypto'
import { JournaledStore } from '../support/journaled-store.ts'
import type { Clock } from '../support/sandbox-clock.ts'
import { formatUnits } from './decimals.ts'
import { METHODS, type Method, methodOf, unitsFor } from './payment-methods.ts'

type InvoiceStatus = 'New' | 'Processing' | 'Settled' | 'Expired' | 'Invalid'
type AdditionalStatus = 'None' | 'PaidLate' | 'PaidPartial' | 'PaidOver'

export type Invoice = {
  id: string
  cents: string
  currency: string
  metadata: Record<string, unknown>
  methods: string[]
  /** The base units that are due by each payment method, fixed when the invoice is created. */
  prices: Record<string, string>
  speed_policy: string
  redirect_url: string | null
  created_at: number
  expires_at: number
  monitored_until: number
  status: InvoiceStatus
  additional: AdditionalStatus
}

export type Payment = {
  /** The transaction and output on the chain. */
  id: string
  invoice_id: string
  method_id: string
  units: string
  received_at: number
  status: 'Processing' | 'Settled' | 'Invalid'
}

export type Webhook = { id: string; url: string; secret: string; events: string[] | null }

export type StoreEvent = { type: string; invoice: Invoice; facts: Record<string, unknown> }

type NewInvoice = {
  cents: bigint
  currency: string
  metadata: Record<string, unknown>
  methods: readonly string[]
  speed_policy: string
  redirect_url: string | null
  expires_after_ms: number
  monitored_ms: number
}

class StoreRows extends JournaledStore {
  readonly tables = {
    invoice: this.table<Invoice>('invoice'),
    payment: this.table<Payment>('payment'),
    webhook: this.table<Webhook>('webhook'),
    secret: this.table<string>('secret'),
  }
}

type StoreOptions = {
  clock: Clock
  file: string | null
  /** Called after the change is durable. */
  happened: (event: StoreEvent) => void
}

export class Store {
  readonly rows: StoreRows
  readonly id: string
  readonly api_key: string
  readonly #clock: Clock
  readonly #happened: StoreOptions['happened']
  /** Indexes: payments by invoice, and the invoices that may still expire. */
  readonly #payments = new Map<string, Map<string, Payment>>()
  readonly #unpaid = new Map<string, Invoice>()

  constructor({ clock, file, happened }: StoreOptions) {
    this.#clock = clock
    this.#happened = happened
    this.rows = new StoreRows(file)
    this.#watch()
    this.rows.open()
    this.id = this.#kept('store_id', () => randomBytes(16).toString('hex'))
    this.api_key = this.#kept('api_key', () => randomBytes(20).toString('hex'))
    this.rows.commit()
  }

  #watch(): void {
    this.rows.tables.payment.watch((_before, after) => {
      if (!after) return
      const own = this.#payments.get(after.invoice_id) ?? new Map<string, Payment>()
      this.#payments.set(after.invoice_id, own.set(after.id, after))
    })
    this.rows.tables.invoice.watch((_before, after) => {
      if (after?.status === 'New') this.#unpaid.set(after.id, after)
      else if (after) this.#unpaid.delete(after.id)
    })
  }

  /** A random value that survives restarts. */
  #kept(name: string, make: () => string): string {
    const { secret } = this.rows.tables
    const value = secret.get(name) ?? make()
    if (!secret.has(name)) secret.put(name, value)
    return value
  }

  get now(): number {
    return this.#clock.now()
  }

  create(asked: NewInvoice): Invoice {
    const id = randomBytes(12).toString('base64url')
    const { cents, currency, expires_after_ms, monitored_ms, ...rest } = asked
    const offered = METHODS.filter((method) => asked.methods.includes(method.id))
    const price = (method: Method) => [method.id, String(unitsFor(method, currency, cents))]
    const expires_at = this.now + expires_after_ms
    const invoice: Invoice = {
      ...rest,
      id,
      cents: String(cents),
      currency,
      methods: offered.map((method) => method.id),
      prices: Object.fromEntries(offered.map(price)),
      created_at: this.now,
      expires_at,
      monitored_until: expires_at + monitored_ms,
      status: 'New',
      additional: 'None',
    }
    this.rows.tables.invoice.put(id, invoice)
    this.#commit([{ type: 'InvoiceCreated', invoice, facts: {} }])
    return invoice
  }

  invoice(id: string): Invoice | null {
    this.settleDue()
    return this.rows.tables.invoice.get(id) ?? null
  }

  invoices(): Invoice[] {
    this.settleDue()
    return [...this.rows.tables.invoice.values()]
  }

  payments(invoiceId?: string): Payment[] {
    if (invoiceId === undefined) return [...this.rows.tables.payment.values()]
    return [...(this.#payments.get(invoiceId)?.values() ?? [])]
  }

  /** Adds a payment that arrives. @throws RangeError for an unknown invoice, method or amount */
  pay(invoiceId: string, methodId: string, units: bigint): Payment {
    const invoice = this.#must(invoiceId)
    const method = methodOf(methodId)
    if (!method) throw new RangeError(`no payment method ${methodId}`)
    if (units <= 0n) throw new RangeError('units is above 0')
    const index = this.rows.next('payment')
    const transaction = createHash('sha256').update(`${this.id}/${index}`).digest('hex')
    const payment: Payment = {
      id: `${transaction}-${index % 3}`,
      invoice_id: invoiceId,
      method_id: methodId,
      units: String(units),
      received_at: this.now,
      status: 'Processing',
    }
    this.rows.tables.payment.put(payment.id, payment)
    const afterExpiration = this.now > invoice.expires_at
    this.#follow(invoice, [received(invoice, payment, { afterExpiration })])
    return payment
  }

  /**
   * Marks a payment as having the confirmations that the speed policy asks for. @throws RangeError
   */
  confirm(paymentId: string): void {
    const { payment, invoice } = this.#change(paymentId, 'Settled')
    this.#follow(invoice, [{ ...received(invoice, payment, {}), type: 'InvoicePaymentSettled' }])
  }

  /** Marks a payment as double-spent, or as removed by a reorganization. @throws RangeError */
  drop(paymentId: string): void {
    this.#follow(this.#change(paymentId, 'Invalid').invoice, [])
  }

  #change(paymentId: string, status: Payment['status']) {
    const before = this.rows.tables.payment.get(paymentId)
    if (!before) throw new RangeError(`no payment ${paymentId}`)
    const payment: Payment = { ...before, status }
    this.rows.tables.payment.put(paymentId, payment)
    return { payment, invoice: this.#must(payment.invoice_id) }
  }

  /** Ends the time to pay now. @throws RangeError */
  expire(invoiceId: string): void {
    const invoice = this.#must(invoiceId)
    if (invoice.expires_at >= this.now)
      this.rows.tables.invoice.put(invoiceId, { ...invoice, expires_at: this.now - 1 })
    this.#follow(this.#must(invoiceId), [])
  }

  settleDue(): void {
    for (const invoice of [...this.#unpaid.values()])
      if (invoice.expires_at < this.now) this.#follow(invoice, [])
  }

  #must(id: string): Invoice {
    const invoice = this.rows.tables.invoice.get(id)
    if (!invoice) throw new RangeError(`no invoice ${id}`)
    return invoice
  }

  /** Brings the invoice to the status of its payments, and reports what has happened. */
  #follow(invoice: Invoice, events: StoreEvent[]): void {
    const next = { ...invoice, ...statusOf(invoice, this.payments(invoice.id), this.now) }
    const moved = next.status !== invoice.status
    if (moved || next.additional !== invoice.additional)
      this.rows.tables.invoice.put(invoice.id, next)
    const overPaid = next.additional === 'PaidOver'
    const facts = { overPaid, partiallyPaid: next.additional === 'PaidPartial' }
    const change = { type: `Invoice${next.status}`, invoice: next, facts }
    this.#commit([
      ...events.map((event) => ({ ...event, invoice: next })),
      ...(moved && next.status !== 'New' ? [change] : []),
    ])
  }

  #commit(events: StoreEvent[]): void {
    this.rows.commit()
    for (const event of events) this.#happened(event)
  }
}

function received(invoice: Invoice, payment: Payment, facts: Record<string, unknown>): StoreEvent {
  const { id, method_id, status, units } = payment
  const value = formatUnits(BigInt(units), methodOf(method_id)?.decimals ?? 0)
  const named = { paymentMethodId: method_id, payment: { id, status, value }, ...facts }
  return { type: 'InvoiceReceivedPayment', invoice, facts: named }
}

/** The share of the price that was paid, over all methods, in units of 10^-12. */
function shareOf({ prices }: Invoice, payments: readonly Payment[]): bigint {
  const share = (payment: Payment) =>
    (BigInt(payment.units) * 10n ** 12n) / BigInt(prices[payment.method_id] ?? payment.units)
  return payments.reduce((sum, payment) => sum + share(payment), 0n)
}

function statusOf(
  invoice: Invoice,
  all: readonly Payment[],
  now: number,
): Pick<Invoice, 'status' | 'additional'> {
  const whole = 10n ** 12n
  const payments = all.filter(({ status }) => status !== 'Invalid')
  const paid = shareOf(invoice, payments)
  const inTime = shareOf(
    invoice,
    payments.filter(({ received_at }) => received_at <= invoice.expires_at),
  )
  const settled = payments.filter(({ status }) => status === 'Settled')
  const isLate = paid >= whole && inTime < whole
  const over = paid > whole ? 'PaidOver' : 'None'
  if (shareOf(invoice, settled) >= whole)
    return { status: 'Settled', additional: isLate ? 'PaidLate' : over }
  if (inTime >= whole) return { status: 'Processing', additional: over }
  const partial = paid > 0n ? 'PaidPartial' : 'None'
  if (now > invoice.expires_at)
    return { status: 'Expired', additional: isLate ? 'PaidLate' : partial }
  return { status: 'New', additional: partial }
}
