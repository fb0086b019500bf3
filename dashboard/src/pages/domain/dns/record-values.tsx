// Contents of a record set. Long texts and long lists are cut, with a button that shows everything.
import { useState } from 'react'
import type { DnsRecords } from 'sdk'
import { setName } from '../../../lib/dns/record-queries.ts'
import { readable } from '../../../lib/dns/value-forms.ts'
import { recordTexts as texts } from '../../../messages/dns/record-texts.ts'

const many = 5
const long = 160

export function RecordValues({ set }: { set: DnsRecords }) {
  const [isWhole, setWhole] = useState(false)
  const values = set.values.map((value) => readable(set.type, value))
  const isCut = values.length > many || values.some(({ length }) => length > long)
  const shown = isWhole ? values : values.slice(0, many)
  const name = setName(set)
  return (
    <>
      <ul className="font-mono text-sm break-all">
        {shown.map((value) => (
          <li key={value} className={isWhole ? '' : 'line-clamp-3'}>
            {value}
          </li>
        ))}
      </ul>
      {isCut && (
        <button
          type="button"
          aria-expanded={isWhole}
          aria-label={isWhole ? texts.lessOf(name) : texts.wholeOf(name)}
          onClick={() => setWhole(!isWhole)}
          className="min-h-6 text-sm text-accent-ink hover:underline"
        >
          {isWhole ? texts.less : texts.whole}
        </button>
      )}
    </>
  )
}
