// One change of several domains: its input, the prices where it has some, and a result for each,
// with a retry of those that failed.
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useMemo, useRef, useState } from 'react'
import type { DomainListEntry } from 'sdk'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextArea } from '../../components/forms/text-area.tsx'
import { Select } from '../../components/select.tsx'
import { sumOf } from '../../lib/amounts.ts'
import { domainsKey } from '../../lib/domain-queries.ts'
import { formatMoney } from '../../lib/format.ts'
import { countResults, useBulk } from '../../lib/use-bulk.ts'
import { bulkTexts as texts } from '../../messages/bulk.ts'
import {
  type BulkActionName,
  type BulkInput,
  changeOne,
  type DomainPrice,
  isUnknown,
  priceOfRenewal,
  priceWords,
  renewOne,
} from './bulk-actions.ts'
import { BulkResults } from './bulk-results.tsx'

type Props = { action: BulkActionName; domains: readonly DomainListEntry[]; onClose: () => void }

const keyOf = ({ domain }: DomainListEntry) => domain

export default function BulkDialog({ action, domains, onClose }: Props) {
  // Those of the click: a refresh of the list must not change what is being done.
  const [chosen] = useState(domains)
  const queries = useQueryClient()
  const { title, text } = texts.actions[action]
  const close = () => {
    void queries.invalidateQueries({ queryKey: domainsKey })
    onClose()
  }
  const Body = action === 'renew' ? Renewal : Change
  return (
    <Dialog open wide onClose={close} title={title(chosen.length)} description={text}>
      <Body action={action} domains={chosen} onClose={close} />
    </Dialog>
  )
}

function Change({ action, domains, onClose }: Props) {
  const bulk = useBulk<string>()
  const [input, setInput] = useState<BulkInput>({ period_years: 1, nameservers: [] })
  const { done, failed } = countResults(bulk.results)
  if (action === 'renew') return null
  const start = (items: readonly DomainListEntry[], given = input) => {
    setInput(given)
    void bulk.run(items, { keyOf, request: (domain) => changeOne(action, domain, given) })
  }
  if (bulk.results.size === 0)
    return (
      <Start
        asksNameservers={action === 'nameservers'}
        label={texts.actions[action].confirm}
        onClose={onClose}
        onStart={(nameservers) => start(domains, { ...input, nameservers })}
      />
    )
  const retry = () => start(domains.filter(failedIn(bulk.results)))
  return (
    <>
      <BulkResults domains={domains} results={bulk.results} wordsOf={(words) => words} />
      <Progress done={done} failed={failed} all={domains.length} isRunning={bulk.isRunning} />
      <After {...bulk} failed={failed} onRetry={retry} onClose={onClose} />
    </>
  )
}

function failedIn(results: ReadonlyMap<string, { state: string }>) {
  return ({ domain }: DomainListEntry) => {
    const state = results.get(domain)?.state
    return state === 'failed' || state === 'waiting'
  }
}

type StartProps = {
  asksNameservers: boolean
  label: string
  onClose: () => void
  onStart: (nameservers: readonly string[]) => void
}

