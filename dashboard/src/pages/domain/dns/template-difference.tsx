// The difference that a template would make, and the records that it would remove.
import type { ReactNode } from 'react'
import type { AppliedDnsTemplateResponse } from 'sdk'
import { Button } from '../../../components/button.tsx'
import { Callout } from '../../../components/callout.tsx'
import { setName } from '../../../lib/dns/record-queries.ts'
import { templateTexts as texts } from '../../../messages/dns/template-texts.ts'
import { RecordDifference } from './record-difference.tsx'
import { RecordWarnings } from './record-warnings.tsx'

type Props = {
  answer: AppliedDnsTemplateResponse
  isBusy: boolean
  onApply: () => void
  children: ReactNode
}

export function TemplateDifference({ answer, isBusy, onApply, children }: Props) {
  const { diff, conflicts } = answer
  const label = conflicts.length > 0 ? texts.replace(diff.length) : texts.apply(diff.length)
  return (
    <>
      {diff.length === 0 ? <p>{texts.same}</p> : <RecordDifference diff={diff} />}
      {conflicts.length > 0 && (
        <Callout tone="warn" title={texts.against}>
          <p>{texts.againstText}</p>
          <ul className="mt-1">
            {conflicts.map((one) => (
              <li key={setName(one)} className="break-words">
                <span className="font-mono">
                  {setName(one)} {one.values.join(', ')}
                </span>
              </li>
            ))}
          </ul>
        </Callout>
      )}
      <RecordWarnings answer={answer} />
      <div className="flex flex-wrap justify-end gap-2">
        {children}
        {diff.length > 0 && (
          <Button look="primary" busy={isBusy} onClick={onApply}>
            {label}
          </Button>
        )}
      </div>
    </>
  )
}
