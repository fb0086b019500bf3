// The latest deliveries of a webhook, each with its state, response or error, and time, and a
// button that sends it again.
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { WebhookDelivery } from 'sdk'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { formatMoment } from '../../lib/format.ts'
import { webhookTexts } from '../../messages/webhook-texts.ts'

const texts = webhookTexts.deliveries
const tones: Record<WebhookDelivery['state'], Tone> = {
  pending: 'warn',
  delivered: 'good',
  failed: 'bad',
}

type Pages = { pages: readonly { deliveries: readonly WebhookDelivery[] }[] }
/** Sends a delivery again, or null if the webhook is disabled, so that nothing can be sent. */
type OnRedeliver = ((delivery: WebhookDelivery) => void) | null
type Props = { host: string; read: UseInfiniteQueryResult<Pages>; onRedeliver: OnRedeliver }

export function Deliveries({ host, read, onRedeliver }: Props) {
  const list = read.data?.pages.flatMap(({ deliveries }) => deliveries)
  return (
    <details className="group -mb-1">
      <summary
        aria-label={texts.of(host)}
        className="flex w-fit cursor-pointer list-none items-center gap-2 text-sm font-medium text-muted hover:text-ink"
      >
        <Icon
          name="chevron"
          className="size-3.5 -rotate-90 transition-transform group-open:rotate-0"
        />
        {texts.title}
      </summary>
      <div className="mt-2 flex flex-col items-start gap-3">
        {read.isPending && <Skeleton lines={3} />}
        {read.isError && <ErrorNotice error={read.error} onRetry={() => void read.refetch()} />}
        {list?.length === 0 && <p className="text-sm text-muted">{texts.none}</p>}
        {list && list.length > 0 && (
          <ul className="w-full divide-y divide-line rounded-lg border border-line">
            {list.map((delivery) => (
              <Delivery key={delivery.id} delivery={delivery} onRedeliver={onRedeliver} />
            ))}
          </ul>
        )}
        {read.hasNextPage && (
          <Button
            size="sm"
            busy={read.isFetchingNextPage}
            onClick={() => void read.fetchNextPage()}
          >
            {texts.more}
          </Button>
        )}
      </div>
    </details>
  )
}

type DeliveryProps = { delivery: WebhookDelivery; onRedeliver: OnRedeliver }

function Delivery({ delivery, onRedeliver }: DeliveryProps) {
  const { event_type, state, last_error, next_attempt_at, attempts } = delivery
  const isRetried = state === 'pending' && attempts > 0 && next_attempt_at !== null
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 grow basis-64">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <code className="font-mono text-sm break-all">{event_type}</code>
          <Badge tone={tones[state]}>{texts.states[state]}</Badge>
        </p>
        <p className="mt-1 text-sm text-muted">{factsOf(delivery).join(' · ')}</p>
        {last_error !== null && <p className="text-sm break-words text-bad">{last_error}</p>}
        {isRetried && (
          <p className="text-sm text-muted">{texts.next(formatMoment(next_attempt_at))}</p>
        )}
      </div>
      {onRedeliver && (
        <Button
          size="sm"
          aria-label={texts.redeliverOf(event_type)}
          onClick={() => onRedeliver(delivery)}
        >
          {texts.redeliver}
        </Button>
      )}
    </li>
  )
}

function factsOf(delivery: WebhookDelivery): string[] {
  const { last_attempt_at, created_at, last_status, duration_ms, attempts } = delivery
  return [
    formatMoment(last_attempt_at ?? created_at),
    ...(last_status === null ? [] : [`HTTP ${last_status}`]),
    ...(duration_ms === null ? [] : [texts.took(duration_ms)]),
    ...(attempts === 0 ? [] : [texts.attempts(attempts)]),
  ]
}
