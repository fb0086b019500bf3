// Card of things that need the owner now: for each a sentence, its reason and the next step.
import { useState } from 'react'
import { Link } from 'wouter'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Icon } from '../../components/icon.tsx'
import { formatDay, formatDistance, formatMoney } from '../../lib/format.ts'
import { balancePath, domainPath, routes } from '../../lib/routes.ts'
import { homeTexts } from '../../messages/home-texts.ts'
import type { Need } from './needs.ts'

const texts = homeTexts.needs
const shown_first = 5

type Kind = keyof typeof texts.kinds

const kinds: Record<Need['reason'], Kind> = {
  transfer_requested: 'transfer',
  redemption: 'expired',
  expired: 'expired',
  funds: 'funds',
  expires_soon: 'expiry',
  order_unknown: 'order',
  order_open: 'order',
}

const tones: Record<Kind, Tone> = {
  transfer: 'bad',
  expired: 'bad',
  funds: 'warn',
  expiry: 'warn',
  order: 'accent',
}

/** `others` is the number of domains that need attention, too, but are not among `needs`. */
export function NeedsCard({ needs, others }: { needs: readonly Need[]; others: number }) {
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
            <NeedRow key={need.reason === 'funds' ? need.currency : need.domain} need={need} />
          ))}
        </ul>
      )}
      {hidden === 0 && others > 0 && (
        <p className="border-t border-line px-5 py-3">
          <Link href={routes.domains} className="text-accent-ink hover:underline">
            {texts.others(others)}
          </Link>
        </p>
      )}
      {hidden > 0 && (
        <div className="border-t border-line px-5 py-3">
          <Button size="sm" onClick={() => setAll(true)}>
            {texts.more(hidden + others)}
          </Button>
        </div>
      )}
    </Card>
  )
}

function NeedRow({ need }: { need: Need }) {
  const { title, text, action } = wordsOf(need)
  const href = need.reason === 'funds' ? balancePath(need.currency) : domainPath(need.domain)
  return (
    <li className="flex items-center gap-x-4 gap-y-2 px-5 py-3 max-sm:flex-wrap">
      <div className="w-24 shrink-0 max-sm:w-full">
        <Badge tone={tones[kinds[need.reason]]}>{texts.kinds[kinds[need.reason]]}</Badge>
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
  if (need.reason === 'funds') return fundsWords(need)
  const { domain_unicode: name, at, requested_by, operation } = need
  switch (need.reason) {
    case 'transfer_requested':
      return {
        title: texts.transfer(name, requested_by ?? texts.anotherRegistrar),
        text: at === null ? '' : texts.transferText(formatDay(at)),
        action: texts.answer,
      }
    case 'expired':
      return { title: texts.expired(name), text: texts.expiredText, action: texts.renew }
    case 'redemption':
      return { title: texts.redemption(name), text: texts.redemptionText, action: texts.renew }
    case 'expires_soon':
      return {
        title: texts.expires(name, at === null ? '' : formatDistance(at)),
        text: texts.expiresText,
        action: texts.renew,
      }
    case 'order_unknown':
    case 'order_open':
      return {
        title: texts.order(operation ?? 'register', name),
        text: need.reason === 'order_unknown' ? texts.orderUnknown : texts.orderText,
        action: texts.look,
      }
  }
}

function fundsWords(need: Extract<Need, { reason: 'funds' }>): Words {
  const { due, count, available, shortfall, currency } = need
  return {
    title: texts.funds(formatMoney(shortfall, currency)),
    text: texts.fundsText(formatMoney(due, currency), count, formatMoney(available, currency)),
    action: texts.addFunds,
  }
}
