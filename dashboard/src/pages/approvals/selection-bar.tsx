// Several requests at once. All of them can be declined; they can be approved together only if each
// is a purchase, with their sum in view. A change may give a domain away, so it is approved by
// itself.
import { useState } from 'react'
import { type ApprovalResponse, approveRequest, declineRequest } from 'sdk'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { useConfirmedOwner } from '../../components/sign-in/confirm-owner.tsx'
import { ApiError, answerOf } from '../../lib/api.ts'
import { formatMoney } from '../../lib/format.ts'
import { useApprovalsChanged } from '../../lib/limits/pending-approvals.ts'
import { sumOf } from '../../lib/money/amounts.ts'
import { showToast } from '../../lib/toasts.ts'
import { approvalTexts } from '../../messages/approvals/approval-texts.ts'
import { ObstacleCallout } from './obstacle-callout.tsx'
import type { ObstacleOf } from './use-obstacles.ts'

const texts = approvalTexts.several

type Props = {
  selected: readonly ApprovalResponse[]
  obstacleOf: ObstacleOf
  onDone: () => void
}

export function SelectionBar({ selected, obstacleOf, onDone }: Props) {
  const { run, isBusy, error, dialog } = useConfirmedOwner()
  const [failed, setFailed] = useState<readonly unknown[]>([])
  const changed = useApprovalsChanged()
  const sum = sumOfPurchases(selected)
  const obstacle = sum === null ? null : obstacleOf(selected)
  const send = (answer: typeof approveRequest | typeof declineRequest, done: string) =>
    run(async () => {
      const errors = await answerEach(selected, answer).finally(changed)
      setFailed(errors)
      if (errors.length > 0) return
      showToast({ title: done })
      onDone()
    })
  const count = selected.length
  return (
    <section
      aria-label={texts.label}
      className="sticky top-[calc(var(--band)+4rem)] z-10 mb-4 flex flex-col gap-3 rounded-xl border border-accent bg-raised p-4 shadow-popup"
    >
      <p className="font-medium">{sum === null ? texts.mixed(count) : texts.sum(count, sum)}</p>
      {sum === null && <p className="text-sm text-muted">{texts.oneByOne}</p>}
      {obstacle && <ObstacleCallout obstacle={obstacle} />}
      {error !== null && <ErrorNotice error={error} />}
      {failed.length > 0 && <ErrorNotice error={failed[0]} />}
      <div className="flex flex-wrap gap-2">
        {sum !== null && (
          <Button
            look="primary"
            busy={isBusy}
            disabled={obstacle !== null}
            onClick={() => void send(approveRequest, texts.approved(count))}
          >
            {texts.approve(count, sum)}
          </Button>
        )}
        <Button busy={isBusy} onClick={() => void send(declineRequest, texts.declined(count))}>
          {texts.decline(count)}
        </Button>
        <Button look="ghost" busy={isBusy} onClick={onDone}>
          {texts.none}
        </Button>
      </div>
      {dialog}
    </section>
  )
}

/**
 * A fresh log-in is asked for once; then all requests are answered again, which changes no earlier
 * answer.
 */
async function answerEach(
  selected: readonly ApprovalResponse[],
  answer: typeof approveRequest | typeof declineRequest,
): Promise<unknown[]> {
  const errors: unknown[] = []
  for (const { id } of selected)
    try {
      await answerOf(answer({ path: { id }, body: {} }))
    } catch (error) {
      if (error instanceof ApiError && error.failure.code === 'fresh_log_in_needed') throw error
      errors.push(error)
    }
  return errors
}

/** The sum for each currency, or null if one of the requests is not a purchase. */
function sumOfPurchases(selected: readonly ApprovalResponse[]): string | null {
  const prices = selected.flatMap(({ highest_price }) => highest_price ?? [])
  if (prices.length < selected.length) return null
  const groups = Map.groupBy(prices, ({ currency }) => currency)
  return Array.from(groups, ([currency, group]) =>
    formatMoney(sumOf(group.map(({ amount }) => amount)), currency),
  ).join(' + ')
}
