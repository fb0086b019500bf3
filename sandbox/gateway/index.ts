// The simulated BTCPay Server: its Greenfield API on loopback, with signed webhooks, payment pages,
// and faults of its own.
import { EffectLog, type RequestCounters } from '../support/effect-log.ts'
import type { Clock } from '../support/sandbox-clock.ts'
import { type Fault, Faults } from './gateway-faults.ts'
import type { Settings } from './greenfield-routes.ts'
import { openGatewayServer } from './server.ts'
import { type Invoice, type Payment, Store } from './store.ts'
import { openWebhooks } from './webhooks.ts'

export type SandboxGateway = {
  base_url: string
  store_id: string
  api_key: string
  /** The settings can be changed while it runs. */
  settings: Settings
  setFault(fault: Fault): void
  clearFaults(): void
  faults(): Fault[]
  /** Immediately runs everything that faults delayed, and sends the webhooks kept back. */
  releaseDelayed(): void
  counters(): RequestCounters
  /** How often a client followed the redirect of a fault. */
  followed(): number
  invoices(): Invoice[]
  /** Every payment that ever arrived. */
  payments(): Payment[]
  /** Pays base units with a method. @throws RangeError */
  pay(invoiceId: string, methodId: string, units: bigint): Payment
  /** @throws RangeError */
  confirm(paymentId: string): void
  /** @throws RangeError */
  drop(paymentId: string): void
  /** Ends the time to pay. @throws RangeError */
  expire(invoiceId: string): void
  /** Resolves when no webhook is on its way. */
  webhooksSent(): Promise<void>
  close(): Promise<void>
}

type GatewayOptions = {
  clock: Clock
  /** The folder of its rows, or null to keep them in memory only. */
  file: string | null
  host?: string
  /** The port; 0 or undefined means any free one. */
  port?: number
  /** Pauses before a webhook that failed is sent again. */
  redelivery_ms?: readonly number[]
  report: (error: unknown) => void
}

/** The pauses of BTCPay Server: 10 seconds, 1 minute, and then four times 10 minutes. */
const REDELIVERY_MS = [10_000, 60_000, 600_000, 600_000, 600_000, 600_000]

/** Starts the server, and returns when it is ready. */
export async function startGateway(options: GatewayOptions): Promise<SandboxGateway> {
  const { clock, file, report, host = '127.0.0.1', port = 0 } = options
  const faults = new Faults()
  const effectLog = new EffectLog()
  const settings: Settings = { invoice_routes: 'invoices' }
  const webhooks = openWebhooks({
    store: () => store,
    faults,
    effectLog,
    redelivery_ms: options.redelivery_ms ?? REDELIVERY_MS,
  })
  const store = new Store({ clock, file, happened: (event) => webhooks.happened(event) })
  const served = { store, webhooks, settings }
  const server = await openGatewayServer({ served, faults, effectLog, report }, { host, port })
  return {
    base_url: server.base_url,
    store_id: store.id,
    api_key: store.api_key,
    settings,
    setFault: (fault) => faults.set(fault),
    clearFaults: () => faults.clear(),
    faults: () => faults.list(),
    releaseDelayed() {
      server.releaseDelayed()
      webhooks.release()
    },
    counters: () => effectLog.counters(),
    followed: server.followed,
    invoices: () => store.invoices(),
    payments: () => store.payments(),
    pay: (invoiceId, methodId, units) => store.pay(invoiceId, methodId, units),
    confirm: (paymentId) => store.confirm(paymentId),
    drop: (paymentId) => store.drop(paymentId),
    expire: (invoiceId) => store.expire(invoiceId),
    webhooksSent: () => webhooks.idle(),
    async close() {
      webhooks.close()
      await server.close()
      store.rows.close()
    },
  }
}
