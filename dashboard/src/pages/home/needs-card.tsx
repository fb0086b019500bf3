// Card of "needs you now": a sentence, its reason and the next step for each.
import { useState } from 'react'
import { Link } from 'wouter'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Icon } from '../../components/icon.tsx'
import { formatDay, formatDistance, formatMoney } from '../../lib/format.ts'
import { balancePath, domainPath } from '../../lib/routes.ts'
import { homeTexts } from '../../messages/home.ts'
import type { Need } from './needs.ts'

const texts = homeTexts.needs
const shown_first = 5

const tones: Record<Need['kind'], Tone> = {
  transfer: 'bad',
  expired: 'bad',
  funds: 'warn',
  expiry: 'warn',
  order: 'accent',
}

export function NeedsCard({ needs }: { needs: readonly Need[] }) {
  const [isAll, setAll] = useState(false)
  const shown = isAll ? needs : needs.slice(0, shown_first)
  const hidden = needs.length - shown.length
  return (
    <Card title={texts.title}>
      {needs.length === 0 ? (
        <div className="flex items-center gap-3 px-5 py-4">
          <span className="rounded-full bg-good-soft p-2 text-good">
            <Icon name="check" />
          </span>
          <div>
            <p className="font-medium">{texts.none}</p>
            <p className="text-muted">{texts.noneText}</p>
          </div>
        </div>
      ) : (
        <ul className="divide-y divide-line">
          {shown.map((need) => (
            <NeedRow key={need.kind === 'funds' ? need.currency : need.domain} need={need} />
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <div className="border-t border-line px-5 py-3">
          <Button size="sm" onClick={() => setAll(true)}>
            {texts.more(hidden)}
          </Button>
        </div>
      )}
    </Card>
  )
}

function NeedRow({ need }: { need: Need }) {
  const { title, text, action } = wordsOf(need)
  const href = need.kind === 'funds' ? balancePath(need.currency) : domainPath(need.domain)
  return (
    <li className="flex items-center gap-x-4 gap-y-2 px-5 py-3 max-sm:flex-wrap">
      <div className="w-24 shrink-0 max-sm:w-full">
        <Badge tone={tones[need.kind]}>{texts.kinds[need.kind]}</Badge>
      </div>
      <div className="min-w-0 grow max-sm:w-full">
        <p className="font-medium break-words">{title}</p>
        <p className="text-muted">{text}</p>
      </div>
      <Link
        href={href}
        className={buttonClass('secondary', 'sm')}
        aria-label={`${action}: ${title}`}
      >
        {action}
      </Link>
    </li>
  )
}

type Words = { title: string; text: string; action: string }

function wordsOf(need: Need): Words {
  switch (need.kind) {
    case 'transfer':
      return {
        title: texts.transfer(need.name, need.registrar),
        text: texts.transferText(formatDay(need.acts_at)),
        action: texts.answer,
      }
    case 'expired':
      return {
        title: need.isRedemption ? texts.redemption(need.name) : texts.expired(need.name),
        text: need.isRedemption ? texts.redemptionText : texts.expiredText,
        action: texts.renew,
      }
    case 'funds':
      return {
        title: texts.funds(formatMoney(need.shortfall, need.currency)),
        text: texts.fundsText(
          formatMoney(need.due, need.currency),
          need.count,
          formatMoney(need.available, need.currency),
        ),
        action: texts.addFunds,
      }
    case 'expiry':
      return {
        title: texts.expires(need.name, formatDistance(need.expires_at)),
        text: texts.expiresText,
        action: texts.renew,
      }
    case 'order':
      return {
        title: texts.order(need.type, need.name),
        text: need.isUnknown ? texts.orderUnknown : texts.orderText,
        action: texts.look,
      }
  }
}
