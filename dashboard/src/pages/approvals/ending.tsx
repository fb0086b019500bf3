// End of a request: the owner's note and, if it was approved and failed, the next step.
import type { ApprovalResponse } from 'sdk'
import { Link } from 'wouter'
import { buttonClass } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { topUpRoute } from '../../lib/money/top-up-paths.ts'
import { domainPath, limitsPath, routes } from '../../lib/routes.ts'
import { sentenceOf, useHints } from '../../lib/words/failure-words.ts'
import { approvalTexts as texts } from '../../messages/approvals/approval-texts.ts'
import { endingHints, endingTexts } from '../../messages/approvals/change-texts.ts'

export function Ending({ approval }: { approval: ApprovalResponse }) {
  const { state, note, domain, action } = approval
  if (state === 'pending') return null
  const isCode = action.endsWith('transfer_auth_code')
  return (
    <div className="flex flex-col gap-2 text-sm">
      <Failure approval={approval} />
      {note !== null && (
        <p className="break-words">
          {texts.note}: {note}
        </p>
      )}
      {state === 'approved' && isCode && <p>{texts.repeats}</p>}
      {state === 'executed' && (
        <Link href={domainPath(domain)} className="w-fit text-accent-ink underline">
          {texts.open}
        </Link>
      )}
    </div>
  )
}

function Failure({ approval: { error, state, asked_by } }: { approval: ApprovalResponse }) {
  const hintOf = useHints()
  if (error === null) return null
  const { code, detail } = error
  const way = wayOn(code, asked_by)
  return (
    <Callout
      tone={state === 'failed' ? 'bad' : 'warn'}
      title={detail === null ? texts.states[state] : sentenceOf(code, detail)}
    >
      <p>{endingHints[code] ?? hintOf(code) ?? endingTexts.other}</p>
      {way && (
        <Link href={way.path} className={`${buttonClass('secondary', 'sm')} mt-2`}>
          {way.label}
        </Link>
      )}
    </Callout>
  )
}

function wayOn(code: string, asked_by: ApprovalResponse['asked_by']) {
  switch (code) {
    case 'spend_limit_exceeded':
    case 'domain_not_allowed':
    case 'dns_record_not_allowed':
    case 'currency_not_allowed':
      return { label: endingTexts.limits, path: limitsPath(asked_by) }
    case 'insufficient_funds':
      return { label: endingTexts.addMoney, path: topUpRoute }
    case 'registrant_required':
      return { label: endingTexts.contacts, path: routes.contacts }
    default:
      return null
  }
}
