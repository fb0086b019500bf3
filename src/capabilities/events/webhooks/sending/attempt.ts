// One attempt of a delivery, and its effect on the delivery and on its endpoint.

import { clientNetwork } from '../../../../adapters/outbound/client-url.ts'
import {
  guardedPost,
  PostFailed,
  retryAfterMs,
} from '../../../../adapters/outbound/guarded-post.ts'
import type { App } from '../../../../app.ts'
import type { Row } from '../../../../db/statement.ts'
import { wordOf } from '../../../../kit/schema.ts'
import { allEventTypes } from '../../event-types.ts'
import { shownEvent } from '../../operations/event.ts'
import { mayMakerSee } from '../webhook-maker.ts'
import {
  deliveryToSend,
  endUndeliverable,
  noteFailure,
  noteSuccess,
  recordAttempt,
  type SendingWebhook,
} from '../webhooks.sql.ts'
import { disable } from './disable.ts'
import { signatureHeaders } from './signature.ts'

const limit_ms = 15_000
/** The pause after each failure; the last attempt is more than a day after the first. */
const waits_ms = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000]
const longest_retry_after_s = 86_400
const failing_ms = 3 * 86_400_000

type Delivery = Row<'webhook_deliveries_to_send'>
type Outcome = {
  status: number | null
  /** Null if it was delivered. */
  error: string | null
  retry_after_ms: number
  duration_ms: number
}
type Attempt = { webhook: SendingWebhook; delivery_id: string; signal: AbortSignal }

/** Whether the endpoint may get its next event: false once it is disabled, or the node stops. */
export async function attemptDelivery(app: App, attempt: Attempt): Promise<boolean> {
  const { webhook, delivery_id: id, signal } = attempt
  const delivery = await app.db.maybe(deliveryToSend, { id })
  if (!delivery) {
    await app.db.count(endUndeliverable, { id, last_error: 'Its event is no longer kept.' })
    return true
  }
  const type = wordOf(allEventTypes, delivery.type)
  if (!mayMakerSee(webhook, { ...delivery, type })) {
    const last_error = 'The key or the app that made the webhook may no longer see the event.'
    await app.db.count(endUndeliverable, { id, last_error })
    return true
  }
  app.reached?.('webhook_claimed')
  const outcome = await post(app, attempt, delivery)
  // A node that stops broke it off: another one sends it.
  if (outcome.error !== null && signal.aborted) return false
  app.reached?.('webhook_sent')
  const isOn = await record(app, webhook, { delivery, outcome })
  app.reached?.('webhook_recorded')
  return isOn
}

async function post(app: App, { webhook, signal }: Attempt, delivery: Delivery): Promise<Outcome> {
  const began_ms = app.monotonic_ms()
  const took = () => Math.round(app.monotonic_ms() - began_ms)
  const secrets = secretsOf(app, webhook)
  if (secrets === undefined) {
    app.log.error(
      { webhook: webhook.id, alarm: 'webhook_unreadable' },
      'secret of a webhook cannot be decrypted',
    )
    const error = 'Its secret cannot be read: rotate it.'
    return { status: null, error, retry_after_ms: 0, duration_ms: 0 }
  }
  const { event_id, ...fields } = delivery
  const event = shownEvent({ ...fields, id: event_id })
  const body = JSON.stringify({ ...event, timestamp: event.created_at })
  try {
    const { status, retry_after } = await guardedPost(new URL(webhook.url), {
      network: clientNetwork(webhook.url, app.settings.allow_loopback_webhooks),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'agent-registrar-webhooks/1',
        ...signatureHeaders(secrets, { id: event_id, sent_at: app.clock.now(), body }),
      },
      body,
      limit_ms,
      signal,
    })
    const isDelivered = status >= 200 && status < 300
    return {
      status,
      error: isDelivered ? null : `It answered ${status}.`,
      retry_after_ms: retryAfterMs(retry_after, {
        now: app.clock.now(),
        longest_s: longest_retry_after_s,
      }),
      duration_ms: took(),
    }
  } catch (error) {
    if (!(error instanceof PostFailed)) throw error
    return { status: null, error: error.message, retry_after_ms: 0, duration_ms: took() }
  }
}

/** The newest first; those before it sign for a day as well. */
function secretsOf({ encryption, clock }: App, webhook: SendingWebhook): string[] | undefined {
  const { sealed_secret, sealed_previous_secret, previous_until, sealed_earlier } = webhook
  const secret = encryption.unseal(sealed_secret)
  if (secret === undefined) return undefined
  const isOver = previous_until === null || previous_until <= clock.now()
  const previous = sealed_previous_secret === null || isOver ? [] : [sealed_previous_secret]
  const replaced = [...previous, ...sealed_earlier]
  return [secret, ...replaced.flatMap((sealed) => encryption.unseal(sealed) ?? [])]
}

/**
 * The time of the next attempt, or null if it is given up. Chance makes the pause up to a tenth
 * shorter or longer, so that endpoints spread.
 */
function waitAfter(failures: number, retry_after_ms: number, chance: number): number | null {
  const usual_ms = waits_ms[failures - 1]
  if (usual_ms === undefined) return null
  return Math.round(Math.max(usual_ms * (0.9 + chance / 5), retry_after_ms))
}

async function record(
  app: App,
  { id }: SendingWebhook,
  { delivery, outcome }: { delivery: Delivery; outcome: Outcome },
): Promise<boolean> {
  const now = app.clock.now()
  const { status, error, retry_after_ms, duration_ms } = outcome
  const wait_ms =
    error === null ? 0 : waitAfter(delivery.attempts + 1, retry_after_ms, app.chance())
  const state = error === null ? 'delivered' : wait_ms === null ? 'failed' : 'pending'
  const next_at = new Date(now.getTime() + (wait_ms ?? 0))
  return app.db.transaction(async (sql) => {
    const facts = { last_status: status, last_error: error, duration_ms }
    await sql.count(recordAttempt, { id: delivery.id, now, state, next_at, ...facts })
    if (error === null) {
      await sql.count(noteSuccess, { id })
      return true
    }
    const webhook = await sql.maybe(noteFailure, { id, now })
    if (!webhook) return false
    const since = webhook.failing_since ?? now
    const isFailing = now.getTime() - since.getTime() >= failing_ms
    if (status !== 410 && !isFailing) return true
    await disable(app, sql, { id, because: status === 410 ? 'gone' : 'failing' })
    return false
  })
}
