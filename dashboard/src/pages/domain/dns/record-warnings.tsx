// Warnings of a change of records: states that are allowed but rarely intended.
import type { ChangedDnsRecordsResponse } from 'sdk'
import { Button } from '../../../components/button.tsx'
import { Callout } from '../../../components/callout.tsx'
import { setName } from '../../../lib/dns/record-queries.ts'
import { formatTtl } from '../../../lib/dns/ttl.ts'
import { recordTexts } from '../../../messages/dns/record-texts.ts'

const texts = recordTexts.warnings
type Answer = Pick<ChangedDnsRecordsResponse, 'warnings' | 'diff' | 'dry_run'>

export function RecordWarnings({ answer, onClose }: { answer: Answer; onClose?: () => void }) {
  const sentences = [...new Set(answer.warnings.flatMap((one) => sentenceOf(one, answer) ?? []))]
  if (sentences.length === 0) return null
  return (
    <Callout tone="warn" title={answer.dry_run ? texts.preview : texts.title}>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence} className="break-words">
            {sentence}
          </li>
        ))}
      </ul>
      {onClose && (
        <Button size="sm" className="mt-2" onClick={onClose}>
          {texts.dismiss}
        </Button>
      )}
    </Callout>
  )
}

function sentenceOf(warning: Answer['warnings'][number], { diff }: Answer): string | null {
  const { code, host, message } = warning
  switch (code) {
    case 'mail_stops':
      return texts.mail_stops(host)
    case 'cached': {
      const name = setName(warning)
      const ttl = diff.find((one) => setName(one) === name)?.before?.ttl
      return ttl === undefined ? message : texts.cached(name, formatTtl(ttl))
    }
    // The band of the page says this already.
    case 'not_served':
      return null
    case 'dangling_target':
    case 'ttl_set':
    case 'ttls_differed':
    case 'more':
      return message
  }
}
