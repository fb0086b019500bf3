// The limits of an API key: its own, and those of the keys and of the app that it was made with.
import type { ApiKeyResponse, OAuthGrantResponse } from 'sdk'
import { LimitList } from '../../components/limits/limit-list.tsx'
import { ancestorsOf, isLimited } from '../../lib/limits/inherited.ts'
import type { Limits } from '../../lib/limits/limit-draft.ts'
import { wordsOfLimits } from '../../lib/limits/limit-words.ts'
import { limitTexts } from '../../messages/account/limit-texts.ts'
import { apiKeyTexts } from '../../messages/api-key-texts.ts'

const texts = limitTexts.shown

export type Makers = {
  keys: readonly ApiKeyResponse[]
  grants: readonly OAuthGrantResponse[]
}

export function nameOf({ name }: ApiKeyResponse): string {
  return name?.trim() || apiKeyTexts.unnamed
}

type Props = { apiKey: ApiKeyResponse; makers: Makers }

export function KeyLimits({ apiKey, makers: { keys, grants } }: Props) {
  const ancestors = ancestorsOf(apiKey, keys).filter(isLimited)
  // The list does not have the grant of an earlier consent of the app.
  const app = grants.find(({ id }) => id === apiKey.oauth_grant_id)
  const isUnknownApp = apiKey.oauth_grant_id !== null && app === undefined
  const ofApp = app && isLimited(app) ? app : null
  const all: readonly Limits[] = [apiKey, ...ancestors, ...(ofApp ? [ofApp] : [])]
  const buys = apiKey.scopes.includes('domains:purchase')
  const isFree = buys && !isUnknownApp && all.every(({ spend_limit }) => spend_limit === null)
  if (!isFree && !isUnknownApp && !all.some(isLimited)) return null
  return (
    <LimitList label={limitTexts.label} limits={apiKey}>
      {isFree && <li className="text-muted">{texts.none}</li>}
      {ancestors.map((one) => (
        <Inherited key={one.id} from={texts.ofKey(nameOf(one))} limits={one} />
      ))}
      {ofApp && <Inherited from={texts.ofApp} limits={ofApp} />}
      {isUnknownApp && <li className="text-muted">{texts.ofUnknownApp}</li>}
    </LimitList>
  )
}

function Inherited({ from, limits }: { from: string; limits: Limits }) {
  return (
    <li className="text-muted">
      {from}
      <ul className="list-disc pl-5">
        {wordsOfLimits(limits).map((words) => (
          <li key={words} className="break-words tabular-nums">
            {words}
          </li>
        ))}
      </ul>
    </li>
  )
}
