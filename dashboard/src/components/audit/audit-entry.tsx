// Entry of the audit log: a sentence, and on demand the stored entry and its proof.
import { useId, useState } from 'react'
import type { AuditLogResponse } from 'sdk'
import { formatTime } from '../../lib/format.ts'
import { auditTexts as texts } from '../../messages/audit/audit-texts.ts'
import { Badge, type Tone } from '../badge.tsx'
import { CodeBlock } from '../code-block.tsx'
import { Icon } from '../icon.tsx'
import { isDryRun, isParked } from './audit-entries.ts'
import { AuditSentence } from './audit-sentence.tsx'
import { Proof } from './proof.tsx'

type Result = keyof typeof texts.results

const tones: Record<Exclude<Result, 'success'>, Tone> = {
  denied: 'bad',
  failed: 'bad',
  pending: 'accent',
  unknown: 'accent',
}

function hasBadge(result: string): result is keyof typeof tones {
  return result in tones
}

export function Entry({ entry }: { entry: AuditLogResponse }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { created_at, result, error_code, actor_type, actor_label } = entry
  const isKeyNamed = actor_type === 'api_key' && actor_label !== null
  const source = entryPointOf(entry.entry_point)
  return (
    <li className="px-5 py-2.5">
      <div className="flex items-start gap-4">
        <time
          dateTime={created_at}
          className="w-16 shrink-0 text-sm leading-5.5 text-muted tabular-nums max-sm:w-14"
        >
          {formatTime(created_at)}
        </time>
        <div className="min-w-0 grow">
          <AuditSentence entry={entry} />
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
            <span>{isKeyNamed ? `${source}, ${texts.withKey(actor_label)}` : source}</span>
            {hasBadge(result) && <ResultBadge entry={entry} result={result} />}
            {error_code && <span>{wordsOf(error_code)}</span>}
          </p>
        </div>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="inline-flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2 text-sm text-muted hover:bg-sunken hover:text-ink"
        >
          <span className="max-sm:sr-only">{texts.details}</span>
          <Icon name="chevron" className={`size-3.5 ${isOpen ? 'rotate-180' : ''}`} />
        </button>
      </div>
      <div id={id}>
        {isOpen && (
          <div className="mt-2 mb-1 sm:ml-20">
            <CodeBlock label={texts.raw} code={JSON.stringify(entry, null, 2)} />
            <Proof audit_log_id={entry.id} />
          </div>
        )}
      </div>
    </li>
  )
}

/** An error code as words; the details show the code itself. */
const wordsOf = (code: string) => code.replaceAll('_', ' ')

function ResultBadge({ entry, result }: { entry: AuditLogResponse; result: keyof typeof tones }) {
  if (isDryRun(entry)) return <Badge tone="warn">{texts.notPossible}</Badge>
  if (isParked(entry)) return <Badge tone="warn">{texts.underReview}</Badge>
  return <Badge tone={tones[result]}>{texts.results[result]}</Badge>
}

function entryPointOf(entry_point: string): string {
  const names: Readonly<Record<string, string>> = texts.entryPoints
  return names[entry_point] ?? entry_point
}
