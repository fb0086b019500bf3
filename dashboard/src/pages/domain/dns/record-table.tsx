// Record sets as a table, or as cards on phones. A set is edited in its place, below its host.
import { type ReactNode, useState } from 'react'
import type { ChangedDnsRecordsResponse, DnsRecords } from 'sdk'
import { Button } from '../../../components/button.tsx'
import { PartPlace } from '../../../components/part-place.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { setName } from '../../../lib/dns/record-queries.ts'
import { formatTtl } from '../../../lib/dns/ttl.ts'
import { earlyPart } from '../../../lib/parts/lazy-part.ts'
import { useIsPhone } from '../../../lib/use-media.ts'
import { recordTexts as texts } from '../../../messages/dns/record-texts.ts'
import { RecordValues } from './record-values.tsx'

const EditRecord = earlyPart(() => import('./edit-record.tsx'))

const { columns } = texts
const at_once = 100

type Changed = (answer: ChangedDnsRecordsResponse) => void
type Props = {
  domain: string
  sets: readonly DnsRecords[]
  /** The name of the set that is edited, or null if none is. */
  edited: string | null
  onEdit: (name: string | null) => void
  onRemove: (set: DnsRecords) => void
  onChanged: Changed
}

export function RecordTable(props: Props) {
  const [most, setMost] = useState(at_once)
  const { sets, edited } = props
  const isPhone = useLayout(edited !== null)
  const shown = sets.slice(0, most)
  const left = sets.length - shown.length
  return (
    <>
      <div className="overflow-hidden rounded-xl border border-line bg-surface shadow-card">
        {isPhone ? <Cards {...props} sets={shown} /> : <Rows {...props} sets={shown} />}
      </div>
      {left > 0 && (
        <Button className="mt-3" onClick={() => setMost(most + at_once)}>
          {texts.more(Math.min(left, at_once))}
        </Button>
      )}
    </>
  )
}

/**
 * Whether the layout is that of a phone. It stays while a form is open, because the form of a
 * turned phone would lose the typed text.
 */
function useLayout(isKept: boolean): boolean {
  const isPhone = useIsPhone()
  const [shown, show] = useState(isPhone)
  if (!isKept && shown !== isPhone) show(isPhone)
  return shown
}

function Rows({ sets, edited, ...rest }: Props) {
  return (
    <table aria-label={texts.list} className="w-full table-fixed border-collapse">
      <thead className="border-b border-line bg-sunken text-left text-sm text-muted">
        <tr>
          <th className="w-[22%] px-4 py-2 font-medium">{columns.host}</th>
          <th className="w-24 px-4 py-2 font-medium">{columns.type}</th>
          <th className="px-4 py-2 font-medium">{columns.values}</th>
          <th className="w-28 px-4 py-2 font-medium max-lg:hidden">{columns.ttl}</th>
          <th className="w-40 px-4 py-2">
            <span className="sr-only">{columns.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {sets.map((set) =>
          edited === setName(set) ? (
            <tr key={setName(set)}>
              <td colSpan={5}>
                <Editor set={set} {...rest} />
              </td>
            </tr>
          ) : (
            <tr key={setName(set)} className="align-top hover:bg-sunken">
              <th scope="row" className="px-4 py-2.5 text-left font-mono text-sm font-medium">
                <span className="break-all">{set.host}</span>
              </th>
              <td className="px-4 py-2.5 font-mono text-sm">{set.type}</td>
              <td className="px-4 py-2.5">
                <RecordValues set={set} />
              </td>
              <td className="px-4 py-2.5 text-sm text-muted max-lg:hidden">{formatTtl(set.ttl)}</td>
              <td className="px-3 py-1.5 text-right">
                <Actions set={set} {...rest} />
              </td>
            </tr>
          ),
        )}
      </tbody>
    </table>
  )
}

function Cards({ sets, edited, ...rest }: Props) {
  return (
    <ul aria-label={texts.list} className="divide-y divide-line">
      {sets.map((set) => (
        <li key={setName(set)}>
          {edited === setName(set) ? (
            <Editor set={set} {...rest} />
          ) : (
            <div className="flex flex-col gap-1.5 px-4 py-3">
              <p className="flex flex-wrap items-baseline gap-x-3 font-mono text-sm">
                <span className="font-medium break-all">{set.host}</span>
                <span>{set.type}</span>
                <span className="font-sans text-muted">{formatTtl(set.ttl)}</span>
              </p>
              <RecordValues set={set} />
              <Actions set={set} {...rest} />
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

type OneProps = Omit<Props, 'sets' | 'edited'> & { set: DnsRecords }

function Editor({ domain, set, onEdit, onChanged }: OneProps): ReactNode {
  return (
    <PartPlace skeleton={<Skeleton />}>
      <EditRecord
        domain={domain}
        set={set}
        onClose={() => onEdit(null)}
        onSaved={(answer) => {
          onEdit(null)
          onChanged(answer)
        }}
      />
    </PartPlace>
  )
}

function Actions({ set, onEdit, onRemove }: OneProps) {
  const name = setName(set)
  if (set.managed)
    return <span className="inline-block py-1 text-sm text-muted">{texts.managed}</span>
  return (
    <span className="inline-flex gap-1">
      <Button
        size="sm"
        data-set={name}
        aria-label={texts.editOf(name)}
        onClick={() => onEdit(name)}
      >
        {texts.edit}
      </Button>
      <Button
        size="sm"
        look="ghost"
        aria-label={texts.removeOf(name)}
        onClick={() => onRemove(set)}
      >
        {texts.remove}
      </Button>
    </span>
  )
}
