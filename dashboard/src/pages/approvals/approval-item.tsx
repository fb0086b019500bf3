// One request that waits for the owner, or its result. The agent's name is its own choice, and
// stays apart from our sentences (decision 21).
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApprovalResponse, approveRequest, declineRequest } from 'sdk'
import { Link } from 'wouter'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { DomainName } from '../../components/domain-name.tsx'
import { Field } from '../../components/field.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { useConfirmedOwner } from '../../components/sign-in/confirm-owner.tsx'
import { answerOf } from '../../lib/api.ts'
import { formatAgo, formatDay, formatMoment, formatMoney } from '../../lib/format.ts'
import { approvalsKey } from '../../lib/limits/pending-approvals.ts'
import { domainPath } from '../../lib/routes.ts'
import { approvalTexts as texts } from '../../messages/approvals/approval-texts.ts'

const tones: Readonly<Record<ApprovalResponse['state'], Tone>> = {
  pending: 'accent',
  approved: 'warn',
  executed: 'good',
  failed: 'bad',
  declined: 'neutral',
  expired: 'neutral',
  voided: 'bad',
}

const actionWords = new Map<string, string>(Object.entries(texts.actions))
const verbOf = ({ action }: ApprovalResponse) =>
  actionWords.get(action) ?? action.replaceAll('_', ' ')

export function ApprovalItem({ approval }: { approval: ApprovalResponse }) {
  const { state, domain, reason, asked_by, created_at, expires_at, highest_price } = approval
  return (
    <li className="flex flex-col gap-3 rounded-xl border border-line bg-surface p-5 shadow-card">
      <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
        <Badge tone={tones[state]}>{texts.states[state]}</Badge>
        <time dateTime={created_at} title={formatMoment(created_at)}>
          {texts.asked(formatAgo(created_at))}
        </time>
        {state === 'pending' && <span>{texts.until(formatDay(expires_at))}</span>}
      </p>
      <p className="flex flex-wrap items-baseline gap-x-1.5">
        <span>{asked_by.of === 'app' ? texts.ofApp : texts.ofKey}</span>
        <bdi className="min-w-0 rounded-md border border-dashed border-edge px-2 py-0.5 font-medium break-words">
          {asked_by.name}
        </bdi>
        <span>{texts.asks}</span>
        <span className="font-medium">{verbOf(approval)}</span>
        <DomainName domain={domain} />
      </p>
      <p className="text-xl font-semibold tabular-nums">
        {highest_price
          ? texts.price(formatMoney(highest_price.amount, highest_price.currency))
          : texts.free}
      </p>
      <ul className="text-sm text-muted">
        {termsOf(approval).map((term) => (
          <li key={term} className="break-words">
            {term}
          </li>
        ))}
        <li>{texts.reasons[reason]}</li>
        <li className="break-words">
          <bdi>{texts.agent(asked_by.agent)}</bdi>
        </li>
      </ul>
      <Ending approval={approval} />
      {state === 'pending' && <Answer approval={approval} />}
    </li>
  )
}

/** The terms of the request, as far as this page knows them. */
function termsOf({ request }: ApprovalResponse): string[] {
  const { period_years, nameservers, auto_renew } = request
  return [
    ...(typeof period_years === 'number' ? [texts.years(period_years)] : []),
    ...(Array.isArray(nameservers) && nameservers.length > 0
      ? [texts.nameservers(nameservers.join(', '))]
      : []),
    ...(typeof auto_renew === 'boolean' ? [texts.autoRenew(auto_renew)] : []),
  ]
}

function Ending({ approval }: { approval: ApprovalResponse }) {
  const { state, error, note, domain, action } = approval
  if (state === 'pending') return null
  const isCode = action.endsWith('transfer_auth_code')
  return (
    <div className="flex flex-col gap-1 text-sm">
      {error && <p className="break-words">{texts.because(error.code, error.detail)}</p>}
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

function Answer({ approval }: { approval: ApprovalResponse }) {
  const { id, domain } = approval
  const [note, setNote] = useState('')
  const { run, isBusy, error, dialog } = useConfirmedOwner()
  const queries = useQueryClient()
  const send = (answer: typeof approveRequest | typeof declineRequest) =>
    run(async () => {
      try {
        await answerOf(answer({ path: { id }, body: note.trim() ? { note: note.trim() } : {} }))
      } finally {
        // Also where another tab has answered first.
        void queries.invalidateQueries({ queryKey: approvalsKey })
      }
    })
  const words = `${verbOf(approval)} ${domain}`
  return (
    <div className="flex flex-col gap-3">
      {error !== null && <ErrorNotice error={error} />}
      <Field
        label={texts.note}
        hint={texts.noteHint}
        name={`note-${id}`}
        maxLength={500}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          busy={isBusy}
          aria-label={texts.approveOf(words)}
          onClick={() => void send(approveRequest)}
        >
          {texts.approve}
        </Button>
        <Button
          busy={isBusy}
          aria-label={texts.declineOf(words)}
          onClick={() => void send(declineRequest)}
        >
          {texts.decline}
        </Button>
      </div>
      {dialog}
    </div>
  )
}
