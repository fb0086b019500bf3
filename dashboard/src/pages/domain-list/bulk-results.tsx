// A result for each of several domains. Failed ones come first, with the reason; below the list are
// the progress of all and a retry of the failed ones.
import { type ReactNode, useMemo } from 'react'
import type { DomainListEntry } from 'sdk'
import { Button } from '../../components/button.tsx'
import { type Column, DataTable } from '../../components/table/data-table.tsx'
import type { ItemResult } from '../../lib/domains/run-each.ts'
import { bulkTexts as texts } from '../../messages/bulk-texts.ts'
import { failureWords } from './bulk-actions.ts'

type Props<T> = {
  domains: readonly DomainListEntry[]
  results: ReadonlyMap<string, ItemResult<T>>
  wordsOf: (value: T) => string
}
type Row = { domain: DomainListEntry; words: string; failed: boolean }

export function BulkResults<T>({ domains, results, wordsOf }: Props<T>) {
  const rows = useMemo(() => {
    const all = domains.map((domain): Row => {
      const result = results.get(domain.domain)
      switch (result?.state) {
        case 'done':
          return { domain, words: wordsOf(result.value), failed: false }
        case 'failed':
          return { domain, words: failureWords(result.error), failed: true }
        default:
          return { domain, words: texts.states[result?.state ?? 'waiting'], failed: false }
      }
    })
    return [...all.filter(({ failed }) => failed), ...all.filter(({ failed }) => !failed)]
  }, [domains, results, wordsOf])
  return (
    <DataTable
      label={texts.result}
      rows={rows}
      columns={columns}
      keyOf={({ domain }) => domain.domain}
      height="max-h-72"
    />
  )
}

const columns: Column<Row>[] = [
  {
    key: 'domain',
    header: texts.domain,
    width: 'w-2/5',
    cell: ({ domain: { domain_unicode } }) => (
      <span className="font-medium" title={domain_unicode}>
        {domain_unicode}
      </span>
    ),
  },
  {
    key: 'result',
    header: texts.result,
    isPlain: true,
    cell: ({ words, failed }) => (
      <span className={failed ? 'text-bad' : 'text-muted'} title={words}>
        {words}
      </span>
    ),
  },
]

export function failedIn(results: ReadonlyMap<string, { state: string }>) {
  return ({ domain }: DomainListEntry) => {
    const state = results.get(domain)?.state
    return state === 'failed' || state === 'waiting'
  }
}

type Counts = { done: number; failed: number; all: number; isRunning: boolean }

export function Progress({ done, failed, all, isRunning }: Counts) {
  return (
    <div className="flex flex-col gap-2">
      <progress
        value={done + failed}
        max={all}
        aria-label={texts.result}
        className="h-2 w-full overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
      />
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

export function After({ isRunning, stop, failed, onRetry, onClose }: AfterProps) {
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

export function Buttons({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-2">{children}</div>
}
