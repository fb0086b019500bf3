// Changes of selected domains: the request for one of them, and its result in words.
import { type DomainListEntry, lockDomain, renewDomain, unlockDomain, updateDomain } from 'sdk'
import { ApiError, answerOf } from '../../lib/api.ts'
import { formatDay, formatMoney } from '../../lib/format.ts'
import type { Currency } from '../../lib/money/balance-queries.ts'
import { fundsOf } from '../../lib/money/paid-request.ts'
import { messageOf } from '../../lib/words/failure-words.ts'
import { bulkTexts } from '../../messages/bulk-texts.ts'

export const bulkActionNames = [
  'renew',
  'renew_on',
  'renew_off',
  'lock',
  'unlock',
  'nameservers',
] as const
export type BulkActionName = (typeof bulkActionNames)[number]

export type DomainPrice = { amount: string; currency: Currency }
export type RenewalTerms = { period_years: number; currency: Currency }

type RenewalRequest = {
  domain: DomainListEntry
  terms: RenewalTerms
  price: DomainPrice
  /**
   * The idempotency key, which a repeat after an unknown result keeps, so that it is never paid
   * twice.
   */
  key: string
}

const texts = bulkTexts.results

export async function priceOfRenewal(
  { domain, expires_at }: DomainListEntry,
  terms: RenewalTerms,
): Promise<DomainPrice> {
  const body = { ...terms, dry_run: true, ...expectation(expires_at) }
  try {
    const { price } = await answerOf(renewDomain({ path: { domain }, body }))
    if (!price) throw new Error('A dry run answered without a price.')
    return price
  } catch (error) {
    // A refusal for lack of money has the price, too; the total is compared with the balance later.
    const funds = fundsOf(error)
    if (funds === null) throw error
    return { amount: funds.price, currency: terms.currency }
  }
}

export async function renewOne({ domain, terms, price, key }: RenewalRequest): Promise<string> {
  const answer = await answerOf(
    renewDomain({
      path: { domain: domain.domain },
      headers: { 'Idempotency-Key': key },
      body: {
        ...terms,
        max_price: price.amount,
        ...expectation(domain.expires_at),
      },
    }),
  )
  const { operation, expiry } = answer
  const isDone = operation?.state === 'succeeded' && expiry !== null
  return isDone ? texts.renewed(formatDay(expiry)) : texts.ordered
}

function expectation(expires_at: string | null) {
  return expires_at === null ? {} : { expected_expiry: expires_at }
}

/** Carries out an action without a price. */
export async function changeOne(
  name: Exclude<BulkActionName, 'renew'>,
  { domain, ...before }: DomainListEntry,
  nameservers: readonly string[],
): Promise<string> {
  const path = { domain }
  switch (name) {
    case 'renew_on':
    case 'renew_off':
      await answerOf(updateDomain({ path, body: { auto_renew: name === 'renew_on' } }))
      break
    case 'lock':
      await answerOf(lockDomain({ path }))
      return before.locked ? texts.wasLocked : texts.changed
    case 'unlock':
      await answerOf(unlockDomain({ path }))
      return before.locked ? texts.changed : texts.wasUnlocked
    case 'nameservers':
      await answerOf(updateDomain({ path, body: { nameservers: [...nameservers] } }))
  }
  return texts.changed
}

export function priceWords({ amount, currency }: DomainPrice): string {
  return formatMoney(amount, currency)
}

export function failureWords(error: unknown): string {
  if (!(error instanceof ApiError)) return bulkTexts.states.failed
  return messageOf(error)
}

/** Whether the request may have been carried out although no result came. */
export function isUnknown(error: unknown): boolean {
  return !(error instanceof ApiError) || error.failure.status === 0 || error.failure.status >= 500
}
