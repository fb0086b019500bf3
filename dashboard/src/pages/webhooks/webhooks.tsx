// Webhooks: the list, dialogs that add, change and delete one, and the secret, which is shown once.
import { useState } from 'react'
import type { Webhook } from 'sdk'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Dialog } from '../../components/popups/dialog.tsx'
import { RemovalDialog } from '../../components/popups/removal-dialog.tsx'
import { SecretOnce } from '../../components/sign-in/secret-once.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useServiceUrls } from '../../lib/sign-in/service-facts.ts'
import { common } from '../../messages/common-texts.ts'
import { webhookTexts as texts } from '../../messages/webhook-texts.ts'
import { WebhookForm } from './webhook-form.tsx'
import { type WebhookAction, WebhookItem } from './webhook-item.tsx'
import {
  hostOf,
  removeWebhook,
  useWebhookChanges,
  useWebhooks,
  webhooksKey,
} from './webhook-queries.ts'

type Asked = { action: 'create' } | { action: WebhookAction; webhook: Webhook }

export default function WebhooksPage() {
  const webhooks = useWebhooks()
  const [asked, setAsked] = useState<Asked | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const onCreate = () => setAsked({ action: 'create' })
  const create = (
    <Button look="primary" onClick={onCreate}>
      {texts.create}
    </Button>
  )
  return (
    <>
      <PageHeader title={texts.title} subtitle={texts.subtitle} actions={create} />
      {webhooks.isPending && <Skeleton lines={6} />}
      {webhooks.isError && (
        <ErrorNotice error={webhooks.error} onRetry={() => void webhooks.refetch()} />
      )}
      {webhooks.data?.length === 0 && <NoWebhooks onCreate={onCreate} />}
      <ul className="flex flex-col gap-4">
        {webhooks.data?.map((webhook) => (
          <WebhookItem
            key={webhook.id}
            webhook={webhook}
            onAsk={(action) => setAsked({ action, webhook })}
          />
        ))}
      </ul>
      {asked && <Asking asked={asked} onEnd={() => setAsked(null)} onSecret={setSecret} />}
      {secret !== null && <Secret value={secret} onStored={() => setSecret(null)} />}
    </>
  )
}

type AskingProps = { asked: Asked; onEnd: () => void; onSecret: (secret: string) => void }

function Asking({ asked, onEnd, onSecret }: AskingProps) {
  const end = (secret: string) => {
    onEnd()
    onSecret(secret)
  }
  if (asked.action === 'create') return <WebhookForm onClose={onEnd} onSecret={end} />
  const { action, webhook } = asked
  if (action === 'edit') return <WebhookForm webhook={webhook} onClose={onEnd} onSecret={end} />
  if (action === 'rotate') return <Rotation webhook={webhook} onClose={onEnd} onSecret={end} />
  const host = hostOf(webhook)
  return (
    <RemovalDialog
      title={texts.removeOf(host)}
      text={texts.removeText}
      name={host}
      action={texts.remove}
      done={texts.removed(host)}
      remove={() => removeWebhook(webhook)}
      stale={[webhooksKey]}
      onClose={onEnd}
    />
  )
}

type RotationProps = { webhook: Webhook; onClose: () => void; onSecret: (secret: string) => void }

function Rotation({ webhook, onClose, onSecret }: RotationProps) {
  const { rotate } = useWebhookChanges()
  const onRotate = () => rotate.mutate(webhook.id, { onSuccess: ({ secret }) => onSecret(secret) })
  return (
    <Dialog open onClose={onClose} title={texts.rotateOf(hostOf(webhook))}>
      <p className="text-muted">{texts.rotateText}</p>
      {rotate.isError && <ErrorNotice error={rotate.error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button look="primary" busy={rotate.isPending} onClick={onRotate}>
          {texts.rotate}
        </Button>
      </div>
    </Dialog>
  )
}

function Secret({ value, onStored }: { value: string; onStored: () => void }) {
  const { title, text, label, stored } = texts.secret
  return (
    <Dialog open isDismissible={false} onClose={onStored} title={title} description={text}>
      <SecretOnce label={label} value={value} />
      <Button look="primary" className="self-end" onClick={onStored}>
        {stored}
      </Button>
    </Dialog>
  )
}

function NoWebhooks({ onCreate }: { onCreate: () => void }) {
  const { base_url } = useServiceUrls()
  const curl = `curl ${base_url}/v1/webhooks \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"url":"https://hooks.example.com/registrar"}'`
  const action = (
    <Button look="primary" onClick={onCreate}>
      {texts.create}
    </Button>
  )
  return <EmptyState icon="send" {...texts.empty} action={action} curl={curl} />
}
