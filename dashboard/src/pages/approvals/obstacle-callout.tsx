// The limit that stands against an approval at this moment, with a link to change it.
import { Link } from 'wouter'
import { buttonClass } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { formatMoment, formatMoney } from '../../lib/format.ts'
import type { ApprovalObstacle, Holder } from '../../lib/limits/approval-obstacles.ts'
import { topUpPath } from '../../lib/money/top-up-paths.ts'
import { limitsPath } from '../../lib/routes.ts'
import { obstacleTexts as texts } from '../../messages/approvals/change-texts.ts'

export function ObstacleCallout({ obstacle }: { obstacle: ApprovalObstacle }) {
  const { title, text, way } = wordsOf(obstacle)
  return (
    <Callout tone="warn" title={title}>
      <p>{text}</p>
      <Link href={way.path} className={`${buttonClass('secondary', 'sm')} mt-2`}>
        {way.label}
      </Link>
    </Callout>
  )
}

function wordsOf(obstacle: ApprovalObstacle) {
  if (obstacle.kind === 'balance') {
    const { available, missing } = obstacle
    const { amount, currency } = missing
    return {
      title: texts.balance(formatMoney(available, currency)),
      text: texts.balanceText(formatMoney(amount, currency)),
      way: { label: texts.addMoney, path: topUpPath(currency, amount) },
    }
  }
  const { holder } = obstacle
  const way = { label: texts.limits, path: limitsPath(holder) }
  const name = texts.names[holder.of](holder.name)
  return { ...limitWords(obstacle, name), way }
}

function limitWords(
  obstacle: Exclude<ApprovalObstacle, { kind: 'balance' }> & { holder: Holder },
  name: string,
) {
  switch (obstacle.kind) {
    case 'spend': {
      const { left, currency, until } = obstacle.limit
      return {
        title: texts.spend(name, formatMoney(left, currency)),
        text: texts.spendText(until === null ? null : formatMoment(until)),
      }
    }
    case 'price': {
      const { amount, currency } = obstacle.most
      return { title: texts.price(name, formatMoney(amount, currency)), text: texts.change }
    }
    case 'currency':
      return { title: texts.currency(name, obstacle.currency), text: texts.change }
  }
}
