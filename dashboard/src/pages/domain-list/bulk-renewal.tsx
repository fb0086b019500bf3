// Renewal of several domains: the price of each first, then the total is confirmed, and then a
// result for each. A price that has changed meanwhile is shown, and confirmed again.
import { useMemo, useRef, useState } from 'react'
import type { DomainListEntry } from 'sdk'
import { Button } from '../../components/button.tsx'
import { Select } from '../../components/forms/select.tsx'
import { PayFrom } from '../../components/payment/pay-from.tsx'
import { countResults, useBulk } from '../../lib/domains/use-bulk.ts'
import { formatMoney } from '../../lib/format.ts'
import { sumOf } from '../../lib/money/amounts.ts'
import { type Currency, useCurrency } from '../../lib/money/balance-queries.ts'
import { isPriceChanged } from '../../lib/money/paid-request.ts'
import { bulkTexts as texts } from '../../messages/bulk.ts'
import {
  type DomainPrice,
  isUnknown,
  priceOfRenewal,
  priceWords,
  type RenewalTerms,
  renewOne,
} from './bulk-actions.ts'
import { After, BulkResults, Buttons, failedIn, Progress } from './bulk-results.tsx'

type Props = { domains: readonly DomainListEntry[]; onClose: () => void }
type Priced = { domain: DomainListEntry; price: DomainPrice }

const keyOf = ({ domain }: DomainListEntry) => domain

export function BulkRenewal({ domains, onClose }: Props) {
  const pricing = useBulk<DomainPrice>()
  const renewals = useRenewals()
  const [terms, setTerms] = useState<RenewalTerms | null>(null)
  const [asked, setAsked] = useState(domains)
  const priced = useMemo(() => pricesIn(asked, pricing.results), [asked, pricing.results])
  const checkPrices = (items: readonly DomainListEntry[], given: RenewalTerms) => {
    setTerms(given)
    setAsked(items)
    renewals.clear()
    void pricing.run(items, { keyOf, request: (domain) => priceOfRenewal(domain, given) })
  }
  if (terms === null)
    return <Terms onClose={onClose} onChosen={(given) => checkPrices(domains, given)} />
  if (renewals.results.size === 0) {
    const { done, failed } = countResults(pricing.results)
    return (
      <>
        <BulkResults domains={asked} results={pricing.results} wordsOf={priceWords} />
        <p role="status" className="text-sm text-muted">
          {pricing.isRunning || failed === 0
            ? texts.priced(Math.min(done, asked.length), asked.length)
            : texts.unpriced(failed)}
        </p>
        <Buttons>
          <Button onClick={onClose}>{texts.cancel}</Button>
          {priced.length > 0 && (
            <Button
              look="primary"
              busy={pricing.isRunning}
              onClick={() => renewals.renew(priced, terms)}
            >
              {texts.renewTotal(priced.length, totalOf(priced, terms))}
            </Button>
          )}
        </Buttons>
      </>
    )
  }
  const { done, failed } = countResults(renewals.results)
  const retry = () => {
    const again = priced.filter(({ domain }) => failedIn(renewals.results)(domain))
    if (renewals.isPriceChanged)
      checkPrices(
        again.map(({ domain }) => domain),
        terms,
      )
    else renewals.renew(again, terms)
  }
  return (
    <>
      <BulkResults
        domains={priced.map(({ domain }) => domain)}
        results={renewals.results}
        wordsOf={(words) => words}
      />
      <Progress done={done} failed={failed} all={priced.length} isRunning={renewals.isRunning} />
      <After {...renewals} failed={failed} onRetry={retry} onClose={onClose} />
    </>
  )
}

/** The key of a request without a result is kept, so that a repeat is never paid twice. */
function useRenewals() {
  const bulk = useBulk<string>()
  const keys = useRef(new Map<string, string>())
  const renew = (items: readonly Priced[], terms: RenewalTerms) =>
    void bulk.run(items, {
      keyOf: ({ domain }) => domain.domain,
      request: async ({ domain, price }) => {
        const key = keys.current.get(domain.domain) ?? crypto.randomUUID()
        keys.current.set(domain.domain, key)
        try {
          return await renewOne({ domain, terms, price, key })
        } catch (error) {
          if (!isUnknown(error)) keys.current.delete(domain.domain)
          throw error
        }
      },
    })
  const isChanged = [...bulk.results.values()].some(
    (one) => one.state === 'failed' && isPriceChanged(one.error),
  )
  return { ...bulk, renew, isPriceChanged: isChanged }
}

function pricesIn(
  domains: readonly DomainListEntry[],
  results: ReturnType<typeof useBulk<DomainPrice>>['results'],
): Priced[] {
  return domains.flatMap((domain) => {
    const result = results.get(domain.domain)
    return result?.state === 'done' ? [{ domain, price: result.value }] : []
  })
}

function totalOf(priced: readonly Priced[], { currency }: RenewalTerms): string {
  return formatMoney(sumOf(priced.map(({ price }) => price.amount)), currency)
}

const yearOptions = Array.from({ length: 10 }, (_, at) => ({
  value: String(at + 1),
  label: texts.yearsOf(at + 1),
}))

type TermsProps = { onChosen: (terms: RenewalTerms) => void; onClose: () => void }

function Terms({ onChosen, onClose }: TermsProps) {
  const [years, setYears] = useState('1')
  const [chosen, setChosen] = useState<Currency | null>(null)
  const currency = useCurrency(chosen)
  return (
    <>
      <div className="flex items-center justify-between gap-3">
        <span aria-hidden="true" className="text-muted">
          {texts.years}
        </span>
        <Select label={texts.years} value={years} options={yearOptions} onChange={setYears} />
      </div>
      <PayFrom currency={currency} onChange={setChosen} />
      <Buttons>
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button
          look="primary"
          busy={currency === undefined}
          onClick={() => currency && onChosen({ period_years: Number(years), currency })}
        >
          {texts.checkPrices}
        </Button>
      </Buttons>
    </>
  )
}