function Start({ asksNameservers, label, onClose, onStart }: StartProps) {
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const nameservers = typed.split(/[\s,]+/).filter(Boolean)
    const isRight = nameservers.length >= 2 && nameservers.length <= 13
    if (asksNameservers && !isRight) setProblem(texts.nameserversProblem)
    else onStart(nameservers)
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {asksNameservers && (
        <TextArea
          label={texts.nameservers}
          hint={texts.nameserversHint}
          placeholder={'ns1.example.net\nns2.example.net'}
          problem={problem}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <Buttons>
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button type="submit" look="primary">
          {label}
        </Button>
      </Buttons>
    </form>
  )
}

/** Prices first: nothing is bought before the total is confirmed. */
function Renewal({ domains, onClose }: Props) {
  const pricing = useBulk<DomainPrice>()
  const renewals = useBulk<string>()
  const [years, setYears] = useState('1')
  const keys = useRef(new Map<string, string>())
  const input: BulkInput = { period_years: Number(years), nameservers: [] }
  const priced = useMemo(() => pricesIn(domains, pricing.results), [domains, pricing.results])
  const checkPrices = (items: readonly DomainListEntry[]) =>
    void pricing.run(items, { keyOf, request: (domain) => priceOfRenewal(domain, input) })
  const renew = (items: readonly Priced[]) =>
    void renewals.run(items, {
      keyOf: ({ domain }) => domain.domain,
      request: ({ domain, price }) => {
        const before = renewals.results.get(domain.domain)
        const isRetry = before?.state === 'failed' && isUnknown(before.error)
        const kept = isRetry ? keys.current.get(domain.domain) : undefined
        const key = kept ?? crypto.randomUUID()
        keys.current.set(domain.domain, key)
        return renewOne({ domain, input, price, key })
      },
    })
  if (pricing.results.size === 0)
    return (
      <>
        <Years value={years} onChange={setYears} />
        <Buttons>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button look="primary" onClick={() => checkPrices(domains)}>
            {texts.checkPrices}
          </Button>
        </Buttons>
      </>
    )
  const prices = countResults(pricing.results)
  if (renewals.results.size === 0)
    return (
      <>
        <BulkResults domains={domains} results={pricing.results} wordsOf={priceWords} />
        <p role="status" className="text-sm text-muted">
          {pricing.isRunning || prices.failed === 0
            ? texts.priced(prices.done, domains.length)
            : texts.unpriced(prices.failed)}
        </p>
        <Buttons>
          <Button onClick={onClose}>{texts.cancel}</Button>
          {priced.length > 0 && (
            <Button look="primary" busy={pricing.isRunning} onClick={() => renew(priced)}>
              {texts.renewTotal(priced.length, totalOf(priced))}
            </Button>
          )}
        </Buttons>
      </>
    )
  const { done, failed } = countResults(renewals.results)
  const retry = () => renew(priced.filter(({ domain }) => failedIn(renewals.results)(domain)))
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

type Priced = { domain: DomainListEntry; price: DomainPrice }

function pricesIn(
  domains: readonly DomainListEntry[],
  results: ReturnType<typeof useBulk<DomainPrice>>['results'],
): Priced[] {
  return domains.flatMap((domain) => {
    const result = results.get(domain.domain)
    return result?.state === 'done' ? [{ domain, price: result.value }] : []
  })
}

function totalOf(priced: readonly Priced[]): string {
  const currency = priced[0]?.price.currency ?? 'USD'
  return formatMoney(sumOf(priced.map(({ price }) => price.amount)), currency)
}

const yearOptions = Array.from({ length: 10 }, (_, at) => ({
  value: String(at + 1),
  label: texts.yearsOf(at + 1),
}))

function Years({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <div className="flex items-center gap-3">
      <span aria-hidden="true" className="text-sm font-medium">
        {texts.years}
      </span>
      <Select label={texts.years} value={value} options={yearOptions} onChange={onChange} />
    </div>
  )
}

type Counts = { done: number; failed: number; all: number; isRunning: boolean }

function Progress({ done, failed, all, isRunning }: Counts) {
  return (
    <div className="flex flex-col gap-2">
      <progress value={done + failed} max={all} aria-label={texts.result} className="h-2 w-full" />
      <p role="status" className="text-sm text-muted">
        {isRunning ? texts.progress(done + failed, all) : texts.finished(done, failed)}
      </p>
    </div>
  )
}

type AfterProps = {
  isRunning: boolean
  stop: () => void
  failed: number
  onRetry: () => void
  onClose: () => void
}

function After({ isRunning, stop, failed, onRetry, onClose }: AfterProps) {
  return (
    <Buttons>
      {isRunning && <Button onClick={stop}>{texts.stop}</Button>}
      {!isRunning && failed > 0 && <Button onClick={onRetry}>{texts.retry(failed)}</Button>}
      <Button look="primary" busy={isRunning} onClick={onClose}>
        {texts.done}
      </Button>
    </Buttons>
  )
}

function Buttons({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-2">{children}</div>
}
