// The senders of a node: each works on one endpoint at a time, so that one which is slow holds up
// only itself and its own events.
import type { App } from '../../../../app.ts'
import { done, type TaskEnd, workTasks } from '../../../../tasks/index.ts'
import { failPending, nextDelivery, webhookToSend } from '../webhooks.sql.ts'
import { attemptDelivery } from './attempt.ts'
import { deliverWebhook } from './deliver-task.ts'

declare module '../../../../app.ts' {
  interface App {
    webhookSenders: WebhookSenders
  }
}

const most_senders = 32
/** After so many events other endpoints have their turn. */
const longest_turn_ms = 10_000
/** A retried event holds later ones back for so long. */
const held_ms = 60_000

export class WebhookSenders {
  readonly #under_way = new Set<Promise<unknown>>()
  readonly #stopping = new AbortController()

  /** Starts a sender if an endpoint is due and fewer than the most are at work; whether it did. */
  async start(app: App): Promise<boolean> {
    if (this.#under_way.size >= most_senders || this.#stopping.signal.aborted) return false
    const { promise: claimed, resolve } = Promise.withResolvers<boolean>()
    const { signal } = this.#stopping
    const sending = workTasks(app, deliverWebhook, {
      limit: 1,
      handle: ({ key }) => {
        resolve(true)
        return deliverTo(app, key, signal)
      },
    })
      .catch((error) => app.log.error({ err: error }, 'webhook deliveries not sent'))
      .finally(() => {
        this.#under_way.delete(sending)
        resolve(false)
      })
    this.#under_way.add(sending)
    return claimed
  }

  /** Breaks off the attempts in progress, and waits for their end. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#under_way)
  }
}

/** Sends the events of one endpoint, one after the other, as long as one may be sent. */
async function deliverTo(app: App, webhook_id: string, signal: AbortSignal): Promise<TaskEnd> {
  const turn_ends = app.monotonic_ms() + longest_turn_ms
  const later = (in_ms: number): TaskEnd => {
    return { end: 'retry', reason: 'Deliveries wait', in_ms: Math.ceil(in_ms), uncounted: true }
  }
  for (;;) {
    if (signal.aborted || app.monotonic_ms() > turn_ends) return later(1)
    const webhook = await app.db.maybe(webhookToSend, { id: webhook_id, now: app.clock.now() })
    if (!webhook) return done
    if (webhook.maker_ended) {
      await app.db.count(failPending, { webhook_id, last_error: 'The webhook was disabled.' })
      return done
    }
    const now = app.clock.now()
    const next = await app.db.one(nextDelivery, { webhook_id, now, held_ms })
    if (!next.any_pending) return done
    if (next.due_id === null || next.is_held) return later(Math.max(50, next.wait_ms ?? held_ms))
    await attemptDelivery(app, { webhook, delivery_id: next.due_id, signal })
  }
}
