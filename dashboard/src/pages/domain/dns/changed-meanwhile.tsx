// Notice about a record set that somebody else changed while it was edited: the person, the time,
// and the present contents.
import type { DnsRecords } from 'sdk'
import { Callout } from '../../../components/callout.tsx'
import { type SetPlace, setName, useLastChange } from '../../../lib/dns/record-queries.ts'
import { readable } from '../../../lib/dns/value-forms.ts'
import { formatAgo } from '../../../lib/format.ts'
import { recordTexts as texts } from '../../../messages/dns/record-texts.ts'
import { makerOf } from './maker.ts'

type Props = {
  domain: string
  set: SetPlace & Partial<Pick<DnsRecords, 'values'>>
  /** The next step, if the set still exists. */
  next?: string
}

export function ChangedMeanwhile({ domain, set, next = texts.changedText }: Props) {
  const last = useLastChange(domain, set)
  const { values } = set
  return (
    <div role="alert">
      <Callout tone="warn" title={texts.changed(setName(set))}>
        {last && <p>{texts.changedBy(makerOf(last), formatAgo(last.created_at))}</p>}
        {values && (
          <ul className="my-1 font-mono text-sm break-all">
            {values.map((value) => (
              <li key={value}>{readable(set.type, value)}</li>
            ))}
          </ul>
        )}
        <p>{values ? next : texts.goneText}</p>
      </Callout>
    </div>
  )
}
