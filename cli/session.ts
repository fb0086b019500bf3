// The credential of a command: an API key, or the access token of a log-in, which is renewed before
// it expires and when the service rejects it. Of several commands that run at once, one renews it
// and the others read it.
import {
  type Audience,
  type Credentials,
  type Environment,
  type KeptLogIn,
  openCredentials,
} from './credentials.ts'
import { exitCodes, Failure } from './failure.ts'
import { refresh, usable } from './oauth/tokens.ts'

export type Session = {
  url: string
  kind: 'environment' | 'kept_key' | 'log_in' | 'none'
  credentials: Credentials
  /** The log-in, or null for an API key. */
  scope: () => string | null
  token: (audience?: Audience) => Promise<string>
  /** Another token in place of one that was rejected, or null if there is none. */
  replace: (rejected: string, audience?: Audience) => Promise<string | null>
}

/** `isPublic` is for a command that needs no credential, and uses one if there is any. */
export function openSession(
  environment: Environment,
  { url, isPublic }: { url: string; isPublic: boolean },
): Session {
  const credentials = openCredentials(environment)
  const fixed = environment.AGENT_REGISTRAR_API_KEY
  if (fixed) return ofKey(fixed, { url, credentials, kind: 'environment' })
  const kept = credentials.read(url)
  if (kept === null && isPublic) return ofKey('', { url, credentials, kind: 'none' })
  if (kept === null) throw notLoggedIn(url, `There is no log-in at ${url}`)
  if (kept.type === 'api_key') return ofKey(kept.api_key, { url, credentials, kind: 'kept_key' })
  return ofLogIn(kept, { url, credentials })
}

type Place = Pick<Session, 'url' | 'credentials'>

function ofKey(key: string, place: Place & Pick<Session, 'kind'>): Session {
  return { ...place, scope: () => null, token: async () => key, replace: async () => null }
}

function ofLogIn(first: KeptLogIn, { url, credentials }: Place): Session {
  let kept = first
  const renew = async (audience: Audience, rejected: string | null): Promise<string> => {
    kept = await renewed(credentials, { url, audience, rejected })
    const token = kept.tokens[audience]?.access_token
    if (kept.refresh_token === null || token === undefined) throw ended(url)
    return token
  }
  return {
    url,
    kind: 'log_in',
    credentials,
    scope: () => kept.scope,
    token: async (audience = 'rest') => usable(kept, audience) ?? renew(audience, null),
    replace: (rejected, audience = 'rest') => renew(audience, rejected),
  }
}

type Wanted = { url: string; audience: Audience; rejected: string | null }

/**
 * The file is read again under the lock, because another command may have renewed the token, and a
 * token is used once.
 */
async function renewed(credentials: Credentials, wanted: Wanted): Promise<KeptLogIn> {
  const { url, audience, rejected } = wanted
  const changed = await credentials.change(url, async (now) => {
    if (now?.type !== 'oauth') return now
    const token = usable(now, audience)
    if (token !== null && token !== rejected) return now
    return (await refresh(now, audience)) ?? { ...now, refresh_token: null, tokens: {} }
  })
  if (changed?.type !== 'oauth') throw ended(url)
  return changed
}

const ended = (url: string) =>
  notLoggedIn(url, 'The log-in has ended: it was revoked, or not used for too long')

function notLoggedIn(url: string, message: string): Failure {
  return new Failure(exitCodes.not_logged_in, message, {
    next: `agent-registrar login --url ${url} (or set AGENT_REGISTRAR_API_KEY)`,
  })
}
