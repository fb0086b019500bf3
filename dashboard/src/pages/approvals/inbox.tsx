// The inbox of requests, with filters in the URL. Requests that wait come first, and several can be
// answered at once.
import { useState } from 'react'
import type { ApprovalResponse } from 'sdk'
import { EmptyState } from '../../components/empty-state.tsx'
import { Field } from '../../components/field.tsx'
import { Select } from '../../components/forms/select.tsx'
import { useUrlFilters } from '../../lib/url-filters.ts'
import { approvalTexts } from '../../messages/approvals/approval-texts.ts'
import { ApprovalItem } from './approval-item.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useObstacles } from './use-obstacles.ts'

const texts = approvalTexts.filters
const options = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }))
const showOptions = options(texts.shows)
const kindOptions = options(texts.kinds)

type Filters = { show: string; kind: string; q: string }

const isWaiting = ({ state }: ApprovalResponse) => state === 'pending'

function passes(approval: ApprovalResponse, { show, kind, q }: Filters): boolean {
  const { domain, asked_by, highest_price } = approval
  if (show !== '' && isWaiting(approval) !== (show === 'waiting')) return false
  if (kind !== '' && (highest_price !== null) !== (kind === 'purchases')) return false
  return `${domain} ${asked_by.name} ${asked_by.agent}`.toLowerCase().includes(q.toLowerCase())
}

export function Inbox({ list }: { list: readonly ApprovalResponse[] }) {
  const { textOf, set } = useUrlFilters()
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const obstacleOf = useObstacles(list)
  const filters = { show: textOf('show'), kind: textOf('kind'), q: textOf('q').trim() }
  const shown = list.filter((one) => passes(one, filters))
  const sorted = [...shown.filter(isWaiting), ...shown.filter((one) => !isWaiting(one))]
  const selected = shown.filter((one) => isWaiting(one) && ids.has(one.id))
  const select = (id: string, is: boolean) => {
    const next = new Set(ids)
    if (is) next.add(id)
    else next.delete(id)
    setIds(next)
  }
  return (
    <>
      <FilterFields typed={textOf('q')} filters={filters} onChange={set} />
      {selected.length > 0 && (
        <SelectionBar
          selected={selected}
          obstacleOf={obstacleOf}
          onDone={() => setIds(new Set())}
        />
      )}
      {sorted.length === 0 && <EmptyState icon="search" title={texts.none} text={texts.noneText} />}
      <ul className="flex flex-col gap-4">
        {sorted.map((approval) => (
          <ApprovalItem
            key={approval.id}
            approval={approval}
            obstacleOf={obstacleOf}
            selection={{
              isSelected: ids.has(approval.id),
              onSelect: (is) => select(approval.id, is),
            }}
          />
        ))}
      </ul>
    </>
  )
}

type FilterProps = {
  /** The text of the search as it is typed. */
  typed: string
  filters: Filters
  onChange: (name: keyof Filters, value: string) => void
}

function FilterFields({ typed, filters, onChange }: FilterProps) {
  return (
    <div className="mb-4 flex flex-wrap items-end gap-3">
      <div className="min-w-0 grow sm:max-w-xs">
        <Field
          type="search"
          label={texts.find}
          value={typed}
          onChange={(event) => onChange('q', event.currentTarget.value)}
        />
      </div>
      <Select
        label={texts.show}
        value={filters.show}
        options={showOptions}
        onChange={(value) => onChange('show', value)}
      />
      <Select
        label={texts.kind}
        value={filters.kind}
        options={kindOptions}
        onChange={(value) => onChange('kind', value)}
      />
    </div>
  )
}
