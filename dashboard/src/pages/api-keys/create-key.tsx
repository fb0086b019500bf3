// Dialog that creates an API key: name, scopes, expiry.
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Select } from '../../components/forms/select.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { Dialog } from '../../components/popups/dialog.tsx'
import { useConfirmation } from '../../components/sign-in/confirm-owner.tsx'
import { fieldProblems } from '../../lib/api.ts'
import { useKeyChanges } from '../../lib/api-key-queries.ts'
import { presets, type Scope } from '../../lib/scopes.ts'
import { apiKeyTexts } from '../../messages/api-keys.ts'
import { common } from '../../messages/common.ts'
import { ScopePicker } from './scope-picker.tsx'

const texts = apiKeyTexts.form
const day_ms = 86_400_000
const expiries = [
  { value: '', label: texts.expiries.never },
  { value: '30', label: texts.expiries[30] },
  { value: '90', label: texts.expiries[90] },
  { value: '365', label: texts.expiries[365] },
]

/** The end of a number of days from now; null without one. */
function expiryOf(days: string): string | null {
  return days === '' ? null : new Date(Date.now() + Number(days) * day_ms).toISOString()
}

type Props = {
  onClose: () => void
  onCreated: (made: { value: string; scopes: readonly Scope[] }) => void
}

export function CreateKeyDialog({ onClose, onCreated }: Props) {
  const { confirmed, dialog } = useConfirmation()
  const { create } = useKeyChanges(confirmed)
  const [scopes, setScopes] = useState<Scope[]>([...presets.read])
  const [days, setDays] = useState('')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (create.isPending || scopes.length === 0) return
    const name = String(new FormData(event.currentTarget).get('name')).trim() || null
    create.mutate(
      { name, scopes, expires_at: expiryOf(days) },
      { onSuccess: ({ api_key }) => onCreated({ value: api_key, scopes }) },
    )
  }
  const fields = fieldProblems(create.error)
  return (
    <Dialog open onClose={onClose} title={texts.title} description={texts.text}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        {create.isError && fields.name === undefined && <ErrorNotice error={create.error} />}
        <Field
          label={texts.name}
          name="name"
          maxLength={100}
          autoComplete="off"
          placeholder={texts.namePlaceholder}
          hint={texts.nameHint}
          problem={fields.name}
        />
        <ScopePicker value={scopes} onChange={setScopes} />
        {scopes.length === 0 && (
          <p role="alert" className="text-sm text-bad">
            {texts.noScope}
          </p>
        )}
        <div className="flex items-center justify-between gap-3">
          <span aria-hidden="true" className="text-sm font-medium">
            {texts.expiry}
          </span>
          <Select label={texts.expiry} value={days} options={expiries} onChange={setDays} />
        </div>
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
