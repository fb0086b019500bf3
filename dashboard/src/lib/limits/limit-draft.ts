// The limits of an API key or an app while they are edited: texts of fields, their request body,
// and the field of each refusal.
import { limitTexts } from '../../messages/account/limit-texts.ts'
import { amountOfCents, centsOf } from '../money/amounts.ts'

type Currency = 'USD' | 'EUR'
export type Outside = 'refuse' | 'ask'
export type SpendWindow = 'day' | 'month' | 'total'
type Amount = { amount: string; currency: Currency }
export type SpendLimit = Amount & {
  window: SpendWindow
  spent: string
  left: string
  until: string | null
}
/** The limit on DNS records. A list that is null allows all hosts, or all types. */
export type DnsLimit = { hosts: string[] | null; types: string[] | null }
/**
 * The limits as a key or an app has them. They are declared here because the tests have no types of
 * the SDK.
 */
export type Limits = {
  spend_limit: SpendLimit | null
  max_price: Amount | null
  approval_above: Amount | null
  outside_allowed: Outside
  allowed_tlds: string[] | null
  allowed_domains: string[] | null
  allowed_ips: string[] | null
  dns: DnsLimit | null
}

export type LimitDraft = {
  amount: string
  currency: Currency
  window: SpendWindow
  price: string
  price_currency: Currency
  /** The amount above which the key asks, in `currency`. */
  ask_above: string
  outside: Outside
  allowed_tlds: string
  allowed_domains: string
  allowed_ips: string
  dns_hosts: string
  dns_types: string
}

/** A draft without a limit, which is in `currency` once one is typed. */
export function emptyDraft(currency: Currency = 'USD'): LimitDraft {
  return {
    ...{ amount: '', currency, window: 'month', price: '', price_currency: currency },
    ...{ ask_above: '', outside: 'refuse' },
    ...{ allowed_tlds: '', allowed_domains: '', allowed_ips: '' },
    ...{ dns_hosts: '', dns_types: '' },
  }
}

export function draftOf(limits: Limits): LimitDraft {
  const { spend_limit, max_price, approval_above, outside_allowed } = limits
  const { allowed_tlds, allowed_domains, allowed_ips, dns } = limits
  const one = spend_limit ?? approval_above ?? max_price
  const currency = one?.currency ?? 'USD'
  return {
    amount: spend_limit?.amount ?? '',
    currency,
    window: spend_limit?.window ?? 'month',
    price: max_price?.amount ?? '',
    price_currency: max_price?.currency ?? currency,
    ask_above: approval_above?.amount ?? '',
    outside: outside_allowed,
    allowed_tlds: allowed_tlds?.join(', ') ?? '',
    allowed_domains: allowed_domains?.join(', ') ?? '',
    allowed_ips: allowed_ips?.join(', ') ?? '',
    dns_hosts: dns?.hosts?.join(', ') ?? '',
    dns_types: dns?.types?.join(', ') ?? '',
  }
}

/**
 * The draft in another currency, which the highest price gets, too, since purchases have to be
 * within both.
 */
export function inCurrency(draft: LimitDraft, currency: Currency): LimitDraft {
  const isOne = draft.price_currency === draft.currency || draft.price.trim() === ''
  return { ...draft, currency, ...(isOne && { price_currency: currency }) }
}

/** The items of a field that separates them by commas or spaces. */
function itemsOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter(Boolean)
}

function listOf(text: string): string[] | null {
  const items = itemsOf(text)
  return items.length > 0 ? items : null
}

/**
 * An amount such as "50" or "50,00" as the service writes it. Any other text stays, for the service
 * to refuse.
 */
function written(text: string): string {
  const cents = centsOf(text)
  return cents === null ? text.trim() : amountOfCents(cents)
}

function dnsOf({ dns_hosts, dns_types }: LimitDraft): DnsLimit | null {
  const [hosts, types] = [listOf(dns_hosts), listOf(dns_types)]
  return hosts || types ? { hosts, types } : null
}

