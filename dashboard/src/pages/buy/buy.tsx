// Search and purchase of domains: the names of a search are in the URL, and each is checked by a
// request of its own.
import { type FormEvent, useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { Button } from '../../components/button.tsx'
import { inputClass } from '../../components/field.tsx'
import { Select } from '../../components/forms/select.tsx'
import { Icon } from '../../components/icon.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { currencies, useCurrency } from '../../lib/money/balance-queries.ts'
import { useTldPrices } from '../../lib/money/buy-queries.ts'
import { useFocus } from '../../lib/use-focus.ts'
import { buyTexts as texts } from '../../messages/buy-texts.ts'
import { candidateNames } from './candidate-names.ts'
import { CheckoutDialog } from './checkout-dialog.tsx'
import { PriceList } from './price-list.tsx'
import { Results } from './results.tsx'

const options = currencies.map((value) => ({ value, label: value }))

export default function BuyPage() {
  const [search, setSearch] = useSearchParams()
  const asked = search.get('q') ?? ''
  const currency = useCurrency(search.get('currency'))
  const prices = useTldPrices(currency)
  const [bought, setBought] = useState<{ domain: string; name: string } | null>(null)
  const tlds = prices.data?.map(({ tld }) => tld)
  const names = tlds && candidateNames(asked, tlds)
  const choose = currency && (
    <Select
      label={texts.currency}
      value={currency}
      options={options}
      onChange={(value) => setSearch({ ...(asked && { q: asked }), currency: value })}
    />
  )
  return (
    <>
      <PageHeader title={texts.title} subtitle={texts.subtitle} actions={choose} />
      <SearchForm asked={asked} onSearch={(q) => setSearch({ q, ...(currency && { currency }) })} />
      <div className="mt-6">
        {prices.isPending && <Skeleton lines={8} />}
        {prices.isError && (
          <ErrorNotice error={prices.error} onRetry={() => void prices.refetch()} />
        )}
        {currency && names !== undefined && names.length > 0 && (
          <Results
            asked={asked}
            names={names}
            currency={currency}
            onBuy={(domain, name) => setBought({ domain, name })}
          />
        )}
        {names?.length === 0 && <PriceList prices={prices.data ?? []} />}
      </div>
      {currency && bought !== null && (
        <CheckoutDialog
          {...bought}
          currency={currency}
          periods={prices.data?.find(({ tld }) => bought.domain.endsWith(`.${tld}`))?.periods}
          onClose={() => setBought(null)}
        />
      )}
    </>
  )
}

type SearchProps = { asked: string; onSearch: (q: string) => void }

function SearchForm({ asked, onSearch }: SearchProps) {
  const box = useFocus<HTMLInputElement>(asked === '')
  useEffect(() => {
    // The command palette or the back button may have changed the search. The focus stays.
    if (box.current) box.current.value = asked
  }, [asked, box])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const q = new FormData(event.currentTarget).get('q')
    if (typeof q === 'string') onSearch(q.trim())
  }
  return (
    <search>
      <form onSubmit={submit} className="flex flex-wrap gap-2">
        <label className="relative min-w-0 grow basis-64">
          <span className="sr-only">{texts.name}</span>
          <Icon name="search" className="absolute top-3.5 left-3.5 size-4 text-muted" />
          <input
            ref={box}
            type="search"
            name="q"
            defaultValue={asked}
            placeholder={texts.placeholder}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            aria-describedby="search-hint"
            className={`${inputClass} h-11 pl-10 text-lg`}
          />
        </label>
        <Button type="submit" look="primary" className="h-11 px-6 max-sm:grow">
          {texts.submit}
        </Button>
      </form>
      <p id="search-hint" className="mt-2 text-sm text-muted">
        {texts.hint}
      </p>
    </search>
  )
}
