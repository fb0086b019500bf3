// Dialog that changes or removes the limits of an API key, with its expiry, or of an app.
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { fieldProblems } from '../../lib/api.ts'
import { expiryDraftOf, expiryOf } from '../../lib/limits/expiry-draft.ts'
import {
  changesOf,
  draftOf,
  isAnyShown,
  type LimitChanges,
  type Limits,
  problemsOfLimits,
} from '../../lib/limits/limit-draft.ts'
import { showToast } from '../../lib/toasts.ts'
import { limitTexts as texts } from '../../messages/account/limit-texts.ts'
import { FormButtons } from '../forms/form-buttons.tsx'
import { ErrorNotice } from '../notice.tsx'
import { Dialog } from '../popups/dialog.tsx'
import { useConfirmation } from '../sign-in/confirm-owner.tsx'
import { ExpiryField } from './expiry-field.tsx'
import { LimitFields } from './limit-fields.tsx'
import { useFirstInvalid } from './use-first-invalid.ts'

type Changes = LimitChanges & { expires_at?: string | null }

type Props = {
  /** The name of the key or the app. */
  name: string
  limits: Limits
  /** The expiry of a key; undefined for an app, which has none. */
  expires_at?: string | null
  save: (changes: Changes) => Promise<unknown>
  /** The query that is read again after the change. */
  stale: QueryKey
  onClose: () => void
}

export function ChangeLimitsDialog({ name, limits, expires_at, save, stale, onClose }: Props) {
  const queries = useQueryClient()
  const { confirmed, dialog } = useConfirmation()
  const [draft, setDraft] = useState(() => draftOf(limits))
  const [sent, setSent] = useState(draft)
  const [expiry, setExpiry] = useState(() => expiryDraftOf(expires_at ?? null))
  const change = useMutation({
    mutationFn: (changes: Changes) => confirmed(() => save(changes)),
    onSuccess: () => {
      onClose()
      showToast({ title: texts.saved(name) })
      return queries.invalidateQueries({ queryKey: stale })
    },
  })
  const form = useFirstInvalid(change.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (change.isPending) return
    setSent(draft)
    const ends = expiryOf(expiry, expires_at ?? null)
    const isSame = expires_at === undefined || ends === expires_at
    const changes = { ...changesOf(draft, limits), ...(!isSame && { expires_at: ends }) }
    if (Object.keys(changes).length === 0) onClose()
    else change.mutate(changes)
  }
  const refused = fieldProblems(change.error)
  const problems = problemsOfLimits(refused, { sent, draft })
  const isShown = isAnyShown(problemsOfLimits(refused, { sent, draft: sent }))
  return (
    <Dialog open onClose={onClose} title={texts.changeOf(name)} description={texts.changeText}>
      <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
        {change.isError && !isShown && <ErrorNotice error={change.error} />}
        <LimitFields draft={draft} problems={problems} onChange={setDraft} />
        {expires_at !== undefined && (
          <ExpiryField
            draft={expiry}
            old={expires_at}
            problem={problems.expires_at}
            onChange={setExpiry}
          />
        )}
        <FormButtons action={texts.save} busy={change.isPending} onCancel={onClose} />
      </form>
      {dialog}
    </Dialog>
  )
}
