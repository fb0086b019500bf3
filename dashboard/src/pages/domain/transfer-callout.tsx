// A pending transfer: its steps, the party that must act, and the answers that the user can give.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  approveTransfer,
  cancelTransfer,
  type DomainStatusResponse,
  type DomainTransfer,
  rejectTransfer,
} from 'sdk'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PartPlace } from '../../components/part-place.tsx'
import { ConfirmDialog } from '../../components/popups/dialog.tsx'
import { useConfirmation } from '../../components/sign-in/confirm-owner.tsx'
import { Stepper } from '../../components/stepper.tsx'
import { answerOf } from '../../lib/api.ts'
import { storeDomain } from '../../lib/domains/domain-queries.ts'
import { earlyPart } from '../../lib/parts/lazy-part.ts'
import { showToast } from '../../lib/toasts.ts'
import { scanTexts } from '../../messages/dns/scan-texts.ts'
import { domainPageTexts } from '../../messages/domain-page-texts.ts'

const ScanRecords = earlyPart(() => import('./dns/scan-records.tsx'))

const texts = domainPageTexts.out
const inTexts = domainPageTexts.in
const words = { current: texts.current, done: texts.done }

export default function TransferCallout({ domain }: { domain: DomainStatusResponse }) {
  const { status, transfer, operation } = domain
  if (transfer) return <TransferOut domain={domain} transfer={transfer} />
  const isComing = operation?.type === 'transfer' && operation.state !== 'failed'
  if (status === 'transfer_pending' || (status === 'pending' && isComing))
    return <TransferIn domain={domain} />
  return null
}

function useAnswer(send: () => Promise<DomainStatusResponse>, title: string, text?: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: async (answer) => {
      showToast({ title, description: text })
      await storeDomain(queries, answer)
    },
  })
}

type Out = { domain: DomainStatusResponse; transfer: DomainTransfer }

function TransferOut({ domain: { domain, domain_unicode }, transfer }: Out) {
  const [isAsking, setAsking] = useState(false)
  const path = { domain }
  const { confirmed, dialog } = useConfirmation()
  const approval = useAnswer(
    () => confirmed(() => answerOf(approveTransfer({ path }))),
    texts.approved(domain_unicode),
  )
  const rejection = useAnswer(
    () => answerOf(rejectTransfer({ path })),
    texts.rejected(domain_unicode),
    texts.rejectedText,
  )
  const error = approval.error ?? rejection.error
  return (
    <Card title={texts.title} className="border-accent">
      <div className="flex flex-col gap-4 p-5">
        <Stepper
          label={texts.stepsLabel}
          steps={texts.steps(transfer.requested_by)}
          current={1}
          words={words}
        />
        <p>{texts.actor}</p>
        {error && <ErrorNotice error={error} />}
        <div className="flex gap-2">
          <Button look="primary" busy={rejection.isPending} onClick={() => rejection.mutate()}>
            {texts.reject}
          </Button>
          <Button onClick={() => setAsking(true)}>{texts.approve}</Button>
        </div>
      </div>
      {dialog}
      <ConfirmDialog
        open={isAsking && !dialog}
        onClose={() => setAsking(false)}
        title={texts.approveTitle(domain_unicode)}
        description={texts.approveText}
        name={domain_unicode}
        action={texts.approve}
        busy={approval.isPending}
        onConfirm={() => approval.mutate(undefined, { onSettled: () => setAsking(false) })}
      />
    </Card>
  )
}

function TransferIn({ domain }: { domain: DomainStatusResponse }) {
  const [isAsking, setAsking] = useState(false)
  const [isScanning, setScanning] = useState(false)
  const { domain: name, domain_unicode, status } = domain
  const isAccepted = status === 'transfer_pending'
  const cancellation = useAnswer(
    () => answerOf(cancelTransfer({ path: { domain: name } })),
    inTexts.cancelled(domain_unicode),
  )
  return (
    <Card title={inTexts.title} className="border-accent">
      <div className="flex flex-col gap-4 p-5">
        <Stepper
          label={texts.stepsLabel}
          steps={inTexts.steps}
          current={isAccepted ? 2 : 1}
          words={words}
        />
        <p>{isAccepted ? inTexts.actor : domainPageTexts.next.pending}</p>
        {cancellation.isError && <ErrorNotice error={cancellation.error} />}
        {isAccepted && (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setScanning(true)}>{scanTexts.open}</Button>
            <Button onClick={() => setAsking(true)}>{inTexts.cancel}</Button>
          </div>
        )}
      </div>
      {isScanning && (
        <PartPlace>
          <ScanRecords domain={name} isEarly onClose={() => setScanning(false)} />
        </PartPlace>
      )}
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={inTexts.cancelTitle(domain_unicode)}
        description={inTexts.cancelText}
        name={domain_unicode}
        action={inTexts.cancel}
        busy={cancellation.isPending}
        onConfirm={() => cancellation.mutate(undefined, { onSettled: () => setAsking(false) })}
      />
    </Card>
  )
}
