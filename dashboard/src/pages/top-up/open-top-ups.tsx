// Open top-ups, each with a link to its progress.
import { Link } from 'wouter'
import { Badge, type Tone } from '../../components/badge.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { formatMoment, formatMoney } from '../../lib/format.ts'
import { amountOfCents } from '../../lib/money/amounts.ts'
import { checkoutPath } from '../../lib/money/top-up-paths.ts'
import { type Checkout, useOpenTopUps } from '../../lib/money/top-up-queries.ts'
import { topUpTexts } from '../../messages/money/top-up-texts.ts'

const texts = topUpTexts.pending

export const statusTones: Record<Checkout['status'], Tone> = {
  created: 'neutral',
  awaiting_payment: 'accent',
  confirming: 'accent',
  paid: 'good',
  underpaid: 'warn',
  expired: 'neutral',
  failed: 'bad',
}

export function OpenTopUps() {
  const { data, isError, error, refetch } = useOpenTopUps()
  if (isError && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined || data.length === 0) return null
  return (
    <Card title={texts.title} className="mt-5">
      <ul className="divide-y divide-line">
        {data.map((checkout) => (
          <Row key={checkout.id} checkout={checkout} />
        ))}
      </ul>
    </Card>
  )
}

function Row({ checkout }: { checkout: Checkout }) {
  const { id, amount_cents, currency, status, asset, network, created_at } = checkout
  const amount = formatMoney(amountOfCents(amount_cents), currency)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3">
      <span className="font-medium tabular-nums">{amount}</span>
      <span className="text-muted">
        {asset !== null && network !== null ? topUpTexts.form.asset(asset, network) : texts.chosen}
      </span>
      <Badge tone={statusTones[status]}>{topUpTexts.statuses[status]}</Badge>
      <time dateTime={created_at} className="text-sm text-muted">
        {formatMoment(created_at)}
      </time>
      <Link
        href={checkoutPath(id)}
        aria-label={texts.openOf(amount)}
        className={`${buttonClass('secondary', 'sm')} ml-auto`}
      >
        {texts.open}
      </Link>
    </li>
  )
}
