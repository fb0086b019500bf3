// Dialog that adds a webhook, or changes its URL, its description and its event types.
import { type FormEvent, useState } from 'react'
import type { Webhook } from 'sdk'
import { Field } from '../../components/field.tsx'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { Dialog } from '../../components/popups/dialog.tsx'
import { fieldProblems } from '../../lib/api.ts'
import { showToast } from '../../lib/toasts.ts'
import { eventFamilies, webhookTexts } from '../../messages/webhook-texts.ts'
import { hostOf, useWebhookChanges } from './webhook-queries.ts'

const texts = webhookTexts.form
const families: readonly string[] = eventFamilies.map(({ word }) => word)

type Props = {
  /** The webhook to change, or undefined to add one. */
  webhook?: Webhook
  onClose: () => void
  onSecret: (secret: string) => void
}

export function WebhookForm({ webhook, onClose, onSecret }: Props) {
  const form = useWebhookForm({ onClose, onSecret, ...(webhook && { webhook }) })
  const { chosen, setChosen, isEmpty, change } = form
  const problems = fieldProblems(change.error)
  const { url, description, types } = problems
  const isShown = [url, description, types].some((problem) => problem !== undefined)
  const title = webhook ? webhookTexts.editOf(hostOf(webhook)) : texts.title
  return (
    <Dialog open onClose={onClose} title={title} {...(!webhook && { description: texts.text })}>
      <form onSubmit={form.submit} noValidate className="flex flex-col gap-4">
        {change.isError && !isShown && <ErrorNotice error={change.error} />}
        <PlaceFields webhook={webhook} problems={problems} />
        <Families chosen={chosen} onChange={setChosen} />
        <Field
          label={texts.single}
          name="types"
          autoComplete="off"
          spellCheck={false}
          defaultValue={chosen.filter((word) => !families.includes(word)).join(' ')}
          hint={texts.singleHint}
          problem={isEmpty ? texts.noType : types}
        />
        <FormButtons
          action={webhook ? texts.save : texts.submit}
          busy={change.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}

/** The types that are chosen, and the request that adds or changes the webhook. */
function useWebhookForm({ webhook, onClose, onSecret }: Props) {
  const { create, update } = useWebhookChanges()
  const [chosen, setChosen] = useState<readonly string[]>(webhook?.types ?? families)
  const [isEmpty, setEmpty] = useState(false)
  const change = webhook ? update : create
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (change.isPending) return
    const body = bodyOf(new FormData(event.currentTarget), chosen)
    setEmpty(body.types.length === 0)
    if (body.types.length === 0) return
    if (webhook === undefined) create.mutate(body, { onSuccess: ({ secret }) => onSecret(secret) })
    else
      update.mutate(
        { id: webhook.id, ...body },
        {
          onSuccess: (changed) => {
            onClose()
            showToast({ title: texts.saved(hostOf(changed)) })
          },
        },
      )
  }
  return { chosen, setChosen, isEmpty, change, submit }
}

function bodyOf(data: FormData, chosen: readonly string[]) {
  const textOf = (name: string) => String(data.get(name) ?? '').trim()
  const single = textOf('types')
    .split(/[\s,]+/)
    .filter(Boolean)
  const types = [...chosen.filter((word) => families.includes(word)), ...single]
  return { url: textOf('url'), description: textOf('description'), types }
}

type PlaceProps = {
  webhook: Webhook | undefined
  problems: Readonly<Record<string, string>>
}

function PlaceFields({ webhook, problems }: PlaceProps) {
  return (
    <>
      <Field
        label={texts.url}
        name="url"
        type="url"
        inputMode="url"
        autoComplete="off"
        maxLength={2_000}
        defaultValue={webhook?.url}
        placeholder={texts.urlPlaceholder}
        hint={texts.urlHint}
        problem={problems.url}
      />
      <Field
        label={texts.description}
        name="description"
        autoComplete="off"
        maxLength={200}
        defaultValue={webhook?.description ?? ''}
        hint={texts.descriptionHint}
        problem={problems.description}
      />
    </>
  )
}

type Choice = { chosen: readonly string[]; onChange: (words: readonly string[]) => void }

function Families({ chosen, onChange }: Choice) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{texts.types}</legend>
      <div className="grid grid-cols-2 gap-x-3 rounded-lg border border-line p-2">
        {eventFamilies.map(({ word, label }) => (
          <label
            key={word}
            className="flex min-h-8 cursor-pointer items-center gap-2.5 rounded-md px-2 hover:bg-sunken"
          >
            <input
              type="checkbox"
              checked={chosen.includes(word)}
              onChange={(event) =>
                onChange(
                  event.currentTarget.checked
                    ? [...chosen, word]
                    : chosen.filter((one) => one !== word),
                )
              }
              className="size-4 shrink-0 accent-accent"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
