// Settings of approvals: the price above which an approval needs a fresh log-in, and notifications
// of this browser.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { ApprovalSettings } from 'sdk'
import { getApprovalSettings, updateApprovalSettings } from 'sdk-of-approvals'
import { Link } from 'wouter'
import { Button, buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Field } from '../../components/field.tsx'
import { Select } from '../../components/forms/select.tsx'
import { Switch } from '../../components/forms/switch.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { useConfirmedOwner } from '../../components/sign-in/confirm-owner.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { answerOf, fieldProblems } from '../../lib/api.ts'
import { approvalsKey } from '../../lib/limits/pending-approvals.ts'
import { currencies } from '../../lib/money/balance-queries.ts'
import { routes } from '../../lib/routes.ts'
import { showToast } from '../../lib/toasts.ts'
import { settingsTexts } from '../../messages/approvals/settings-texts.ts'
import { PushSwitch } from './push-switch.tsx'

const settingsKey = [...approvalsKey, 'settings'] as const
const texts = settingsTexts.logIn

export default function ApprovalSettingsPage() {
  const settings = useQuery({
    queryKey: settingsKey,
    queryFn: () => answerOf(getApprovalSettings()),
  })
  const back = (
    <Link href={routes.approvals} className={buttonClass()}>
      {settingsTexts.back}
    </Link>
  )
  return (
    <>
      <PageHeader title={settingsTexts.title} subtitle={settingsTexts.subtitle} actions={back} />
      <div className="grid max-w-3xl gap-5">
        <PushSwitch />
        {settings.isPending && <Skeleton lines={4} />}
        {settings.isError && (
          <ErrorNotice error={settings.error} onRetry={() => void settings.refetch()} />
        )}
        {settings.data && <FreshLogIn above={settings.data.fresh_log_in_above} />}
      </div>
    </>
  )
}

type Above = ApprovalSettings['fresh_log_in_above']

const currencyOptions = currencies.map((value) => ({ value, label: value }))
/** The amount that is suggested while none is set. */
const usual = { amount: '100.00', currency: 'USD' } as const

function FreshLogIn({ above }: { above: Above }) {
  const queries = useQueryClient()
  const { run, isBusy, error, dialog } = useConfirmedOwner()
  const [isOn, setOn] = useState(above !== null)
  const [draft, setDraft] = useState(above ?? usual)
  const save = (event: FormEvent) => {
    event.preventDefault()
    const next = isOn ? { ...draft, amount: draft.amount.trim() } : null
    void run(async () => {
      const body = { fresh_log_in_above: next }
      queries.setQueryData(settingsKey, await answerOf(updateApprovalSettings({ body })))
      showToast({ title: texts.saved })
    })
  }
  const problem = fieldProblems(error).amount
  return (
    <Card title={texts.title}>
      <form onSubmit={save} noValidate className="flex flex-col items-start gap-4 p-5">
        <p className="text-muted">{texts.text}</p>
        {error !== null && problem === undefined && <ErrorNotice error={error} />}
        <div className="flex items-center gap-3">
          <Switch label={texts.on} checked={isOn} onChange={setOn} />
          <span aria-hidden="true">{texts.on}</span>
        </div>
        {isOn ? (
          <div className="flex flex-wrap items-start gap-3">
            <Field
              label={texts.amount}
              inputMode="decimal"
              autoComplete="off"
              value={draft.amount}
              problem={problem}
              onChange={(event) => setDraft({ ...draft, amount: event.currentTarget.value })}
            />
            <span className="pt-6.5">
              <Select
                label={texts.currency}
                value={draft.currency}
                options={currencyOptions}
                onChange={(currency) => setDraft({ ...draft, currency })}
              />
            </span>
          </div>
        ) : (
          <p className="rounded-lg bg-warn-soft px-4 py-3 text-warn">{texts.off}</p>
        )}
        <Button type="submit" look="primary" busy={isBusy}>
          {texts.save}
        </Button>
      </form>
      {dialog}
    </Card>
  )
}
