// Record sets that differ, each before and after a change.
import type { DnsRecordsDifference } from 'sdk'
import { Badge } from '../../../components/badge.tsx'
import { setName } from '../../../lib/dns/record-queries.ts'
import { formatTtl } from '../../../lib/dns/ttl.ts'
import { readable } from '../../../lib/dns/value-forms.ts'
import { recordTexts } from '../../../messages/dns/record-texts.ts'

const texts = recordTexts.difference
const most_shown = 50

/** `total` is the number of all differences if `diff` has only the first ones. */
type Props = { diff: readonly DnsRecordsDifference[]; total?: number }

export function RecordDifference({ diff, total = diff.length }: Props) {
  const shown = diff.slice(0, most_shown)
  const left = total - shown.length
  return (
    <ul aria-label={texts.label} className="flex flex-col gap-3">
      {shown.map((one) => (
        <li key={setName(one)} className="flex flex-col gap-1">
          <p className="flex flex-wrap items-center gap-2 font-mono text-sm">
            <span className="font-medium break-all">{setName(one)}</span>
            <Kind {...one} />
          </p>
          <Sides {...one} />
        </li>
      ))}
      {left > 0 && <li className="text-sm text-muted">{texts.most(left)}</li>}
    </ul>
  )
}

function Kind({ before, after }: DnsRecordsDifference) {
  if (!before) return <Badge tone="good">{texts.added}</Badge>
  if (!after) return <Badge tone="bad">{texts.removed}</Badge>
  return <Badge tone="warn">{texts.changed}</Badge>
}

/** The contents of a set before and after a change, with the TTL only if it changes, too. */
function Sides({ type, before, after }: DnsRecordsDifference) {
  if (!before || !after) return <Side type={type} content={before ?? after} />
  const isTimed = before.ttl !== after.ttl
  return (
    <>
      <Side label={texts.before} type={type} content={before} isTimed={isTimed} />
      <Side label={texts.after} type={type} content={after} isTimed={isTimed} />
    </>
  )
}

type SideProps = {
  label?: string
  type: string
  content: DnsRecordsDifference['before']
  isTimed?: boolean
}

function Side({ label, type, content, isTimed = true }: SideProps) {
  if (!content) return null
  return (
    <div className="flex gap-3 text-sm">
      {label && <span className="w-14 shrink-0 text-muted">{label}</span>}
      <ul className="min-w-0 font-mono break-all">
        {content.values.map((value) => (
          <li key={value} className="line-clamp-3">
            {readable(type, value)}
          </li>
        ))}
        {isTimed && <li className="font-sans text-muted">{texts.ttl(formatTtl(content.ttl))}</li>}
      </ul>
    </div>
  )
}
