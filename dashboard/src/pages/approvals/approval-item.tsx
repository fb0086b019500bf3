// One request that waits for the owner, or its result. The agent chose its name itself, so the name
// stays apart from our sentences (decision 21).

import { useState } from 'react'
import { type ApprovalResponse, approveRequest, declineRequest } from 'sdk'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { DomainName } from '../../components/domain-name.tsx'
import { Field } from '../../components/field.tsx'
import { Checkbox } from '../../components/forms/checkbox.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { useConfirmedOwner } from '../../components/sign-in/confirm-owner.tsx'
import { answerOf } from '../../lib/api.ts'
import { formatAgo, formatDay, formatMoment, formatMoney } from '../../lib/format.ts'
import { useApprovalsChanged } from '../../lib/limits/pending-approvals.ts'
import { approvalTexts as texts } from '../../messages/approvals/approval-texts.ts'
import { ChangeFacts } from './change-facts.tsx'
import { Ending } from './ending.tsx'
import { ObstacleCallout } from './obstacle-callout.tsx'
import type { ObstacleOf } from './use-obstacles.ts'

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

type Selection = { isSelected: boolean; onSelect: (is: boolean) => void }
type Props = {
  approval: ApprovalResponse
  obstacleOf: ObstacleOf
  /** Whether the request is selected, or null if it cannot be selected. */
  selection: Selection | null
}

export function ApprovalItem({ approval, obstacleOf, selection }: Props) {
  const { state, domain, reason, asked_by, created_at, expires_at, highest_price } = approval
  return (
    <li className="flex flex-col gap-3 rounded-xl border border-line bg-surface p-5 shadow-card">
      <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
        {selection && state === 'pending' && (
          <Checkbox
            label={texts.select(`${verbOf(approval)} ${domain}`)}
            checked={selection.isSelected}
            onChange={selection.onSelect}
          />
        )}
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
      {highest_price ? (
        <p className="text-xl font-semibold tabular-nums">
          {texts.price(formatMoney(highest_price.amount, highest_price.currency))}
        </p>
      ) : (
        <ChangeFacts approval={approval} />
      )}
      <ul className="text-sm text-muted">
        {highest_price &&
          termsOf(approval).map((term) => (
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
      {state === 'pending' && <Answer approval={approval} obstacleOf={obstacleOf} />}
    </li>
  )
}

/** The terms of a purchase, as far as this page knows them. */
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

function Answer({ approval, obstacleOf }: Pick<Props, 'approval' | 'obstacleOf'>) {
  const { id, domain } = approval
  const [note, setNote] = useState('')
  const { run, isBusy, error, dialog } = useConfirmedOwner()
  const changed = useApprovalsChanged()
  const send = (answer: typeof approveRequest | typeof declineRequest) =>
    run(async () => {
      try {
        await answerOf(answer({ path: { id }, body: note.trim() ? { note: note.trim() } : {} }))
      } finally {
        // This also runs if another tab has answered first.
        changed()
      }
    })
  const words = `${verbOf(approval)} ${domain}`
  const obstacle = obstacleOf([approval])
  return (
    <div className="flex flex-col gap-3">
      {obstacle && <ObstacleCallout obstacle={obstacle} />}
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
          disabled={obstacle !== null}
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
