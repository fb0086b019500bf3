// Webhooks of the simulated BTCPay Server: signed over the raw body, sent again after a failure.
import { createHmac, randomBytes } from 'node:crypto'
import { Delays } from '../support/delays.ts'
import type { EffectLog } from '../support/effect-log.ts'
import type { Faults } from './gateway-faults.ts'
import type { Store, StoreEvent, Webhook } from './store.ts'

type Delivery = {
  id: string
  original_id: string
  webhook_id: string
  type: string
  invoice_id: string
  /** Null: no answer. */
  status: number | null
  facts: Record<string, unknown>
}

const timeout_ms = 10_000
const usual_copies = 100
const most_deliveries = 10_000

type Parts = {
  store: () => Store
  faults: Faults
  effectLog: EffectLog
  /** Pauses before an event that failed is sent again. */
  redelivery_ms: readonly number[]
}

export class WebhookSender {
  readonly #parts: Parts
  readonly #delays = new Delays()
  readonly #underway = new Set<Promise<void>>()
  #deliveries: Delivery[] = []
  #kept_back: StoreEvent[] = []

  constructor(parts: Parts) {
    this.#parts = parts
  }

  happened(event: StoreEvent): void {
    const fault = this.#parts.faults.ofEvent(event.type)
    if (fault) this.#parts.effectLog.fault(fault.name)
    if (fault?.name === 'webhook_never') return
    if (fault?.name === 'webhook_reversed') {
      this.#kept_back.unshift(event)
      return
    }
    const copies = fault?.name === 'webhook_repeated' ? (fault.copies ?? usual_copies) : 1
    const forged = fault?.name === 'webhook_bad_signature'
    for (let copy = 0; copy < copies; copy += 1) this.#sendToAll(event, forged)
    this.release()
  }

  /** Sends what was kept back, the latest first. */
  release(): void {
    for (const event of this.#kept_back.splice(0)) this.#sendToAll(event, false)
    this.#delays.release()
  }

  deliveries(webhookId: string): Delivery[] {
    return this.#deliveries.filter(({ webhook_id }) => webhook_id === webhookId)
  }

  /** Null where there is no such delivery. */
  redeliver(webhook: Webhook, deliveryId: string): string | null {
    const first = this.deliveries(webhook.id).find(({ id }) => id === deliveryId)
    return first ? this.#send(webhook, { ...first, id: newId() }, { attempt: 0 }) : null
  }

  /** Resolves when nothing is on its way. */
  async idle(): Promise<void> {
    while (this.#underway.size > 0) await Promise.all(this.#underway)
  }

  close(): void {
    this.#delays.close()
  }

  #sendToAll({ type, invoice, facts }: StoreEvent, forged: boolean): void {
    for (const webhook of this.#parts.store().rows.tables.webhook.values()) {
      if (webhook.events && !webhook.events.includes(type)) continue
      const id = newId()
      const webhook_id = webhook.id
      const invoice_id = invoice.id
      const delivery = { id, original_id: id, webhook_id, type, invoice_id, status: null, facts }
      this.#send(webhook, delivery, { attempt: 0, forged })
    }
  }

  #send(webhook: Webhook, delivery: Delivery, how: { attempt: number; forged?: boolean }): string {
    this.#deliveries.push(delivery)
    if (this.#deliveries.length > most_deliveries) this.#deliveries.shift()
    const sent = this.#post(webhook, delivery, how.forged === true).then((status) => {
      delivery.status = status
      this.#underway.delete(sent)
      const pause_ms = this.#parts.redelivery_ms[how.attempt]
      const failed = status === null || status < 200 || status > 299
      if (!failed || pause_ms === undefined) return
      const again = () =>
        this.#send(webhook, { ...delivery, id: newId() }, { attempt: how.attempt + 1 })
      this.#delays.after(pause_ms, again)
    })
    this.#underway.add(sent)
    return delivery.id
  }

  /** The status of the answer; null where none came. */
  async #post(webhook: Webhook, delivery: Delivery, forged: boolean): Promise<number | null> {
    const { effectLog, store } = this.#parts
    const body = JSON.stringify({
      deliveryId: delivery.id,
      webhookId: webhook.id,
      originalDeliveryId: delivery.original_id,
      isRedelivery: delivery.id !== delivery.original_id,
      type: delivery.type,
      timestamp: Math.floor(store().now / 1_000),
      storeId: store().id,
      invoiceId: delivery.invoice_id,
      metadata: store().invoice(delivery.invoice_id)?.metadata ?? {},
      ...delivery.facts,
    })
    const secret = forged ? `not ${webhook.secret}` : webhook.secret
    const mac = createHmac('sha256', secret).update(body).digest('hex')
    effectLog.received(`webhook:${delivery.type}`)
    try {
      const response = await fetch(webhook.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'btcpay-sig': `sha256=${mac}` },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout_ms),
      })
      await response.body?.cancel()
      effectLog.answered(`webhook:${delivery.type}`, response.status)
      return response.status
    } catch {
      // No answer: it is sent again, as by the real server.
      effectLog.answered(`webhook:${delivery.type}`, 0)
      return null
    }
  }
}

function newId(): string {
  return randomBytes(12).toString('base64url')
}
