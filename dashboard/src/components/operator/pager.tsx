// Pages by offset: the range of the rows that are shown, and the pages before and after.
import { databaseTexts as texts } from '../../messages/operator/database-texts.ts'
import { Button } from '../button.tsx'

type Props = {
  offset: number
  limit: number
  /** The number of rows on the page. */
  shown: number
  /** The offset of the next page, or null on the last page. */
  next: number | null
  onChange: (offset: number) => void
}

export function Pager({ offset, limit, shown, next, onChange }: Props) {
  if (offset === 0 && next === null) return null
  return (
    <nav aria-label={texts.pages} className="mt-4 flex items-center justify-between gap-3 text-sm">
      <p className="text-muted tabular-nums">{texts.page(offset + 1, offset + shown)}</p>
      <div className="flex gap-2">
        <Button
          size="sm"
          disabled={offset === 0}
          onClick={() => onChange(Math.max(0, offset - limit))}
        >
          {texts.previous}
        </Button>
        <Button size="sm" disabled={next === null} onClick={() => next !== null && onChange(next)}>
          {texts.next}
        </Button>
      </div>
    </nav>
  )
}
