// Deliveries to webhooks of customers that were given up, each with a button that sends it again.
import type { FailedWebhookDelivery } from 'sdk'
import { listFailedWebhookDeliveries, redeliverFailedWebhook } from 'sdk-of-operators'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CustomerLink } from '../../components/operator/customer-link.tsx'
import type { Asked } from '../../components/operator/decision-dialog.tsx'
import { WorkCard, WorkList } from '../../components/operator/work-list.tsx'
import { answerOf } from '../../lib/api.ts'
import { formatMoment } from '../../lib/format.ts'
import { deliveryTexts as texts } from '../../messages/operator/delivery-texts.ts'

export default function WebhookDeliveriesPage() {
  return (
    <WorkList
      {...texts}
      queryKey="failed-deliveries"
      read={async (query) => {
        const { deliveries, next_cursor } = await answerOf(listFailedWebhookDeliveries({ query }))
        return { items: deliveries, next_cursor }
      }}
      keyOf={({ id }) => id}
    >
      {(delivery, onAsk) => <DeliveryCard delivery={delivery} onAsk={onAsk} />}
    </WorkList>
  )
}

type Props = { delivery: FailedWebhookDelivery; onAsk: (asked: Asked) => void }

function DeliveryCard({ delivery, onAsk }: Props) {
  const { event_type, host, disabled_because: because, last_attempt_at, last_status } = delivery
  return (
    <WorkCard
      title={event_type}
      badges={
        <>
          {host && <Badge>{host}</Badge>}
          {because && <Badge tone="warn">{texts.disabled[because]}</Badge>}
        </>
      }
      problem={delivery.last_error}
      actions={
        because === null && (
          <Button size="sm" look="primary" onClick={() => onAsk(redeliveryOf(delivery))}>
            {texts.redeliver}
          </Button>
        )
      }
      facts={[
        [
          texts.customer,
          <CustomerLink key="customer" id={delivery.customer_id} name={delivery.customer_name} />,
        ],
        [texts.attempts, String(delivery.attempts)],
        [texts.status, last_status === null ? texts.noResponse : texts.http(last_status)],
        [texts.last, last_attempt_at === null ? texts.never : formatMoment(last_attempt_at)],
        [texts.created, formatMoment(delivery.created_at)],
        [texts.event, delivery.event_id],
        [texts.webhook, delivery.webhook_id],
      ]}
    />
  )
}

function redeliveryOf({ id, event_type, host, webhook_id }: FailedWebhookDelivery): Asked {
  return {
    title: texts.redeliverOf(event_type, host ?? webhook_id),
    text: texts.redeliverText,
    action: texts.redeliver,
    done: texts.redeliverDone,
    force: null,
    reason: null,
    run: () => answerOf(redeliverFailedWebhook({ path: { delivery_id: id } })),
  }
}
