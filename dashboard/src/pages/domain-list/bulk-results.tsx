// A result for each of several domains; those that failed first, with the reason.
import { useMemo } from 'react'
import type { DomainListEntry } from 'sdk'
import { type Column, DataTable } from '../../components/data-table.tsx'
import type { ItemResult } from '../../lib/run-each.ts'
import { bulkTexts as texts } from '../../messages/bulk.ts'
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
    cell: ({ domain }) => <span className="font-medium">{domain.domain_unicode}</span>,
  },
  {
    key: 'result',
    header: texts.result,
    cell: ({ words, failed }) => (
      <span className={failed ? 'text-bad' : 'text-muted'} title={words}>
        {words}
      </span>
    ),
  },
]
