// Facts of one object: terms and values in columns, which wrap on phones.
import type { ReactNode } from 'react'

export function Facts({
  facts,
}: {
  facts: readonly (readonly [term: string, value: ReactNode])[]
}) {
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-2 border-t border-line px-5 py-3 text-sm sm:grid-cols-2 lg:grid-cols-3">
      {facts.map(([term, value]) => (
        <div key={term} className="min-w-0">
          <dt className="text-muted">{term}</dt>
          <dd className="break-all">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
