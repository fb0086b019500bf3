// Dialog that creates an API key: name, scopes, and limits in a section that opens.
import { type FormEvent, useState } from 'react'
import { Field } from '../../components/field.tsx'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { Icon } from '../../components/icon.tsx'
import { ExpiryField } from '../../components/limits/expiry-field.tsx'
import { LimitFields } from '../../components/limits/limit-fields.tsx'
import { useFirstInvalid } from '../../components/limits/use-first-invalid.ts'
import { ErrorNotice } from '../../components/notice.tsx'
import { Dialog } from '../../components/popups/dialog.tsx'
import { useConfirmation } from '../../components/sign-in/confirm-owner.tsx'
import { fieldProblems } from '../../lib/api.ts'
import { useKeyChanges } from '../../lib/api-key-queries.ts'
import { type ExpiryDraft, expiryDraftOf, expiryOf } from '../../lib/limits/expiry-draft.ts'
import {
  emptyDraft,
  isAnyShown,
  type LimitDraft,
  type LimitProblems,
  limitsOf,
  problemsOfLimits,
} from '../../lib/limits/limit-draft.ts'
import { summaryOf, wordsOfAsking, wordsOfSpend } from '../../lib/limits/limit-words.ts'
import { useBalances } from '../../lib/money/balance-queries.ts'
import { presets, type Scope } from '../../lib/scopes.ts'
import { limitTexts } from '../../messages/account/limit-texts.ts'
import { apiKeyTexts } from '../../messages/api-key-texts.ts'
import { ScopePicker } from './scope-picker.tsx'

const texts = apiKeyTexts.form

type Props = {
  onClose: () => void
  onCreated: (made: { value: string; scopes: readonly Scope[] }) => void
}

export function CreateKeyDialog({ onClose, onCreated }: Props) {
  const key = useNewKey(onCreated)
  const { create, scopes, draft } = key
  const form = useFirstInvalid(create.error)
  const fields = fieldProblems(create.error)
  const ofSent = problemsOfLimits(fields, { sent: key.sent, draft: key.sent })
  const isShown = fields.name !== undefined || isAnyShown(ofSent)
  return (
    <Dialog open onClose={onClose} title={texts.title} description={texts.text}>
      <form ref={form} onSubmit={key.submit} noValidate className="flex flex-col gap-4">
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
          onChange={key.setScopes}
        />
        {scopes.length === 0 && (
          <p role="alert" className="text-sm text-bad">
            {texts.noScope}
          </p>
        )}
        <LimitSection {...key} problems={problemsOfLimits(fields, key)} />
        <FormButtons action={texts.submit} busy={create.isPending} onCancel={onClose} />
      </form>
      {key.dialog}
    </Dialog>
  )
}

/**
 * The values of the form, and the request that creates the key, after a fresh log-in if one is
 * needed.
 */
function useNewKey(onCreated: Props['onCreated']) {
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
  return {
    ...{ scopes, setScopes, draft, setDraft, sent, expiry, setExpiry },
    ...{ create, submit, dialog },
  }
}

type SectionProps = {
  draft: LimitDraft
  setDraft: (draft: LimitDraft) => void
  expiry: ExpiryDraft
  setExpiry: (expiry: ExpiryDraft) => void
  problems: LimitProblems
}

function LimitSection({ draft, setDraft, expiry, setExpiry, problems }: SectionProps) {
  return (
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
        <ExpiryField draft={expiry} old={null} problem={problems.expires_at} onChange={setExpiry} />
      </div>
    </details>
  )
}

/** The draft is in the currency of the first balance until something is typed. */
function useLimitDraft() {
  const currency = useBalances().data?.[0]?.currency
  const [draft, setDraft] = useState<LimitDraft | null>(null)
  return [draft ?? emptyDraft(currency), setDraft] as const
}
