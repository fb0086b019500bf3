// Entries of the audit log as sentences, by day, newest first. An order is shown once, by its end
// if it has ended.
import type { AuditLogResponse } from 'sdk'
import { dayKey, formatLongDay } from '../../lib/format.ts'
import { Entry } from './audit-entry.tsx'

/** One section for each day of the reader's time zone. */
export function AuditDays({ entries }: { entries: readonly AuditLogResponse[] }) {
  const days = Map.groupBy(entries, ({ created_at }) => dayKey(created_at))
  return [...days].map(([day, list]) => (
    <section key={day} aria-labelledby={`day-${day}`} className="mb-6">
      <h2 id={`day-${day}`} className="mb-2 text-sm font-semibold text-muted">
        {formatLongDay(list[0]?.created_at ?? day)}
      </h2>
      <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface shadow-card">
        {list.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
    </section>
  ))
}
