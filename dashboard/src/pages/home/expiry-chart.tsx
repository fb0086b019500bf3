// Expiries by month: stacked bars as an SVG, and the same figures as a table.
import type { DomainsSummaryResponse } from 'sdk'
import { Card } from '../../components/card.tsx'
import { FiguresTable } from '../../components/table/figures-table.tsx'
import { formatDay, formatMonth } from '../../lib/format.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import { homeTexts } from '../../messages/home-texts.ts'

const texts = homeTexts.chart
const month_count = 12

type Month = { key: string; first: Date; auto: number; manual: number }

type Expiries = Pick<DomainsSummaryResponse, 'expiries' | 'first_expiry' | 'as_of'>

/** The months from this one on, including months in which nothing expires. */
function monthsOf({ expiries, as_of }: Expiries): Month[] {
  const now = new Date(as_of)
  const byKey = new Map(expiries.map((one) => [one.month, one]))
  return Array.from({ length: month_count + 1 }, (_, at): Month => {
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + at, 1))
    const key = first.toISOString().slice(0, 7)
    const { domains = 0, auto_renew: auto = 0 } = byKey.get(key) ?? {}
    return { key, first, auto, manual: domains - auto }
  })
}

const height = 128
// The drawing is narrower on phones, so that its texts are scaled less.
const bars = { wide: { step: 40, width: 22 }, narrow: { step: 27, width: 15 } }
type BarSize = (typeof bars)['wide']

export function ExpiryChart({ summary }: { summary: Expiries }) {
  const months = monthsOf(summary)
  const { first_expiry } = summary
  const size = useIsPhone() ? bars.narrow : bars.wide
  const most = Math.max(1, ...months.map(({ auto, manual }) => auto + manual))
  const all = months.reduce((sum, { auto, manual }) => sum + auto + manual, 0)
  if (all === 0)
    return (
      <Card title={texts.title}>
        <p className="px-5 py-4 text-muted">
          {texts.none} {first_expiry !== null && texts.first(formatDay(first_expiry))}
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
