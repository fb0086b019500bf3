// When a person is asked: for the password where no session of the browser has it, and for consent
// at every authorization, so that no remembered session ever answers for its owner.
import type { interactionPolicy, KoaContextWithOIDC } from 'oidc-provider'
import { offeredScopes } from './audiences.ts'
import type { Library } from './load-oidc-provider.ts'

export function interactionPolicyOf(library: Pick<Library, 'interactionPolicy' | 'errors'>) {
  const { base, Check, Prompt } = library.interactionPolicy
  const policy: interactionPolicy.DefaultPolicy = base()
  const nothing = new Check('nothing_asked', 'no scope is one of ours', 'invalid_scope', (ctx) => {
    if (asksForSomething(ctx)) return false
    const words = 'no scope of the request is one of scopes_supported'
    throw new library.errors.InvalidScope(words, [...ctx.oidc.requestParamScopes].join(' '))
  })
  policy.get('login')?.checks.add(nothing)
  policy
    .get('login')
    ?.checks.add(
      new Check(
        'account_gone',
        'the account of the session is closed',
        'login_required',
        ({ oidc }) => oidc.session?.accountId !== undefined && oidc.account === undefined,
      ),
    )
  policy.remove('consent')
  const each = new Check(
    'each_time',
    'the owner is asked for consent each time',
    'consent_required',
    ({ oidc }) => oidc.result?.consent === undefined,
    missing,
  )
  policy.add(new Prompt({ name: 'consent', requestable: true }, each))
  return policy
}

/** RFC 6749 section 4.1.2.1: a page with nothing to allow would be shown to nobody's use. */
function asksForSomething({ oidc }: KoaContextWithOIDC): boolean {
  const asked = oidc.requestParamScopes
  return offeredScopes.some((scope) => scope !== 'offline_access' && asked.has(scope))
}

/** What is asked for, in the words of oidc-provider's own policy. */
function missing({ oidc }: KoaContextWithOIDC) {
  const asked = [...oidc.requestParamScopes]
  const atResource = Object.entries(oidc.resourceServers ?? {}).map(([resource, server]) => [
    resource,
    asked.filter((scope) => server.scopes.has(scope)),
  ])
  return {
    missingOIDCScope: [...oidc.requestParamOIDCScopes],
    missingResourceScopes: Object.fromEntries(atResource),
  }
}
