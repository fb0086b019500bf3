// API keys: the list, and dialogs that create, limit, rotate and revoke a key. A secret is shown
// once, in a dialog.
import { useState } from 'react'
import { type ApiKeyResponse, updateApiKey } from 'sdk'
import { useSearchParams } from 'wouter'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Select } from '../../components/forms/select.tsx'
import { ChangeLimitsDialog } from '../../components/limits/change-limits-dialog.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { ConfirmDialog } from '../../components/popups/dialog.tsx'
import { useConfirmation } from '../../components/sign-in/confirm-owner.tsx'
import { SecretDialog } from '../../components/sign-in/secret-dialog.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { LongList } from '../../components/table/long-list.tsx'
import { answerOf } from '../../lib/api.ts'
import { apiKeysKey, useApiKeys, useFirstGrants, useKeyChanges } from '../../lib/api-key-queries.ts'
import type { Scope } from '../../lib/scopes.ts'
import { useServiceUrls } from '../../lib/sign-in/service-facts.ts'
import { showToast } from '../../lib/toasts.ts'
import { useUrlFilters } from '../../lib/url-filters.ts'
import { apiKeyTexts as texts } from '../../messages/api-key-texts.ts'
import { CreateKeyDialog } from './create-key.tsx'
import { nameOf } from './key-limits.tsx'
import { isUsable, type KeyAction, KeyRow } from './key-row.tsx'
import { isUsedAs, keyUses } from './key-use.ts'

type Secret = { value: string; scopes: readonly Scope[] }
type Asked = { action: 'rotate' | 'revoke'; key: ApiKeyResponse }

export default function ApiKeysPage() {
  const keys = useApiKeys()
  const { textOf, set } = useUrlFilters()
  const [search] = useSearchParams()
  const isCreating = search.has('create')
  const setCreating = (is: boolean) => set('create', is ? 'new' : '')
  // The open dialog is in the URL, since a log-in with a provider leaves the page.
  const limited = keys.data?.find((key) => isUsable(key) && String(key.id) === textOf('limits'))
  const [asked, setAsked] = useState<Asked | null>(null)
  const onAsk = (action: KeyAction, key: ApiKeyResponse) => {
    if (action === 'limit') set('limits', String(key.id))
    else setAsked({ action, key })
  }
  const [secret, setSecret] = useState<Secret | null>(null)
  const onCreated = (made: Secret) => {
    setCreating(false)
    setSecret(made)
  }
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  )
  return (
    <>
      <PageHeader title={texts.title} subtitle={texts.subtitle} actions={create} />
      {keys.isPending && <Skeleton lines={6} />}
      {keys.isError && <ErrorNotice error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.data && <KeyList keys={keys.data} onAsk={onAsk} />}
      {keys.data?.length === 0 && <NoKeys onCreate={() => setCreating(true)} />}
      {isCreating && <CreateKeyDialog onClose={() => setCreating(false)} onCreated={onCreated} />}
      {limited && <LimitKey apiKey={limited} onClose={() => set('limits', '')} />}
      {asked && <ConfirmChange asked={asked} onEnd={() => setAsked(null)} onSecret={setSecret} />}
      {secret !== null && (
        <SecretDialog
          value={secret.value}
          readsAccount={secret.scopes.includes('account:read')}
          onStored={() => setSecret(null)}
        />
      )}
    </>
  )
}

function LimitKey({ apiKey, onClose }: { apiKey: ApiKeyResponse; onClose: () => void }) {
  const { id: api_key_id, customer_id, expires_at } = apiKey
  return (
    <ChangeLimitsDialog
      name={nameOf(apiKey)}
      limits={apiKey}
      expires_at={expires_at}
      save={(body) => answerOf(updateApiKey({ path: { customer_id, api_key_id }, body }))}
      stale={apiKeysKey}
      onClose={onClose}
    />
  )
}

type List = {
  keys: readonly ApiKeyResponse[]
  onAsk: (action: KeyAction, key: ApiKeyResponse) => void
}

const useOptions = [
  { value: '', label: texts.uses.any },
  ...keyUses.map((value) => ({ value, label: texts.uses[value] })),
]

function KeyList({ keys, onAsk }: List) {
  const [isWhole, setWhole] = useState(false)
  const { textOf, set } = useUrlFilters()
  const use = textOf('use')
  const usable = keys.filter((key) => isUsable(key))
  const isOfApp = usable.some(({ oauth_grant_id }) => oauth_grant_id !== null)
  const grants = useFirstGrants(isOfApp).data?.oauth_grants ?? []
  const ended = keys.length - usable.length
  const listed = isWhole ? keys : usable
  return (
    <>
      <LongList
        items={listed.filter((key) => isUsedAs(key, use))}
        total={listed.length}
        textOf={(key) => `${nameOf(key)} ${key.key_prefix}`}
        searchLabel={texts.search}
        filters={
          <Select
            label={texts.use}
            value={use}
            options={useOptions}
            onChange={(value) => set('use', value)}
          />
        }
        render={(key) => (
          <KeyRow
            key={key.id}
            apiKey={key}
            makers={{ keys, grants }}
            onAsk={(action) => onAsk(action, key)}
          />
        )}
      />
      {ended > 0 && (
        <Button look="ghost" className="mt-3" onClick={() => setWhole(!isWhole)}>
          {isWhole ? texts.hideRevoked : texts.showRevoked(ended)}
        </Button>
      )}
    </>
  )
}

type Confirm = { asked: Asked; onEnd: () => void; onSecret: (made: Secret) => void }

function ConfirmChange({ asked: { action, key }, onEnd, onSecret }: Confirm) {
  const { confirmed, dialog } = useConfirmation()
  const { rotate, revoke } = useKeyChanges(confirmed)
  const change = action === 'rotate' ? rotate : revoke
  const name = nameOf(key)
  const onConfirm = () => {
    if (action === 'rotate')
      rotate.mutate(key.id, {
        onSuccess: ({ api_key }) => {
          onEnd()
          onSecret({ value: api_key, scopes: key.scopes })
        },
      })
    else
      revoke.mutate(key.id, {
        onSuccess: () => {
          onEnd()
          showToast({ title: texts.revokeDone(name) })
        },
      })
  }
  return (
    dialog ?? (
      <ConfirmDialog
        open
        onClose={onEnd}
        title={action === 'rotate' ? texts.rotateOf(name) : texts.revokeOf(name)}
        description={action === 'rotate' ? texts.rotateText : texts.revokeText}
        name={key.name?.trim() || key.key_prefix}
        action={texts[action]}
        busy={change.isPending}
        error={change.error}
        onConfirm={onConfirm}
      />
    )
  )
}

function NoKeys({ onCreate }: { onCreate: () => void }) {
  const { base_url } = useServiceUrls()
  const curl = `curl ${base_url}/v1/account \\
  -H "Authorization: Bearer $API_KEY"`
  const action = (
    <Button look="primary" onClick={onCreate}>
      {texts.create}
    </Button>
  )
  return <EmptyState icon="key" {...texts.empty} action={action} curl={curl} />
}
