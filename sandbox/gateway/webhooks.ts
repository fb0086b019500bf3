// Webhooks of the simulated BTCPay Server, signed over the raw body (`BTCPay-Sig`).
import { createHmac } from 'node:crypto'
import type { EffectLog } from '../support/effect-log.ts'
import { WebhookSender } from '../support/webhook-sender.ts'
import type { Faults } from './gateway-faults.ts'
import type { Store, StoreEvent } from './store.ts'

type Parts = {
  store: () => Store
  faults: Faults
  effectLog: EffectLog
  redelivery_ms: readonly number[]
}

export function openWebhooks({ store, faults, ...parts }: Parts): WebhookSender<StoreEvent> {
  return new WebhookSender({
    ...parts,
    faultOf: (type) => faults.ofEvent(type),
    endpoints: ({ type }) =>
      [...store().rows.tables.webhook.values()].filter(
        ({ events }) => events === null || events.includes(type),
      ),
    request({ id, original_id, endpoint_id, event }, secret) {
      const body = JSON.stringify({
        deliveryId: id,
        webhookId: endpoint_id,
        originalDeliveryId: original_id,
        isRedelivery: id !== original_id,
        type: event.type,
        timestamp: Math.floor(store().now / 1_000),
        storeId: store().id,
        invoiceId: event.invoice.id,
        metadata: event.invoice.metadata,
        ...event.facts,
      })
      const mac = createHmac('sha256', secret).update(body).digest('hex')
      return { headers: { 'btcpay-sig': `sha256=${mac}` }, body }
    },
  })
}
