// Interaction policy: the prompts of the user, and the grant that an answered prompt resumes. The
// password is asked for where the browser has no session, and consent at every authorization, so
// that no remembered session ever consents for its owner.

import type { interactionPolicy, KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { App } from '../../app.ts'
import { isDatabaseOutage } from '../../errors/classify.ts'
import type { GrantId } from '../../kit/random.ts'
import type { Library } from '../shared/load-oidc-provider.ts'
import { resumeGrant } from '../storage/browser-sessions.sql.ts'
import { offeredScopes } from './audiences.ts'
import { temporarilyUnavailable } from './error-page.ts'

export function interactionPolicyOf(library: Pick<Library, 'interactionPolicy' | 'errors'>) {
  const { base, Check, Prompt } = library.interactionPolicy
  const policy: interactionPolicy.DefaultPolicy = base()
  const knownScope = new Check('no_known_scope', 'no known scope', 'invalid_scope', (ctx) => {
    if (asksForKnownScope(ctx)) return false
    const words = 'no scope of the request is one of scopes_supported'
    throw new library.errors.InvalidScope(words, [...ctx.oidc.requestParamScopes].join(' '))
  })
  policy.get('login')?.checks.add(knownScope)
  policy
    .get('login')
    ?.checks.add(
      new Check(
        'account_closed',
        'the account of the session is closed',
        'login_required',
        ({ oidc }) => oidc.session?.accountId !== undefined && oidc.account === undefined,
      ),
    )
  // Our log-in page: "Continue as ..." or another account (OpenID Connect Core 3.1.2.1).
  policy.add(new Prompt({ name: 'select_account', requestable: true }))
  policy.remove('consent')
  const each = new Check(
    'each_time',
    'the owner is asked for consent each time',
    'consent_required',
    ({ oidc }) => oidc.result?.consent === undefined,
    requestedScopes,
  )
  policy.add(new Prompt({ name: 'consent', requestable: true }, each))
  return policy
}

/**
 * Whether a requested scope is known. Otherwise the page would have nothing to allow (RFC 6749
 * section 4.1.2.1).
 */
function asksForKnownScope({ oidc }: KoaContextWithOIDC): boolean {
  const requested = oidc.requestParamScopes
  return offeredScopes.some((scope) => scope !== 'offline_access' && requested.has(scope))
}

/** The requested scopes, in the form of oidc-provider's own policy. */
function requestedScopes({ oidc }: KoaContextWithOIDC) {
  const requested = [...oidc.requestParamScopes]
  const atResource = Object.entries(oidc.resourceServers ?? {}).map(([resource, server]) => [
    resource,
    requested.filter((scope) => server.scopes.has(scope)),
  ])
  return {
    missingOIDCScope: [...oidc.requestParamOIDCScopes],
    missingResourceScopes: Object.fromEntries(atResource),
  }
}

type ResumeParts = { app: Pick<App, 'db'>; library: Library }
type Grant = InstanceType<Provider['Grant']>
/** The part of the library's context that a resumption reads. */
type Resuming = {
  oidc: {
    result?: { consent?: { grantId?: GrantId | undefined } | undefined } | undefined
    session?: { uid: string } | undefined
    provider: { Grant: { find: (id: string) => Promise<Grant | undefined> } }
  }
}

/**
 * The grant of the consent that was just given, once, and in the login that gave it. Scopes of
 * earlier grants are not carried over. Throws SessionNotFound, which is rendered as a page, where
 * the browser resumed before, or the consent or its login ended: the client may have its code
 * already.
 */
export async function grantToResume({ app, library }: ResumeParts, { oidc }: Resuming) {
  const id = oidc.result?.consent?.grantId
  if (id === undefined || !oidc.session) return undefined
  try {
    const { may } = await app.db.one(resumeGrant, { id, oauth_uid: oidc.session.uid })
    const grant = may ? await oidc.provider.Grant.find(id) : undefined
    if (grant) return grant
  } catch (error) {
    throw isDatabaseOutage(error) ? temporarilyUnavailable(library, error) : error
  }
  const over = new library.errors.SessionNotFound('this answer was already used')
  throw Object.assign(over, { allow_redirect: false })
}
