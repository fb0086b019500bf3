// Linked identities of the account: list, link another, remove. The list is hidden if the service
// has no identity providers and the account has no identities.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type IdentityResponse, listIdentities, removeIdentity } from 'sdk'
import { useSearch } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { answerOf, doneOf } from '../../lib/api.ts'
import { formatAgo, formatDay } from '../../lib/format.ts'
import { useServiceFacts } from '../../lib/sign-in/service-facts.ts'
import { openProviderToLink, useLeaving } from '../../lib/sign-in/sso.ts'
import { securityTexts } from '../../messages/account-texts.ts'
import { RemoveCredential } from './remove-credential.tsx'

const texts = securityTexts.identities
const identitiesKey = ['identities'] as const

export function Identities() {
  const [asked, setAsked] = useState<IdentityResponse | null>(null)
  const facts = useServiceFacts()
  const providers = facts.state === 'read' ? facts.signUp.sso_providers : []
  const identities = useQuery({
    queryKey: identitiesKey,
    queryFn: async () => (await answerOf(listIdentities())).identities,
  })
  const isUsed = providers.length > 0 || (identities.data?.length ?? 0) > 0
  if (!isUsed && !identities.isError) return null
  return (
    <Card title={texts.title}>
      <p className="px-5 pt-5 text-muted">{texts.text}</p>
      {identities.isPending && <Skeleton lines={2} />}
      {identities.isError && (
        <ErrorNotice error={identities.error} onRetry={() => void identities.refetch()} />
      )}
      {identities.data?.length === 0 && <p className="px-5 pt-2 font-medium">{texts.none}</p>}
      <ul className="mt-3 divide-y divide-line">
        {identities.data?.map((identity) => (
          <Identity key={identity.id} identity={identity} onRemove={() => setAsked(identity)} />
        ))}
      </ul>
      {facts.state === 'read' && providers.length > 0 && (
        <LinkAnother providers={providers} names={facts.signUp.sso_provider_names} />
      )}
      {asked && (
        <RemoveCredential
          name={asked.provider_name}
          texts={texts}
          queryKey={identitiesKey}
          onRemove={() => doneOf(removeIdentity({ path: { id: asked.id } }))}
          onClose={() => setAsked(null)}
        />
      )}
    </Card>
  )
}

type IdentityProps = { identity: IdentityResponse; onRemove: () => void }

function Identity({ identity, onRemove }: IdentityProps) {
  const { provider_name, email, created_at, last_used_at } = identity
  return (
    <li className="flex items-center justify-between gap-4 px-5 py-3">
      <div className="min-w-0">
        <p className="min-w-0 font-medium break-words">
          {provider_name}
          {email && <span className="font-normal text-muted"> · {email}</span>}
        </p>
        <p className="text-sm text-muted">
          {texts.linked(formatDay(created_at))} ·{' '}
          {last_used_at ? texts.used(formatAgo(last_used_at)) : texts.neverUsed}
        </p>
      </div>
      <Button size="sm" aria-label={texts.removeLabel(provider_name, email)} onClick={onRemove}>
        {texts.remove}
      </Button>
    </li>
  )
}

type LinkProps = { providers: readonly string[]; names: Readonly<Record<string, string>> }

function LinkAnother({ providers, names }: LinkProps) {
  const search = new URLSearchParams(useSearch())
  const failed = search.get('sso_error')
  const { opened, error, open } = useLeaving(openProviderToLink, failed)
  return (
    <div className="flex flex-col gap-3 border-t border-line p-5">
      {error !== null && <ErrorNotice error={error} />}
      {search.has('confirmed') && (
        <p role="status" className="rounded-lg bg-good-soft px-4 py-3 text-good">
          {texts.confirmed}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {providers.map((id) => (
          <Button key={id} busy={opened === id} onClick={() => void open(id)}>
            {texts.link(names[id] ?? id)}
          </Button>
        ))}
      </div>
    </div>
  )
}