/** The limits as a request has them; null means that there is no such limit. */
export function limitsOf(draft: LimitDraft) {
  const { amount, currency, window, price, price_currency, ask_above, outside } = draft
  const isEmpty = (text: string) => text.trim() === ''
  return {
    spend_limit: isEmpty(amount) ? null : { amount: written(amount), currency, window },
    max_price: isEmpty(price) ? null : { amount: written(price), currency: price_currency },
    approval_above: isEmpty(ask_above) ? null : { amount: written(ask_above), currency },
    outside_allowed: outside,
    allowed_tlds: listOf(draft.allowed_tlds),
    allowed_domains: listOf(draft.allowed_domains),
    allowed_ips: listOf(draft.allowed_ips),
    dns: dnsOf(draft),
  }
}
export type LimitChanges = Partial<ReturnType<typeof limitsOf>>

/**
 * The limits that the draft changes. The others are not sent, since somebody else may be changing
 * them.
 */
export function changesOf(draft: LimitDraft, old: Limits): LimitChanges {
  const before = limitsOf(draftOf(old))
  const after = limitsOf(draft)
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  const { spend_limit, max_price, approval_above, outside_allowed } = after
  const { allowed_tlds, allowed_domains, allowed_ips, dns } = after
  return {
    ...(!isSame(spend_limit, before.spend_limit) && { spend_limit }),
    ...(!isSame(max_price, before.max_price) && { max_price }),
    ...(!isSame(approval_above, before.approval_above) && { approval_above }),
    ...(!isSame(outside_allowed, before.outside_allowed) && { outside_allowed }),
    ...(!isSame(allowed_tlds, before.allowed_tlds) && { allowed_tlds }),
    ...(!isSame(allowed_domains, before.allowed_domains) && { allowed_domains }),
    ...(!isSame(allowed_ips, before.allowed_ips) && { allowed_ips }),
    ...(!isSame(dns, before.dns) && { dns }),
  }
}

type Problems = Readonly<Record<string, string>>
type Shown = Exclude<keyof Limits, 'dns'> | 'dns_hosts' | 'dns_types' | 'expires_at'
export type LimitProblems = { [K in Shown]: string | undefined }
/** The name of each list in the draft, and its name in a refusal. */
const lists = {
  ...{ allowed_tlds: 'allowed_tlds', allowed_domains: 'allowed_domains' },
  ...{ allowed_ips: 'allowed_ips', dns_hosts: 'dns.hosts', dns_types: 'dns.types' },
} as const

/**
 * The messages of a 422 by field; the message of an item in a list names the item. A field that was
 * edited after it was sent has none.
 */
export function problemsOfLimits(
  problems: Problems,
  { sent, draft }: { sent: LimitDraft; draft: LimitDraft },
): LimitProblems {
  type Amounts = 'spend_limit' | 'max_price' | 'approval_above'
  const ofAmount = (field: Amounts, amount: 'amount' | 'price' | 'ask_above') =>
    sent[amount] === draft[amount] ? (problems[`${field}.amount`] ?? problems[field]) : undefined
  const ofList = (field: keyof typeof lists) => {
    if (sent[field] !== draft[field]) return undefined
    const name = lists[field]
    const at = itemsOf(draft[field]).findIndex((_, index) => `${name}.${index}` in problems)
    const item = itemsOf(draft[field])[at]
    const problem = problems[`${name}.${at}`]
    return item && problem ? limitTexts.form.item(item, problem) : problems[name]
  }
  return {
    spend_limit: ofAmount('spend_limit', 'amount'),
    max_price: ofAmount('max_price', 'price'),
    approval_above: ofAmount('approval_above', 'ask_above'),
    outside_allowed: problems.outside_allowed,
    allowed_tlds: ofList('allowed_tlds'),
    allowed_domains: ofList('allowed_domains'),
    allowed_ips: ofList('allowed_ips'),
    dns_hosts: ofList('dns_hosts'),
    dns_types: ofList('dns_types'),
    expires_at: problems.expires_at,
  }
}

export function isAnyShown(problems: LimitProblems): boolean {
  return Object.values(problems).some((problem) => problem !== undefined)
}
