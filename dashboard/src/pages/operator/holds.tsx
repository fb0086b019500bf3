// Open holds: the money of every order that has not ended.
import { listHolds } from 'sdk-of-operators'
import { Badge } from '../../components/badge.tsx'
import { WorkCard, WorkList } from '../../components/operator/work-list.tsx'
import { Money } from '../../components/payment/money.tsx'
import { answerOf } from '../../lib/api.ts'
import { formatAgo, formatMoment } from '../../lib/format.ts'
import { holdTexts as texts } from '../../messages/operator/work-texts.ts'

export default function HoldsPage() {
  return (
    <WorkList
      {...texts}
      queryKey="holds"
      read={async (query) => {
        const { holds, next_cursor } = await answerOf(listHolds({ query }))
        return { items: holds, next_cursor }
      }}
      keyOf={({ order_id }) => order_id}
    >
      {(hold) => (
        <WorkCard
          title={hold.domain}
          badges={<Badge tone={hold.state === 'parked' ? 'warn' : 'neutral'}>{hold.state}</Badge>}
          problem={hold.alarm}
          facts={[
            [texts.held, <Money key="held" amount={hold.amount} currency={hold.currency} />],
            [texts.since, `${formatMoment(hold.created_at)} (${formatAgo(hold.created_at)})`],
            [texts.attempts, String(hold.attempts)],
            [texts.registry, hold.registry],
            [texts.customer, hold.customer_id],
            [texts.order, hold.order_id],
          ]}
        />
      )}
    </WorkList>
  )
}
