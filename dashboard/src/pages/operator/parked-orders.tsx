// Parked orders: the order, the registry's present state, and the operator's decision.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ParkedOrder } from 'sdk'
import { listParkedOrders, releaseParkedOrder, settleParkedOrder } from 'sdk-of-operators'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Checkbox } from '../../components/forms/checkbox.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { type Asked, DecisionDialog } from '../../components/operator/decision-dialog.tsx'
import { Facts } from '../../components/operator/facts.tsx'
import { RefreshButton } from '../../components/operator/refresh-button.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Money } from '../../components/payment/money.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { answerOf } from '../../lib/api.ts'
import { formatAgo, formatMoment } from '../../lib/format.ts'
import { parkedOrderTexts as texts } from '../../messages/operator/parked-order-texts.ts'

const ordersKey = ['parked-orders'] as const
const firstPage: { cursor?: string } = {}

export default function ParkedOrdersPage() {
  const [withAlarms, setWithAlarms] = useState(false)
  const [asked, setAsked] = useState<Asked | null>(null)
  const orders = useInfiniteQuery({
    queryKey: [...ordersKey, withAlarms],
    queryFn: ({ pageParam }) =>
      answerOf(
        listParkedOrders({ query: { ...pageParam, look: true, alarm: withAlarms, limit: 20 } }),
      ),
    initialPageParam: firstPage,
    getNextPageParam: ({ next_cursor }) => (next_cursor === null ? null : { cursor: next_cursor }),
  })
  const list = orders.data?.pages.flatMap((page) => page.orders)
  return (
    <>
      <PageHeader
        title={texts.title}
        subtitle={texts.subtitle}
        actions={<RefreshButton query={orders} />}
      />
      <div className="mb-4 flex items-center gap-2 text-sm">
        <Checkbox label={texts.withAlarms} checked={withAlarms} onChange={setWithAlarms} />
        <span aria-hidden="true">{texts.withAlarms}</span>
      </div>
      {orders.isPending && <Skeleton lines={6} />}
      {orders.isError && <ErrorNotice error={orders.error} onRetry={() => void orders.refetch()} />}
      {list?.length === 0 && <EmptyState icon="check" {...texts.empty} />}
      <ul className="flex flex-col gap-4">
        {list?.map((order) => (
          <li key={order.id}>
            <OrderCard order={order} onAsk={setAsked} />
          </li>
        ))}
      </ul>
      {orders.hasNextPage && (
        <Button
          className="mt-4"
          busy={orders.isFetchingNextPage}
          onClick={() => void orders.fetchNextPage()}
        >
          {texts.more}
        </Button>
      )}
      {asked && <DecisionDialog asked={asked} stale={[ordersKey]} onClose={() => setAsked(null)} />}
    </>
  )
}

type CardProps = { order: ParkedOrder; onAsk: (asked: Asked) => void }

function OrderCard({ order, onAsk }: CardProps) {
  const { id, domain, type, currency, amount, registry, customer_id } = order
  return (
    <Card>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 p-5">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-semibold break-all">{domain}</span>
            <Badge>{typeWords.get(type) ?? type}</Badge>
            <Badge tone={order.state === 'parked' ? 'warn' : 'neutral'}>{order.state}</Badge>
          </p>
          {order.alarm && <p className="mt-1 text-sm text-bad">{order.alarm}</p>}
        </div>
        <div className="flex gap-2">
          <Button size="sm" look="primary" onClick={() => onAsk(settlementOf(order))}>
            {texts.settle}
          </Button>
          <Button size="sm" onClick={() => onAsk(releaseOf(order))}>
            {texts.release}
          </Button>
        </div>
      </div>
      <Facts
        facts={[
          [texts.held, <Money key="held" amount={amount} currency={currency} />],
          [texts.registry, registry],
          [texts.ordered, `${formatMoment(order.created_at)} (${formatAgo(order.created_at)})`],
          [texts.attempts, String(order.attempts)],
          [texts.customer, customer_id],
          [texts.order, id],
        ]}
      />
      <RegistryShows order={order} />
    </Card>
  )
}

const typeWords = new Map<string, string>(Object.entries(texts.types))
const tones: Record<string, Tone> = { ours: 'good', theirs: 'bad', absent: 'neutral' }

function RegistryShows({ order: { registry_shows: shown } }: { order: ParkedOrder }) {
  if (shown === null) return null
  return (
    <div className="border-t border-line px-5 py-3 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <span className="text-muted">{texts.shows}</span>
        <Badge tone={tones[shown.state] ?? 'warn'}>{texts.states[shown.state]}</Badge>
        {shown.as_bought && <Badge tone="good">{texts.asBought}</Badge>}
        {shown.billed && <Badge tone="warn">{texts.billed}</Badge>}
      </p>
      {shown.detail && <p className="mt-1">{shown.detail}</p>}
      {shown.expires_at && (
        <p className="mt-1 text-muted">{texts.expires(formatMoment(shown.expires_at))}</p>
      )}
    </div>
  )
}

function settlementOf({ id, domain }: ParkedOrder): Asked {
  return {
    title: texts.settleOf(domain),
    text: texts.settleText,
    action: texts.settle,
    done: texts.settled(domain),
    force: texts.forceSettle,
    reason: null,
    run: ({ force }) => answerOf(settleParkedOrder({ path: { id }, body: { force } })),
  }
}

function releaseOf({ id, domain }: ParkedOrder): Asked {
  return {
    title: texts.releaseOf(domain),
    text: texts.releaseText,
    action: texts.release,
    done: texts.released(domain),
    force: texts.forceRelease,
    reason: { label: texts.reason, hint: texts.reasonHint, name: 'reason' },
    run: ({ force, reason }) =>
      answerOf(releaseParkedOrder({ path: { id }, body: { force, reason } })),
  }
}
