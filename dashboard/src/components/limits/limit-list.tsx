// The limits of an API key or an app in words, with a bar of what is spent.
import type { ReactNode } from 'react'
import type { Limits } from '../../lib/limits/limit-draft.ts'
import { fillOf, wordsOfBudget, wordsOfRules } from '../../lib/limits/limit-words.ts'

type Props = {
  label: string
  limits: Limits
  /** The other limits that apply, below these. */
  children?: ReactNode
}

export function LimitList({ label, limits, children }: Props) {
  return (
    <ul aria-label={label} className="mt-2 flex max-w-xl flex-col gap-1 text-sm">
      {limits.spend_limit && (
        <li>
          <Budget limit={limits.spend_limit} />
        </li>
      )}
      {wordsOfRules(limits).map((words) => (
        <li key={words} className="break-words text-muted">
          {words}
        </li>
      ))}
      {children}
    </ul>
  )
}

function Budget({ limit }: { limit: NonNullable<Limits['spend_limit']> }) {
  const fill = fillOf(limit)
  const color = fill >= 100 ? 'bg-bad-fill' : fill >= 80 ? 'bg-warn' : 'bg-accent'
  return (
    <>
      <span className="tabular-nums">{wordsOfBudget(limit)}</span>
      <span
        aria-hidden="true"
        className="mt-1 mb-0.5 block h-1.5 overflow-hidden rounded-full bg-line"
      >
        <span className={`block h-full rounded-full ${color}`} style={{ width: `${fill}%` }} />
      </span>
    </>
  )
}
