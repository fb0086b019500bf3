// Renewal of several domains: first the price of each, then the total to confirm, then a result for
// each. A price that has changed meanwhile is shown and confirmed again. A total above the balance
// is not ordered, because the money would be enough for some of the domains only.
import { useMemo, useRef, useState } from 'react'
import type { DomainListEntry } from 'sdk'
import { Button } from '../../components/button.tsx'
import { SelectRow } from '../../components/forms/select.tsx'
import { MissingFunds } from '../../components/payment/missing-funds.tsx'
import { Money } from '../../components/payment/money.tsx'
import { PayFrom } from '../../components/payment/pay-from.tsx'
import { countResults, useBulk } from '../../lib/domains/use-bulk.ts'
import { formatMoney } from '../../lib/format.ts'
import { shortfallOf, sumOf } from '../../lib/money/amounts.ts'
import { type Currency, useBalance, useCurrency } from '../../lib/money/balance-queries.ts'
import { isPriceChanged } from '../../lib/money/paid-request.ts'
import { bulkTexts as texts } from '../../messages/bulk-texts.ts'
import { paymentTexts } from '../../messages/payment-texts.ts'
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
  if (renewals.results.size === 0)
    return (
      <Prices
        {...{ asked, priced, terms, onClose }}
        results={pricing.results}
        isRunning={pricing.isRunning}
        onConfirm={() => renewals.renew(priced, terms)}
      />
    )
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

type PricesProps = {
  asked: readonly DomainListEntry[]
  priced: readonly Priced[]
  terms: RenewalTerms
  results: ReturnType<typeof useBulk<DomainPrice>>['results']
  isRunning: boolean
  onClose: () => void
  onConfirm: () => void
}

/** The total can be confirmed only if the balance covers it. */
function Prices(props: PricesProps) {
  const { asked, priced, terms, results, isRunning, onClose, onConfirm } = props
  const { currency } = terms
  const { done, failed } = countResults(results)
  const available = useBalance(currency).data?.available
  const total = sumOf(priced.map(({ price }) => price.amount))
  const shortfall = available === undefined || isRunning ? null : shortfallOf(total, available)
  return (
    <>
      <BulkResults domains={asked} results={results} wordsOf={priceWords} />
      <p role="status" className="text-sm text-muted">
        {isRunning || failed === 0
          ? texts.priced(Math.min(done, asked.length), asked.length)
          : texts.unpriced(failed)}
      </p>
      {available !== undefined && (
        <p className="flex items-baseline justify-between gap-3">
          <span className="text-muted">{paymentTexts.available}</span>
          <Money amount={available} currency={currency} />
        </p>
      )}
      {available !== undefined && shortfall !== null && (
        <MissingFunds
          amounts={{ price: total, balance: available, shortfall, owed: [] }}
          currency={currency}
        />
      )}
      <Buttons>
        <Button onClick={onClose}>{texts.cancel}</Button>
        {priced.length > 0 && shortfall === null && (
          <Button look="primary" busy={isRunning} onClick={onConfirm}>
            {texts.renewTotal(priced.length, formatMoney(total, currency))}
          </Button>
        )}
      </Buttons>
    </>
  )
}

/**
 * A repeat of a request without a result has the same idempotency key, so that it is never paid
 * twice.
 */
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
      <SelectRow label={texts.years} value={years} options={yearOptions} onChange={setYears} />
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
