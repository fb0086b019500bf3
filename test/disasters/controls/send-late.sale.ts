// Sending without "no attempt begins to send after its lease".
import type { App } from '../../../src/app.ts'
import {
  type Sending,
  sendAttempt as send,
} from '../../../src/capabilities/domains/orders/handlers/order-handler.ts'

export * from '../../../src/capabilities/domains/orders/handlers/order-handler.ts'

export function sendAttempt<T>(
  app: App,
  sending: Sending,
  how: Parameters<typeof send<T>>[2],
): ReturnType<typeof send<T>> {
  const order = { ...sending.order, send_by_ms: Number.POSITIVE_INFINITY }
  return send(app, { ...sending, order }, how)
}
