// Dialog that creates an API key: name, scopes, and limits in a section that opens.
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Icon } from '../../components/icon.tsx'
import { ExpiryField } from '../../components/limits/expiry-field.tsx'
import { LimitFields } from '../../components/limits/limit-fields.tsx'
import { useFirstInvalid } from '../../components/limits/use-first-invalid.ts'
import { ErrorNotice } from '../../components/notice.tsx'
import { Dialog } from '../../components/popups/dialog.tsx'
import { useConfirmation } from '../../components/sign-in/confirm-owner.tsx'
import { fieldProblems } from '../../lib/api.ts'
import { useKeyChanges } from '../../lib/api-key-queries.ts'
import { expiryDraftOf, expiryOf } from '../../lib/limits/expiry-draft.ts'
import {
  emptyDraft,
  isAnyShown,
  type LimitDraft,
  limitsOf,
  problemsOfLimits,
} from '../../lib/limits/limit-draft.ts'
import { summaryOf, wordsOfAsking, wordsOfSpend } from '../../lib/limits/limit-words.ts'
import { useBalances } from '../../lib/money/balance-queries.ts'
import { presets, type Scope } from '../../lib/scopes.ts'
import { limitTexts } from '../../messages/account/limit-texts.ts'
import { apiKeyTexts } from '../../messages/api-key-texts.ts'
import { common } from '../../messages/common-texts.ts'
import { ScopePicker } from './scope-picker.tsx'

const texts = apiKeyTexts.form

type Props = {
  onClose: () => void
  onCreated: (made: { value: string; scopes: readonly Scope[] }) => void
}

export function CreateKeyDialog({ onClose, onCreated }: Props) {
  const { confirmed, dialog } = useConfirmation()
  const { create } = useKeyChanges(confirmed)
  const [scopes, setScopes] = useState<Scope[]>([...presets.read])
  const [draft, setDraft] = useLimitDraft()
  const [sent, setSent] = useState(draft)
  const [expiry, setExpiry] = useState(() => expiryDraftOf(null))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (create.isPending || scopes.length === 0) return
    setSent(draft)
    const name = String(new FormData(event.currentTarget).get('name')).trim() || null
    create.mutate(
      { name, scopes, expires_at: expiryOf(expiry, null), ...limitsOf(draft) },
      { onSuccess: ({ api_key }) => onCreated({ value: api_key, scopes }) },
    )
  }
  const form = useFirstInvalid(create.error)
  const fields = fieldProblems(create.error)
  const problems = problemsOfLimits(fields, { sent, draft })
  const ofSent = problemsOfLimits(fields, { sent, draft: sent })
  const isShown = fields.name !== undefined || isAnyShown(ofSent)
  return (
    <Dialog open onClose={onClose} title={texts.title} description={texts.text}>
      <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
        {create.isError && !isShown && <ErrorNotice error={create.error} />}
        <Field
          label={texts.name}
          name="name"
          maxLength={100}
          autoComplete="off"
          placeholder={texts.namePlaceholder}
          hint={texts.nameHint}
          problem={fields.name}
        />
        <ScopePicker
          value={scopes}
          limit={wordsOfSpend(draft)}
          above={wordsOfAsking(draft)}
          onChange={setScopes}
        />
        {scopes.length === 0 && (
          <p role="alert" className="text-sm text-bad">
            {texts.noScope}
          </p>
        )}
        <details className="group rounded-lg border border-line">
          <summary className="flex min-h-10 cursor-pointer list-none items-center gap-2 px-3 font-medium -outline-offset-2 hover:bg-sunken">
            <Icon
              name="chevron"
              className="size-3.5 -rotate-90 text-muted transition-transform group-open:rotate-0"
            />
            <span className="grow">{limitTexts.form.open}</span>
            <span className="text-sm font-normal text-muted">{summaryOf(draft)}</span>
          </summary>
          <div className="flex flex-col gap-4 px-3 pt-2 pb-3">
            <LimitFields draft={draft} problems={problems} onChange={setDraft} />
            <ExpiryField
              draft={expiry}
              old={null}
              problem={problems.expires_at}
              onChange={setExpiry}
            />
          </div>
        </details>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" look="primary" busy={create.isPending}>
            {texts.submit}
          </Button>
        </div>
      </form>
      {dialog}
    </Dialog>
  )
}

/** In the currency of the first balance until something is typed. */
function useLimitDraft() {
  const currency = useBalances().data?.[0]?.currency
  const [draft, setDraft] = useState<LimitDraft | null>(null)
  return [draft ?? emptyDraft(currency), setDraft] as const
}
