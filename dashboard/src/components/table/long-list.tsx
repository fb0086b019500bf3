// A list that may have thousands of entries. A list that is longer than a screen has a search,
// filters and pages, all of which are in the URL.
import type { ReactNode } from 'react'
import { pageOf } from '../../lib/list-pages.ts'
import { useUrlFilters } from '../../lib/url-filters.ts'
import { listTexts as texts } from '../../messages/list-texts.ts'
import { Button } from '../button.tsx'
import { Card } from '../card.tsx'
import { inputClass } from '../field.tsx'

const few = 10

type Props<T> = {
  /** All items that `filters` leaves. */
  items: readonly T[]
  /** The length of the list without a filter, since a short list needs no search. */
  total: number
  /** The text of an item that the search looks through. */
  textOf: (item: T) => string
  searchLabel: string
  /** The filters that stand beside the search. */
  filters?: ReactNode
  render: (item: T) => ReactNode
}

export function LongList<T>(props: Props<T>) {
  const { items, total, textOf, searchLabel, filters, render } = props
  const { textOf: filterOf, set } = useUrlFilters()
  const q = filterOf('q')
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const found = items.filter((item) => {
    const text = textOf(item).toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const page = pageOf(found, filterOf('page'))
  return (
    <>
      {total > few && (
        <search className="mb-4 flex flex-wrap gap-2">
          <input
            type="search"
            aria-label={searchLabel}
            placeholder={searchLabel}
            value={q}
            onChange={(event) => set('q', event.currentTarget.value)}
            className={`${inputClass} sm:max-w-72`}
          />
          {filters}
        </search>
      )}
      {page.items.length > 0 && (
        <Card>
          <ul className="divide-y divide-line">{page.items.map(render)}</ul>
        </Card>
      )}
      {total > few && found.length === 0 && <p className="text-muted">{texts.none}</p>}
      {page.count > 1 && (
        <nav aria-label={texts.pages} className="mt-3 flex items-center gap-2">
          <Button
            size="sm"
            disabled={page.number === 1}
            onClick={() => set('page', page.number === 2 ? '' : String(page.number - 1))}
          >
            {texts.previous}
          </Button>
          <span className="text-sm text-muted tabular-nums" role="status">
            {texts.range(page.first, page.last, found.length)}
          </span>
          <Button
            size="sm"
            disabled={page.number === page.count}
            onClick={() => set('page', String(page.number + 1))}
          >
            {texts.next}
          </Button>
        </nav>
      )}
    </>
  )
}
