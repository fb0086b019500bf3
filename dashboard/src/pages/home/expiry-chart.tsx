// Expiries by month: stacked bars as an SVG of its own, and the same figures as a table.
import type { DomainListEntry } from 'sdk'
import { Card } from '../../components/card.tsx'
import { FiguresTable } from '../../components/table/figures-table.tsx'
import { formatDay, formatMonth } from '../../lib/format.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import { homeTexts } from '../../messages/home.ts'

const texts = homeTexts.chart
const month_count = 12

type Month = { key: string; first: Date; auto: number; manual: number }

/** The months from this one on; what expires in none of them is left out. */
function monthsOf(domains: readonly DomainListEntry[], now = new Date()): Month[] {
  const months = Array.from({ length: month_count + 1 }, (_, at): Month => {
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + at, 1))
    return { key: first.toISOString().slice(0, 7), first, auto: 0, manual: 0 }
  })
  const byKey = new Map(months.map((month) => [month.key, month]))
  for (const { expires_at, auto_renew } of domains) {
    const month = expires_at === null ? undefined : byKey.get(expires_at.slice(0, 7))
    if (month) month[auto_renew ? 'auto' : 'manual'] += 1
  }
  return months
}

const height = 128
// A narrower drawing on phones, so that its texts are scaled less.
const bars = { wide: { step: 40, width: 22 }, narrow: { step: 27, width: 15 } }
type BarSize = (typeof bars)['wide']

export function ExpiryChart({ domains }: { domains: readonly DomainListEntry[] }) {
  const months = monthsOf(domains)
  const size = useIsPhone() ? bars.narrow : bars.wide
  const most = Math.max(1, ...months.map(({ auto, manual }) => auto + manual))
  const all = months.reduce((sum, { auto, manual }) => sum + auto + manual, 0)
  if (all === 0)
    return (
      <Card title={texts.title}>
        <p className="px-5 py-4 text-muted">
          {texts.none} {firstExpiry(domains)}
        </p>
      </Card>
    )
  return (
    <Card title={texts.title}>
      <figure className="px-5 pt-4 pb-3">
        <svg
          viewBox={`0 -16 ${months.length * size.step} ${height + 40}`}
          role="img"
          aria-label={texts.alt(all)}
          className="w-full"
        >
          <line x1="0" x2="100%" y1={height} y2={height} className="stroke-line" />
          {months.map((month, at) => (
            <Bar key={month.key} month={month} at={at} size={size} unit={height / most} />
          ))}
        </svg>
        <figcaption className="mt-1 flex flex-wrap gap-x-5 gap-y-1 text-sm text-muted">
          <span className="flex items-center gap-2">
            <span className="size-2.5 rounded-sm bg-accent" aria-hidden="true" />
            {texts.auto}
          </span>
          <span className="flex items-center gap-2">
            <span className="size-2.5 rounded-sm bg-edge" aria-hidden="true" />
            {texts.manual}
          </span>
        </figcaption>
        <details className="mt-2 text-sm">
          <summary className="cursor-pointer text-accent-ink">{texts.table}</summary>
          <Figures months={months} />
        </details>
      </figure>
    </Card>
  )
}

/** Of those after the months of the chart; null where none has a date. */
function firstExpiry(domains: readonly DomainListEntry[], now = new Date()): string | null {
  const days = domains.flatMap(({ expires_at }) => expires_at ?? []).toSorted()
  const first = days.find((day) => Date.parse(day) > now.getTime())
  return first === undefined ? null : texts.first(formatDay(first))
}

type BarProps = { month: Month; at: number; size: BarSize; unit: number }

function Bar({ month, at, size, unit }: BarProps) {
  const { auto, manual, first } = month
  const count = auto + manual
  const { step, width } = size
  const left = at * step + (step - width) / 2
  const middle = at * step + step / 2
  return (
    <g textAnchor="middle">
      <rect
        x={left}
        y={height - auto * unit}
        width={width}
        height={auto * unit}
        className="fill-accent"
      />
      <rect
        x={left}
        y={height - count * unit}
        width={width}
        height={manual * unit}
        className="fill-edge"
      />
      {count > 0 && (
        <text x={middle} y={height - count * unit - 5} className="fill-ink text-xs font-medium">
          {count}
        </text>
      )}
      <text x={middle} y={height + 17} className="fill-muted text-xs">
        {formatMonth(first, 'short')}
      </text>
    </g>
  )
}

function Figures({ months }: { months: readonly Month[] }) {
  const rows = months.map(({ key, first, auto, manual }) => ({
    key,
    header: formatMonth(first, 'long'),
    cells: [auto.toLocaleString(), manual.toLocaleString()],
  }))
  return <FiguresTable headers={[texts.month, texts.auto, texts.manual]} rows={rows} />
}
