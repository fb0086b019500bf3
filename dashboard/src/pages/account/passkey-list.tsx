// Passkeys of the account: list, add, remove, and the reason if this page cannot use passkeys.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { listPasskeys, type PasskeyResponse, removePasskey } from 'sdk'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Field } from '../../components/field.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { useConfirmedOwner } from '../../components/sign-in/confirm-owner.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { answerOf } from '../../lib/api.ts'
import { formatAgo, formatDay } from '../../lib/format.ts'
import { usePasskeyObstacle } from '../../lib/sign-in/passkey-obstacle.ts'
import { showToast } from '../../lib/toasts.ts'
import { securityTexts } from '../../messages/account-texts.ts'
import { RemoveCredential } from './remove-credential.tsx'

const texts = securityTexts.passkeys
const passkeysKey = ['passkeys'] as const

export function Passkeys() {
  const [asked, setAsked] = useState<PasskeyResponse | null>(null)
  const passkeys = useQuery({
    queryKey: passkeysKey,
    queryFn: async () => (await answerOf(listPasskeys())).passkeys,
  })
  return (
    <Card title={texts.title}>
      <p className="px-5 pt-5 text-muted">{texts.text}</p>
      {passkeys.isPending && <Skeleton lines={2} />}
      {passkeys.isError && (
        <ErrorNotice error={passkeys.error} onRetry={() => void passkeys.refetch()} />
      )}
      {passkeys.data?.length === 0 && <p className="px-5 pt-2 font-medium">{texts.none}</p>}
      <ul className="mt-3 divide-y divide-line">
        {passkeys.data?.map((passkey) => (
          <li key={passkey.id} className="flex items-center justify-between gap-4 px-5 py-3">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2">
                <span className="min-w-0 font-medium break-words">{passkey.name}</span>
                {passkey.backed_up && <Badge>{texts.backedUp}</Badge>}
              </p>
              <p className="text-sm text-muted">
                {texts.created(formatDay(passkey.created_at))} ·{' '}
                {passkey.last_used_at
                  ? texts.used(formatAgo(passkey.last_used_at))
                  : texts.neverUsed}
              </p>
            </div>
            <Button
              size="sm"
              aria-label={texts.removeOf(passkey.name)}
              onClick={() => setAsked(passkey)}
            >
              {texts.remove}
            </Button>
          </li>
        ))}
      </ul>
      <AddPasskey />
      {asked && (
        <RemoveCredential
          name={asked.name}
          texts={texts}
          queryKey={passkeysKey}
          onRemove={() => answerOf(removePasskey({ path: { id: asked.id } }))}
          onClose={() => setAsked(null)}
        />
      )}
    </Card>
  )
}

function AddPasskey() {
  const queries = useQueryClient()
  const { run, isBusy, error, dialog } = useConfirmedOwner()
  const obstacle = usePasskeyObstacle()
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const name = String(new FormData(form).get('name')).trim()
    void run(async () => {
      const { addPasskey } = await import('../../lib/sign-in/passkeys.ts')
      const added = await addPasskey(name)
      form.reset()
      showToast({ title: texts.added(added.name) })
      await queries.invalidateQueries({ queryKey: passkeysKey })
    })
  }
  return (
    <>
      <form onSubmit={add} className="flex flex-col gap-3 border-t border-line p-5">
        {error !== null && <ErrorNotice error={error} />}
        <div className="flex items-end gap-3">
          <div className="grow">
            <Field
              label={texts.name}
              name="name"
              maxLength={64}
              autoComplete="off"
              placeholder={texts.placeholder}
              disabled={obstacle !== null}
            />
          </div>
          <Button type="submit" busy={isBusy} disabled={obstacle !== null}>
            {texts.add}
          </Button>
        </div>
        {obstacle && <p className="text-sm text-muted">{obstacle}</p>}
      </form>
      {dialog}
    </>
  )
}
