// Webhooks of a simulated service: signed events to its endpoints, sent again after a failure, and
// the faults of their delivery.
import { randomBytes } from 'node:crypto'
import { Delays } from './delays.ts'
import type { EffectLog } from './effect-log.ts'

/** The faults, for the service's own list. */
export const WEBHOOK_FAULTS = {
  webhook_never: { does: 'sends no webhook for an event' },
  webhook_repeated: { does: 'sends an event `copies` times (100)' },
  webhook_reversed: { does: 'keeps an event back until a later one was sent' },
  webhook_bad_signature: { does: 'signs an event with another secret' },
} as const

type Endpoint = { id: string; url: string; secret: string }
type Delivery<Event> = {
  id: string
  /** The id of the event's first delivery. */
  original_id: string
  endpoint_id: string
  event: Event
  /** The status of the answer, or null if none came. */
  status: number | null
}
type WebhookParts<Event> = {
  endpoints: (event: Event) => Endpoint[]
  /** The endpoint's secret signs the body. */
  request: (
    delivery: Delivery<Event>,
    secret: string,
  ) => { headers: Record<string, string>; body: string }
  /** The fault that is armed for an event of this type, counted down. */
  faultOf: (type: string) => { name: string; copies?: number } | null
  effectLog: EffectLog
  /** Pauses before an event that failed is sent again. */
  redelivery_ms: readonly number[]
}

const timeout_ms = 10_000
const usual_copies = 100
const most_deliveries = 10_000

export class WebhookSender<Event extends { type: string }> {
  readonly #parts: WebhookParts<Event>
  readonly #delays = new Delays()
  readonly #underway = new Set<Promise<void>>()
  #deliveries: Delivery<Event>[] = []
  #kept_back: Event[] = []

  constructor(parts: WebhookParts<Event>) {
    this.#parts = parts
  }

  happened(event: Event): void {
    const fault = this.#parts.faultOf(event.type)
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

  /**
   * Sends the events that were kept back, the latest first, and those that wait to be sent again.
   */
  release(): void {
    for (const event of this.#kept_back.splice(0)) this.#sendToAll(event, false)
    this.#delays.release()
  }

  deliveries(endpointId: string): Delivery<Event>[] {
    return this.#deliveries.filter(({ endpoint_id }) => endpoint_id === endpointId)
  }

  /** The id of the new delivery, or null if there is no such event. */
  redeliver(endpoint: Endpoint, deliveryId: string): string | null {
    const first = this.deliveries(endpoint.id).find(({ id }) => id === deliveryId)
    return first ? this.#send(endpoint, { ...first, id: newId() }, { attempt: 0 }) : null
  }

  /** Resolves when no event is on its way. */
  async idle(): Promise<void> {
    while (this.#underway.size > 0) await Promise.all(this.#underway)
  }

  close(): void {
    this.#delays.close()
  }

  #sendToAll(event: Event, forged: boolean): void {
    for (const endpoint of this.#parts.endpoints(event)) {
      const id = newId()
      const delivery = { id, original_id: id, endpoint_id: endpoint.id, event, status: null }
      this.#send(endpoint, delivery, { attempt: 0, forged })
    }
  }

  #send(
    endpoint: Endpoint,
    delivery: Delivery<Event>,
    how: { attempt: number; forged?: boolean },
  ): string {
    this.#deliveries.push(delivery)
    if (this.#deliveries.length > most_deliveries) this.#deliveries.shift()
    const secret = how.forged ? `not ${endpoint.secret}` : endpoint.secret
    const sent = this.#post(endpoint.url, delivery, secret).then((status) => {
      delivery.status = status
      this.#underway.delete(sent)
      const pause_ms = this.#parts.redelivery_ms[how.attempt]
      const failed = status === null || status < 200 || status > 299
      if (!failed || pause_ms === undefined) return
      const again = () =>
        this.#send(endpoint, { ...delivery, id: newId() }, { attempt: how.attempt + 1 })
      this.#delays.after(pause_ms, again)
    })
    this.#underway.add(sent)
    return delivery.id
  }

  /** The status of the answer, or null if none came. */
  async #post(url: string, delivery: Delivery<Event>, secret: string): Promise<number | null> {
    const { effectLog, request } = this.#parts
    const { headers, body } = request(delivery, secret)
    const command = `webhook:${delivery.event.type}`
    effectLog.received(command)
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout_ms),
      })
      await response.body?.cancel()
      effectLog.answered(command, response.status)
      return response.status
    } catch {
      // Without an answer, the event is sent again, as the real service does.
      effectLog.answered(command, 0)
      return null
    }
  }
}

function newId(): string {
  return randomBytes(12).toString('base64url')
}
