// Callout about the last paid operation, while it is open or after it has failed.
import type { DomainStatusResponse } from 'sdk'
import { Callout } from '../../components/callout.tsx'
import { formatDay } from '../../lib/format.ts'
import { sentenceOf } from '../../lib/words/failure-words.ts'
import { domainPageTexts } from '../../messages/domain-page-texts.ts'

const texts = domainPageTexts.operation

type Props = { domain: Pick<DomainStatusResponse, 'operation' | 'status'> }

export function OperationCallout({ domain: { operation, status } }: Props) {
  if (operation === null || operation.state === 'succeeded') return null
  // The steps of the transfer say this already.
  if (operation.state === 'pending' && status === 'transfer_pending') return null
  const { id, type, state, error, created_at } = operation
  const since = formatDay(created_at)
  const text = {
    pending: texts.pendingText(since),
    unknown: texts.unknownText(since),
    failed: texts.failedText(error?.detail ? sentenceOf(error.code, error.detail) : ''),
  }[state]
  const tone = ({ pending: 'accent', unknown: 'warn', failed: 'bad' } as const)[state]
  return (
    <Callout tone={tone} title={texts[state](texts.types[type])}>
      <p>{text}</p>
      <p className="mt-1 font-mono text-xs text-muted">{texts.id(id)}</p>
    </Callout>
  )
}
