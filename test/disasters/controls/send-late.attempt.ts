// Sending without the check that no attempt is sent after its lease.
import type { App } from '../../../src/app.ts'
import { sendAttempt as send } from '../../../src/capabilities/domains/orders/attempt.ts'
import type { Sending } from '../../../src/capabilities/domains/orders/handlers/order-handler.ts'

export * from '../../../src/capabilities/domains/orders/attempt.ts'

export function sendAttempt<T>(
  app: App,
  sending: Sending,
  how: Parameters<typeof send<T>>[2],
): ReturnType<typeof send<T>> {
  const order = { ...sending.order, send_by_ms: Number.POSITIVE_INFINITY }
  return send(app, { ...sending, order }, how)
}
