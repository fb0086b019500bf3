// Emails around the end of a term: expiry notices (ICANN's ERRP: about a month and about a week
// before, and within five days after) and failed automatic renewals. Pure.

import { addDays, dayOf } from '../../../kit/clock.ts'
import { button, type EmailMessage, type MailPart, paragraph, words } from '../../mail/index.ts'
import { domainPage } from '../emails.ts'
import type { Holding } from '../holdings/domain-presenter.ts'
import type { Missing } from './missing-money.ts'
import type { KeepingPrices } from './renewal-prices.ts'

export const noticeKinds = [
  'expires_in_30_days',
  'expires_in_14_days',
  'expires_in_7_days',
  'expires_in_1_day',
  'expired',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** How long before the expiry an automatic renewal is tried first. */
const auto_renew_days = 14
/** How long a deleted name can usually be restored (RFC 3915). */
export const redemption_days = 30

export type ExpiringTerm = {
  id: bigint
  name: string
  expiry: Date
  auto_renew: boolean
  currency: string
}
type Roots = { base_url: string; dashboard_url: string }
export type NoticeFacts = Roots & {
  prices: KeepingPrices
  delete_days: number
  /** Null if the balance covers the next year, or if its price is not known. */
  missing: Missing | null
}

export function expiryNoticeEmail(
  kind: NoticeKind,
  term: ExpiringTerm,
  terms: NoticeFacts,
): EmailMessage {
  const { id, name, expiry } = term
  return {
    kind: 'expiry_notice',
    dedupe_key: `expiry_notice:${id}:${kind}:${expiry.toISOString()}`,
    subject:
      kind === 'expired'
        ? words`${name} expired on ${dayOf(expiry)}`
        : words`${name} expires on ${dayOf(expiry)}`,
    happened: [happened(kind, term), price(term, terms), ...lacking(terms)],
    todo: term.auto_renew
      ? [...automatic(kind, term), after(term, terms)]
      : [...byHand(term, terms), after(term, terms), byApi(term, terms)],
  }
}

function happened(kind: NoticeKind, { name, expiry }: ExpiringTerm): MailPart {
  return kind === 'expired'
    ? words`The domain ${name} was paid until ${dayOf(expiry)} (UTC). It can still be renewed.`
    : words`The domain ${name} is paid until ${dayOf(expiry)} (UTC).`
}

function price({ name }: ExpiringTerm, { prices, base_url }: NoticeFacts): MailPart {
  return prices.renewal === null
    ? words`For the price: POST ${base_url}/v1/domains/${name}/renew with "dry_run": true.`
    : words`One more year costs ${prices.renewal} today.`
}

function lacking({ missing }: NoticeFacts): MailPart[] {
  if (missing === null) return []
  return [
    paragraph(
      words`Your balance does not cover it: ${missing.missing} is missing.`,
      words`You have ${missing.available}; this renewal, the automatic ones that come before it,`,
      words`and any debt take ${missing.due} in all.`,
    ),
  ]
}

function byHand({ name }: ExpiringTerm, { dashboard_url }: NoticeFacts): MailPart[] {
  return [
    paragraph(
      words`Automatic renewal is off for it. To keep it, renew it, or turn automatic renewal on:`,
      words`then we renew it from your balance each year.`,
    ),
    button(words`Open ${name}`, domainPage(dashboard_url, name)),
    words`If you no longer want it, you do not need to do anything.`,
  ]
}

function byApi({ name, expiry }: ExpiringTerm, { base_url }: NoticeFacts): MailPart {
  const body = `{"period_years": 1, "expected_expiry": "${expiry.toISOString()}"}`
  return paragraph(
    words`By the API: your agent renews it with the tool renew_domain,`,
    words`or POST ${base_url}/v1/domains/${name}/renew with ${body}.`,
    words`Automatic renewal: PATCH ${base_url}/v1/domains/${name} with {"auto_renew": true}`,
  )
}

function automatic(kind: NoticeKind, { expiry, currency }: ExpiringTerm): MailPart[] {
  if (kind === 'expired')
    return [
      paragraph(
        words`Automatic renewal is on, but has not succeeded so far.`,
        words`It is retried every day: make sure that your ${currency} balance covers it.`,
      ),
    ]
  const from = dayOf(addDays(expiry, -auto_renew_days))
  return [
    paragraph(
      words`Automatic renewal is on: it will be renewed for one year`,
      words`from your ${currency} balance, from ${from} on.`,
      words`Make sure that the balance covers it. You do not need to do anything else.`,
    ),
  ]
}

function after({ expiry }: ExpiringTerm, { prices, delete_days }: NoticeFacts): MailPart {
  const deleted = addDays(expiry, delete_days)
  const until = addDays(deleted, redemption_days)
  const restore = prices.restore === null ? 'at a higher price' : `for ${prices.restore}`
  return paragraph(
    words`If it is not renewed, it may stop working after its expiry.`,
    words`It can be renewed until ${dayOf(deleted)}, when it is deleted.`,
    words`After that it can be restored ${restore} until about ${dayOf(until)};`,
    words`then anyone can register it.`,
  )
}

type RenewalFacts = Roots & { today: Date }
type Named = Pick<Holding, 'id' | 'name' | 'expiry'>

/** Reports that the balance does not cover a renewal, at most once a day. */
export function renewalUnfundedEmail(
  { id, name, expiry }: Named,
  facts: RenewalFacts & { short: { price: string; shortfall: string } },
): EmailMessage {
  const { short, today, base_url, dashboard_url } = facts
  return {
    kind: 'auto_renew_unpaid',
    dedupe_key: `auto_renew_unpaid:${id}:${dayOf(today)}`,
    subject: words`${name} could not be renewed: ${short.shortfall} missing`,
    happened: [
      paragraph(
        words`${name} is set to renew automatically; it is paid until ${dayOf(expiry)}.`,
        words`One more year costs ${short.price}, and your balance is ${short.shortfall} short.`,
      ),
    ],
    todo: [
      words`Top up your balance: the renewal is retried every day.`,
      button(words`Open ${name}`, domainPage(dashboard_url, name)),
      words`Or renew it by the API: POST ${base_url}/v1/domains/${name}/renew`,
    ],
  }
}

/** Reports that a renewal was refused for another reason, at most once a day. */
export function renewalRefusedEmail(
  { id, name, expiry }: Named,
  { reason, today, base_url, dashboard_url }: RenewalFacts & { reason: string },
): EmailMessage {
  return {
    kind: 'auto_renew_failed',
    dedupe_key: `auto_renew_failed:${id}:${dayOf(today)}`,
    subject: words`${name} could not be renewed`,
    happened: [
      words`${name} is set to renew automatically; it is paid until ${dayOf(expiry)}.`,
      words`Its renewal was refused: ${reason}`,
      words`Nothing was charged.`,
    ],
    todo: [
      words`The renewal is retried every day, or you renew it yourself.`,
      button(words`Open ${name}`, domainPage(dashboard_url, name)),
      words`By the API: POST ${base_url}/v1/domains/${name}/renew`,
    ],
  }
}
