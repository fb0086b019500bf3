// One API key of the list: name, prefix, scopes, limits, times, and its actions.
import type { ReactNode } from 'react'
import type { ApiKeyResponse } from 'sdk'
import { scopeTexts } from '../../../../shared/scopes.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { formatAgo, formatDay, formatDistance } from '../../lib/format.ts'
import { presetOf, wordsOfScope } from '../../lib/scopes.ts'
import { limitTexts } from '../../messages/account/limit-texts.ts'
import { apiKeyTexts as texts } from '../../messages/api-key-texts.ts'
import { KeyLimits, type Makers, nameOf } from './key-limits.tsx'

export function isUsable(key: ApiKeyResponse): boolean {
  return key.revoked_at === null && !isExpired(key)
}

function isExpired({ expires_at }: ApiKeyResponse): boolean {
  return expires_at !== null && Date.parse(expires_at) <= Date.now()
}

export type KeyAction = 'limit' | 'rotate' | 'revoke'
type Props = { apiKey: ApiKeyResponse; makers: Makers; onAsk: (action: KeyAction) => void }

export function KeyRow({ apiKey, makers, onAsk }: Props) {
  const { key_prefix, last_used_at, created_at, expires_at, oauth_grant_id, made_by } = apiKey
  const name = nameOf(apiKey)
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 px-5 py-4">
      <div className="min-w-0 grow basis-72">
        <p className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 font-medium break-words">{name}</span>
          <code className="font-mono text-xs text-muted">{key_prefix}…</code>
          {oauth_grant_id !== null && <Badge>{texts.ofApp}</Badge>}
          {made_by === 'operator' && <Badge>{texts.byOperator}</Badge>}
          {made_by === 'api_key' && oauth_grant_id === null && <Badge>{texts.byKey}</Badge>}
          <EndedBadge apiKey={apiKey} />
        </p>
        <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-muted">
          <Fact>{last_used_at ? texts.used(formatAgo(last_used_at)) : texts.neverUsed}</Fact>
          <Fact>{texts.created(formatDay(created_at))}</Fact>
          {expires_at && <Fact>{texts.expires(formatDistance(expires_at))}</Fact>}
        </p>
        <Scopes apiKey={apiKey} />
        {isUsable(apiKey) && <KeyLimits apiKey={apiKey} makers={makers} />}
      </div>
      {isUsable(apiKey) && (
        <div className="flex flex-wrap gap-2">
          <Button size="sm" aria-label={limitTexts.changeOf(name)} onClick={() => onAsk('limit')}>
            {limitTexts.change}
          </Button>
          <Button size="sm" aria-label={texts.rotateOf(name)} onClick={() => onAsk('rotate')}>
            {texts.rotate}
          </Button>
          <Button size="sm" aria-label={texts.revokeOf(name)} onClick={() => onAsk('revoke')}>
            {texts.revoke}
          </Button>
        </div>
      )}
    </li>
  )
}

function Fact({ children }: { children: ReactNode }) {
  return <span className="whitespace-nowrap">{children}</span>
}

function EndedBadge({ apiKey }: { apiKey: ApiKeyResponse }) {
  if (apiKey.revoked_at !== null) return <Badge tone="bad">{texts.revoked}</Badge>
  return isExpired(apiKey) ? <Badge tone="warn">{texts.expired}</Badge> : null
}

function Scopes({ apiKey: { scopes } }: { apiKey: ApiKeyResponse }) {
  const preset = presetOf(scopes)
  const title = preset ? scopeTexts.presets[preset].label : scopeTexts.custom
  return (
    <details className="mt-1 text-sm">
      <summary className="w-fit cursor-pointer text-muted hover:text-ink">
        {title} · {texts.permissions(scopes.length)}
      </summary>
      <ul className="mt-1.5 list-disc pl-5 text-muted">
        {scopes.map((scope) => (
          <li key={scope}>{wordsOfScope(scope)}</li>
        ))}
      </ul>
    </details>
  )
}
