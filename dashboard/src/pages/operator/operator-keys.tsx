// Operator keys: the list, and dialogs that create, rotate and revoke a key. A secret is shown
// once.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OperatorKey } from 'sdk'
import {
  createOperatorKey,
  listOperatorKeys,
  revokeOperatorKey,
  rotateOperatorKey,
} from 'sdk-of-operators'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Field } from '../../components/field.tsx'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { ConfirmDialog, Dialog } from '../../components/popups/dialog.tsx'
import { RemovalDialog } from '../../components/popups/removal-dialog.tsx'
import { SecretOnce } from '../../components/sign-in/secret-once.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { answerOf, fieldProblems } from '../../lib/api.ts'
import { formatAgo, formatDay } from '../../lib/format.ts'
import { operatorKeyTexts as texts } from '../../messages/operator/operator-key-texts.ts'

const keysKey = ['operator-keys'] as const
const of_settings = 'environment'

type Asked = { action: 'create' } | { action: 'rotate' | 'revoke'; key: OperatorKey }
type Given = { operator_key: string; key: OperatorKey }

export default function OperatorKeysPage() {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [secret, setSecret] = useState<Given | null>(null)
  const keys = useQuery({ queryKey: keysKey, queryFn: () => answerOf(listOperatorKeys()) })
  const onGiven = (given: Given) => {
    setAsked(null)
    setSecret(given)
  }
  const close = () => setAsked(null)
  return (
    <>
      <PageHeader
        title={texts.title}
        subtitle={texts.subtitle}
        actions={
          <Button look="primary" onClick={() => setAsked({ action: 'create' })}>
            {texts.create}
          </Button>
        }
      />
      {keys.isPending && <Skeleton lines={6} />}
      {keys.isError && <ErrorNotice error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.data && <KeyList keys={keys.data.keys} onAsk={setAsked} />}
      {asked?.action === 'create' && <CreateDialog onGiven={onGiven} onClose={close} />}
      {asked?.action === 'rotate' && (
        <RotateDialog operatorKey={asked.key} onGiven={onGiven} onClose={close} />
      )}
      {asked?.action === 'revoke' && <RevokeDialog operatorKey={asked.key} onClose={close} />}
      {secret && <SecretDialog value={secret.operator_key} onStored={() => setSecret(null)} />}
    </>
  )
}

type List = { keys: readonly OperatorKey[]; onAsk: (asked: Asked) => void }

function KeyList({ keys, onAsk }: List) {
  const [isWhole, setWhole] = useState(false)
  const active = keys.filter(({ revoked_at }) => revoked_at === null)
  const revoked = keys.length - active.length
  return (
    <>
      <Card>
        <ul className="divide-y divide-line">
          {(isWhole ? keys : active).map((key) => (
            <KeyRow key={key.id} operatorKey={key} onAsk={onAsk} />
          ))}
        </ul>
      </Card>
      {revoked > 0 && (
        <Button look="ghost" className="mt-3" onClick={() => setWhole(!isWhole)}>
          {isWhole ? texts.hideRevoked : texts.showRevoked(revoked)}
        </Button>
      )}
    </>
  )
}

type RowProps = { operatorKey: OperatorKey; onAsk: (asked: Asked) => void }

function KeyRow({ operatorKey: key, onAsk }: RowProps) {
  const { name, key_prefix, current, created_at, rotated_at, last_used_at, revoked_at } = key
  const isOfSettings = name === of_settings
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium break-words">{name}</span>
          {key_prefix && <code className="font-mono text-sm text-muted">{key_prefix}…</code>}
          {current && <Badge tone="accent">{texts.current}</Badge>}
          {revoked_at && <Badge tone="bad">{texts.revoked}</Badge>}
        </p>
        <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-muted">
          <span>{last_used_at ? texts.used(formatAgo(last_used_at)) : texts.neverUsed}</span>
          <span>{texts.created(formatDay(created_at))}</span>
          {rotated_at && <span>{texts.rotatedAt(formatDay(rotated_at))}</span>}
          {isOfSettings && <span>{texts.ofSettings}</span>}
        </p>
      </div>
      {revoked_at === null && !isOfSettings && (
        <div className="flex gap-2">
          <Button
            size="sm"
            aria-label={texts.rotateOf(name)}
            onClick={() => onAsk({ action: 'rotate', key })}
          >
            {texts.rotate}
          </Button>
          <Button
            size="sm"
            aria-label={texts.revokeOf(name)}
            onClick={() => onAsk({ action: 'revoke', key })}
          >
            {texts.revoke}
          </Button>
        </div>
      )}
    </li>
  )
}

/** Changes a key, and then reads the list again. */
function useKeyChange(change: () => Promise<Given>, onGiven: (given: Given) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (given) => {
      onGiven(given)
      return queries.invalidateQueries({ queryKey: keysKey })
    },
  })
}

type Giving = { onGiven: (given: Given) => void; onClose: () => void }

function CreateDialog({ onGiven, onClose }: Giving) {
  const [name, setName] = useState('')
  const creation = useKeyChange(() => answerOf(createOperatorKey({ body: { name } })), onGiven)
  const { name: problem } = fieldProblems(creation.error)
  return (
    <Dialog open onClose={onClose} title={texts.create} description={texts.createText}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!creation.isPending) creation.mutate()
        }}
      >
        {creation.isError && !problem && <ErrorNotice error={creation.error} />}
        <Field
          label={texts.name}
          hint={texts.nameHint}
          name="name"
          value={name}
          maxLength={64}
          required
          autoComplete="off"
          problem={problem}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <FormButtons action={texts.create} busy={creation.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

function RotateDialog({ operatorKey, onGiven, onClose }: Giving & { operatorKey: OperatorKey }) {
  const { id, name } = operatorKey
  const rotation = useKeyChange(
    () => answerOf(rotateOperatorKey({ path: { key_id: id } })),
    onGiven,
  )
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={texts.rotateOf(name)}
      description={texts.rotateText}
      name={name}
      action={texts.rotate}
      busy={rotation.isPending}
      error={rotation.error}
      onConfirm={() => rotation.mutate()}
    />
  )
}

type Revoking = { operatorKey: OperatorKey; onClose: () => void }

function RevokeDialog({ operatorKey: { id, name }, onClose }: Revoking) {
  return (
    <RemovalDialog
      title={texts.revokeOf(name)}
      text={texts.revokeText}
      name={name}
      action={texts.revoke}
      done={texts.revokeDone(name)}
      remove={() => answerOf(revokeOperatorKey({ path: { key_id: id } }))}
      stale={[keysKey]}
      onClose={onClose}
    />
  )
}

function SecretDialog({ value, onStored }: { value: string; onStored: () => void }) {
  const { title, text, stored } = texts.secret
  return (
    <Dialog open isDismissible={false} onClose={onStored} title={title} description={text}>
      <SecretOnce label={texts.title} value={value} />
      <Button look="primary" className="self-end" onClick={onStored}>
        {stored}
      </Button>
    </Dialog>
  )
}
