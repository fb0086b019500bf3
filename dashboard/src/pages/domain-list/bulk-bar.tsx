// Action bar for the selected domains.
import { useState } from 'react'
import type { DomainListEntry } from 'sdk'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { PartPlace } from '../../components/part-place.tsx'
import { csvOf, saveCsv } from '../../lib/csv.ts'
import { earlyPart } from '../../lib/parts/lazy-part.ts'
import { bulkTexts as texts } from '../../messages/bulk-texts.ts'
import { type BulkActionName, bulkActionNames } from './bulk-actions.ts'

const BulkDialog = earlyPart(() => import('./bulk-dialog.tsx'))

type Props = { domains: readonly DomainListEntry[]; onClear: () => void }

export default function BulkBar({ domains, onClear }: Props) {
  const [action, setAction] = useState<BulkActionName | null>(null)
  return (
    <section
      aria-label={texts.bar}
      className="mb-3 flex flex-wrap items-center gap-2 rounded-xl border border-accent bg-accent-soft px-3 py-2"
    >
      <span role="status" className="mr-1 font-medium text-accent-ink tabular-nums">
        {texts.selected(domains.length)}
      </span>
      {bulkActionNames.map((name) => (
        <Button key={name} size="sm" onClick={() => setAction(name)}>
          {texts.actions[name].label}
        </Button>
      ))}
      <Button size="sm" onClick={() => saveCsv('domains.csv', listCsv(domains))}>
        <Icon name="download" className="size-3.5" />
        {texts.export}
      </Button>
      <Button size="sm" look="ghost" className="ml-auto" onClick={onClear}>
        {texts.clear}
      </Button>
      {action && (
        <PartPlace>
          <BulkDialog action={action} domains={domains} onClose={() => setAction(null)} />
        </PartPlace>
      )}
    </section>
  )
}

/** The CSV has the words of the API, so that programs can read it. */
function listCsv(domains: readonly DomainListEntry[]): string {
  const names = ['domain', 'domain_unicode']
  const header = [...names, 'status', 'expires_at', 'auto_renew', 'locked', 'nameservers']
  const rows = domains.map((one) => [
    one.domain,
    one.domain_unicode,
    one.status,
    one.expires_at ?? '',
    String(one.auto_renew),
    String(one.locked),
    one.nameservers.join(' '),
  ])
  return csvOf(header, rows)
}
