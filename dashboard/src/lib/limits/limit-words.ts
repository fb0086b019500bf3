// Limits in words: the spent and the remaining budget with its window, and the other restrictions.
import { limitTexts } from '../../messages/account/limit-texts.ts'
import { formatMoney, formatTime, formatUtcDay } from '../format.ts'
import { amountOfCents, centsOf, shareOf } from '../money/amounts.ts'
import type { DnsLimit, LimitDraft, Limits, SpendLimit } from './limit-draft.ts'

const texts = limitTexts.shown
const most_shown = 5

/** A budget in words: "$12.50 of $50.00 spent, $37.50 left this month, resets on December 1". */
export function wordsOfBudget(limit: SpendLimit): string {
  const { currency, window, until } = limit
  const money = (amount: string) => formatMoney(amount, currency)
  const words = texts.spent({
    spent: money(limit.spent),
    amount: money(limit.amount),
    left: money(limit.left),
  })
  if (window === 'total' || until === null) return `${words} ${texts.resets.total()}`
  // A month begins at midnight in UTC, which is a different day in some time zones.
  const start = window === 'day' ? formatTime(until) : formatUtcDay(until)
  return `${words} ${texts.resets[window](start)}`
}

/** The spent part of a budget in percent, for a bar, which is full once nothing is left. */
export function fillOf({ spent, amount }: SpendLimit): number {
  return shareOf(spent, amount)
}

function listed(items: readonly string[]): string {
  const shown = items.slice(0, most_shown).join(', ')
  const rest = items.length - most_shown
  return rest > 0 ? `${shown} ${texts.more(rest)}` : shown
}

/** All limits but the budget in words. */
export function wordsOfRules(limits: Omit<Limits, 'spend_limit'>): string[] {
  const { max_price, approval_above, allowed_tlds, allowed_domains, allowed_ips } = limits
  const asks = limits.outside_allowed === 'ask' && (allowed_tlds ?? allowed_domains) !== null
  return [
    max_price && texts.price(formatMoney(max_price.amount, max_price.currency)),
    approval_above && texts.asks(formatMoney(approval_above.amount, approval_above.currency)),
    allowed_tlds && texts.tlds(listed(allowed_tlds.map((tld) => `.${tld}`))),
    allowed_domains && texts.domains(listed(allowed_domains)),
    asks ? texts.asksOutside : null,
    allowed_ips && texts.ips(listed(allowed_ips)),
    limits.dns && wordsOfDns(limits.dns),
  ].filter((words) => words !== null)
}

function wordsOfDns({ hosts, types }: DnsLimit): string {
  return texts.dns({ hosts: hosts && listed(hosts), types: types && listed(types) })
}

export function wordsOfLimits(limits: Limits): string[] {
  const { spend_limit, ...rules } = limits
  return [...(spend_limit ? [wordsOfBudget(spend_limit)] : []), ...wordsOfRules(rules)]
}

/** The budget of a draft, such as "$50.00 a month", or null if no amount is typed. */
export function wordsOfSpend({ amount, currency, window }: LimitDraft): string | null {
  const cents = centsOf(amount)
  if (cents === null) return null
  return `${formatMoney(amountOfCents(cents), currency)} ${limitTexts.form.windows[window]}`
}

/** The amount above which the owner is asked, such as "$20.00", or null if none is typed. */
export function wordsOfAsking({ ask_above, currency }: LimitDraft): string | null {
  const cents = centsOf(ask_above)
  return cents === null ? null : formatMoney(amountOfCents(cents), currency)
}

/** Both amounts in short, for the line above the fields; empty if neither is set. */
export function summaryOf(draft: LimitDraft): string {
  const asked = wordsOfAsking(draft)
  return [wordsOfSpend(draft), asked && limitTexts.form.asksAbove(asked)]
    .filter(Boolean)
    .join(' · ')
}
