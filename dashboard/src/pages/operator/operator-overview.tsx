// Overview: the work that waits for an operator, and the health of the service.
import { useQuery } from '@tanstack/react-query'
import type { HealthResponse, OperatorOverview } from 'sdk'
import { getHealth, getOperatorOverview } from 'sdk-of-operators'
import { Link } from 'wouter'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Card } from '../../components/card.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { RefreshButton } from '../../components/operator/refresh-button.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Money } from '../../components/payment/money.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { answerOf } from '../../lib/api.ts'
import { customerPath, operatorRoutes as routes } from '../../lib/operator/operator-routes.ts'
import { overviewTexts as texts } from '../../messages/operator/work-texts.ts'

const places = [
  ['parked_orders', routes.orders],
  ['alarmed_orders', routes.orders],
  ['waiting_threads', routes.support],
  ['parked_payments', routes.payments],
  ['parked_card_checkouts', `${routes.payments}?kind=checkouts`],
  ['parked_card_reversals', `${routes.payments}?kind=reversals`],
  ['failed_mails', routes.mails],
  ['dead_tasks', routes.tasks],
  ['failed_webhook_deliveries', routes.deliveries],
  ['open_holds', routes.holds],
] as const

export default function OverviewPage() {
  const query = useQuery({
    queryKey: ['overview'],
    queryFn: async () => {
      const [work, health] = await Promise.all([
        answerOf(getOperatorOverview()),
        answerOf(getHealth()),
      ])
      return { work, health }
    },
  })
  return (
    <>
      <PageHeader
        title={texts.title}
        subtitle={texts.subtitle}
        actions={<RefreshButton query={query} />}
      />
      {query.isPending && <Skeleton lines={8} />}
      {query.isError && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && (
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <Work work={query.data.work} />
          <Health health={query.data.health} />
        </div>
      )}
    </>
  )
}

function Work({ work }: { work: OperatorOverview }) {
  return (
    <div className="flex flex-col gap-6">
      <Card title={texts.work}>
        <ul className="divide-y divide-line">
          {places.map(([name, path]) => (
            <li key={name}>
              <Link
                href={path}
                className="flex items-center justify-between gap-4 px-5 py-3 hover:bg-sunken"
              >
                {texts[name]}
                <Badge tone={work[name] === 0 ? 'good' : toneOf(name)}>{work[name]}</Badge>
              </Link>
            </li>
          ))}
        </ul>
      </Card>
      {work.closed_with_money.length > 0 && (
        <Card title={texts.closedWithMoney}>
          <ul className="divide-y divide-line">
            {work.closed_with_money.map(({ customer_id, currency, available }) => (
              <li key={`${customer_id} ${currency}`}>
                <Link
                  href={customerPath(customer_id)}
                  className="flex items-center justify-between gap-4 px-5 py-3 hover:bg-sunken"
                >
                  <span className="break-all">{customer_id}</span>
                  <Money amount={available} currency={currency} />
                </Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </div>
  )
}

/** Holds are usual, and a customer repairs an endpoint; everything else needs an operator. */
function toneOf(name: (typeof places)[number][0]): Tone {
  return ['open_holds', 'failed_webhook_deliveries'].includes(name) ? 'neutral' : 'warn'
}

type Part = { name: string; state: 'up' | 'down' | 'idle'; detail: string | null }

function partsOf(health: HealthResponse): Part[] {
  const { database, worker, mail, clock, audit, registries, gateway, processor } = health
  return [
    { ...database, name: texts.database, detail: texts.databaseDetail(database.latency_ms) },
    { ...worker, name: texts.worker },
    { ...mail, name: texts.mail, detail: mail.detail ?? texts.mailDetail(mail.waiting) },
    { ...clock, name: texts.clock, detail: texts.clockDetail(clock.skew_ms) },
    { ...audit, name: texts.audit },
    ...registries.map(({ name, state, sessions, queued, last_error }) => ({
      name: texts.registry(name),
      state,
      detail: last_error ?? texts.sessions(sessions, queued),
    })),
    ...(gateway ? [peerOf(texts.gateway, gateway)] : []),
    ...(processor ? [peerOf(texts.processor, processor)] : []),
  ]
}

const peerNames: Readonly<Record<string, string>> = texts.peers

function peerOf(title: (name: string) => string, peer: Part & { simulated: boolean }): Part {
  const { state, detail, simulated } = peer
  const name = peerNames[peer.name] ?? peer.name
  return {
    name: title(simulated ? texts.simulated(name) : name),
    state,
    detail: detail ?? (state === 'idle' ? texts.notUsed : null),
  }
}

const tones = { up: 'good', down: 'bad', idle: 'neutral' } as const

function Health({ health }: { health: HealthResponse }) {
  return (
    <Card title={texts.health}>
      <ul className="divide-y divide-line">
        {partsOf(health).map(({ name, state, detail }) => (
          <li key={name} className="flex items-center justify-between gap-4 px-5 py-3">
            <span className="min-w-0">
              {name}
              {detail && <span className="block text-sm break-words text-muted">{detail}</span>}
            </span>
            <Badge tone={tones[state]}>{texts.states[state]}</Badge>
          </li>
        ))}
      </ul>
    </Card>
  )
}
