// The simulated Stripe: checkout sessions, refunds and disputes on loopback, with signed events, a
// payment page, and faults of its own.
import { createHmac } from 'node:crypto'
import { EffectLog, type RequestCounters } from '../support/effect-log.ts'
import type { Clock } from '../support/sandbox-clock.ts'
import { WebhookSender } from '../support/webhook-sender.ts'
import { type Fault, Faults } from './processor-faults.ts'
import type { Dispute, Intent, Refund, Session, StripeEvent } from './processor-records.ts'
import { openProcessorServer } from './processor-server.ts'
import { ProcessorStore } from './processor-store.ts'
import { eventObject } from './stripe-objects.ts'

export type SandboxProcessor = {
  base_url: string
  api_key: string
  /** The endpoint of events, and the secret that signs them. */
  setEndpoint(url: string, secret: string): void
  setFault(fault: Fault): void
  clearFaults(): void
  faults(): Fault[]
  /** Immediately runs everything that faults delayed, and sends the events kept back. */
  releaseDelayed(): void
  counters(): RequestCounters
  /** How often a client followed the redirect of a fault. */
  followed(): number
  sessions(): Session[]
  /** Every payment, with the refunds and disputes of each. */
  payments(): (Intent & { refunds: Refund[]; disputes: Dispute[] })[]
  /** `later` pays by a method that takes days. @throws RangeError */
  pay(sessionId: string, later?: boolean): Intent
  /** Ends a payment that takes days. @throws RangeError */
  settle(intentId: string, succeeded: boolean): void
  /** With `amount` null, the rest is refunded. @throws RangeError */
  refund(intentId: string, amount: number | null): Refund
  /** @throws RangeError */
  failRefund(id: string): void
  /**
   * With `amount` null, all of it is disputed. With `inquiry`, no money moves yet. @throws
   * RangeError
   */
  dispute(intentId: string, amount: number | null, inquiry?: boolean): Dispute
  /** @throws RangeError */
  closeDispute(id: string, status: 'won' | 'lost'): void
  /** Resolves when no event is on its way. */
  webhooksSent(): Promise<void>
  close(): Promise<void>
}

type ProcessorOptions = {
  clock: Clock
  /** The folder of its rows, or null to keep them in memory only. */
  file: string | null
  host?: string
  /** The port; 0 or undefined means any free one. */
  port?: number
  /** Pauses before an event that failed is sent again. */
  redelivery_ms?: readonly number[]
  report: (error: unknown) => void
}

/** The first of Stripe's attempts, which go on for three days at growing intervals. */
const REDELIVERY_MS = [5_000, 60_000, 600_000, 3_600_000]

/** Starts the server, and returns when it is ready. */
export async function startProcessor(options: ProcessorOptions): Promise<SandboxProcessor> {
  const { clock, file, report, host = '127.0.0.1', port = 0 } = options
  const faults = new Faults()
  const effectLog = new EffectLog()
  let base_url = ''
  const webhooks: WebhookSender<StripeEvent> = new WebhookSender({
    effectLog,
    redelivery_ms: options.redelivery_ms ?? REDELIVERY_MS,
    faultOf: (type) => faults.take('webhook', type),
    endpoints: () => [...store.rows.tables.endpoint.values()],
    request: ({ event }, secret) => signedEvent(eventObject(event, base_url), secret, store.now),
  })
  const store = new ProcessorStore({ clock, file, happened: (event) => webhooks.happened(event) })
  const listening = (url: string) => {
    base_url = url
  }
  const served = { store, base_url: () => base_url }
  const parts = { served, faults, effectLog, report, listening }
  const server = await openProcessorServer(parts, { host, port })
  return {
    base_url,
    api_key: store.api_key,
    setFault: (fault) => faults.set(fault),
    clearFaults: () => faults.clear(),
    faults: () => faults.list(),
    releaseDelayed() {
      server.releaseDelayed()
      webhooks.release()
    },
    counters: () => effectLog.counters(),
    followed: server.followed,
    ...operate(store),
    webhooksSent: () => webhooks.idle(),
    async close() {
      webhooks.close()
      await server.close()
      store.rows.close()
    },
  }
}

type Operated = Pick<
  SandboxProcessor,
  | 'setEndpoint'
  | 'sessions'
  | 'payments'
  | 'pay'
  | 'settle'
  | 'refund'
  | 'failRefund'
  | 'dispute'
  | 'closeDispute'
>

function operate(store: ProcessorStore): Operated {
  const { tables } = store.rows
  return {
    setEndpoint(url, secret) {
      tables.endpoint.put('we_1', { id: 'we_1', url, secret })
      store.rows.commit()
    },
    sessions: () => [...tables.session.values()],
    payments: () =>
      [...tables.intent.values()].map((intent) => ({
        ...intent,
        refunds: store.refunds(intent.id),
        disputes: store.disputes(intent.id),
      })),
    pay: (sessionId, later) => store.pay(sessionId, later),
    settle: (intentId, succeeded) => store.settle(intentId, succeeded),
    refund: (intentId, amount) => store.refund(intentId, amount),
    failRefund: (id) => store.failRefund(id),
    dispute: (intentId, amount, inquiry) => store.dispute(intentId, amount, inquiry),
    closeDispute: (id, status) => store.closeDispute(id, status),
  }
}

/** `Stripe-Signature: t=<seconds>,v1=<hex>` is an HMAC-SHA256 of the time and the raw body. */
function signedEvent(event: object, secret: string, now: number) {
  const body = JSON.stringify(event)
  const seconds = Math.floor(now / 1_000)
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return { headers: { 'stripe-signature': `t=${seconds},v1=${mac}` }, body }
}
