// Start of a log-in through an identity provider: an authorization request with state, nonce and
// PKCE, bound to the browser by a cookie.
import Type from 'typebox'
import { type App, anyone, operation, Reply } from '../../app.ts'
import { InvalidInput } from '../../kit/fault.ts'
import { newId, newSecret, randomBase62 } from '../../kit/random.ts'
import { admit } from '../../rate-limits/leaky-buckets.ts'
import { sessionRequired } from '../account/index.ts'
import { ssoStartBuckets, tooManyTries } from '../sign-in/index.ts'
import { browserCookie, ownPath, redirectUri } from './browser.ts'
import { providerFailed, providerNotFound, providerUnreachable } from './faults.ts'
import { asFault, providerOf } from './provider-call.ts'
import { insertLogIn } from './sso.sql.ts'

const state_ms = 10 * 60_000
export const statePrefix = 'sst_'
/** RFC 7636 section 4.1: at least 43 characters. */
const verifierLength = 64
const nonceLength = 32

export const providerField = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The provider, as "sso_providers" names it.',
})

export const startSso = operation({
  name: 'start_sso',
  does: 'Start a log-in or sign-up through an identity provider.',
  more:
    'Open "authorization_url" in the same browser, which gets a cookie here. It is valid once, ' +
    'for ten minutes. The provider sends the browser to the callback.',
  at: 'POST /v1/dashboard/sso/{provider}/start',
  area: 'Dashboard',
  who: anyone(),
  takes: Type.Object(
    {
      provider: providerField,
      return_to: Type.Optional(
        Type.String({
          description: 'Where the dashboard goes after the log-in: a path of this service.',
        }),
      ),
      reauthenticate: Type.Optional(
        Type.Boolean({
          description:
            'If true, the provider asks for a log-in even if the browser is logged in there ' +
            '(max_age=0 of OpenID Connect; GitHub has nothing like it).',
        }),
      ),
      confirm_owner: Type.Optional(
        Type.Boolean({
          description:
            'If true, this is a fresh log-in of the owner of the session. It works like ' +
            '"reauthenticate", and only an identity that is linked to this account can log in.',
        }),
      ),
    },
    { title: 'DashboardSocialStartRequest' },
  ),
  gives: Type.Object(
    {
      authorization_url: Type.String({ description: "The provider's page." }),
      state: Type.String({ description: 'The state of the request; the callback gets it back.' }),
    },
    { title: 'DashboardSocialStartResponse' },
  ),
  fails: [providerNotFound, sessionRequired, providerUnreachable, providerFailed, tooManyTries],
  // It changes no account, so there is nothing to audit.
  effect: 'none',
  async run({ provider: id, return_to, reauthenticate, confirm_owner }, call, app) {
    const provider = providerOf(app, id)
    if (confirm_owner && call.caller.kind !== 'customer') throw sessionRequired()
    const path = return_to === undefined ? null : requireOwnPath(app, return_to)
    // The limit applies before the provider is asked and a row is stored.
    const { wait_s } = await admit(app.db, ssoStartBuckets(call.address))
    if (wait_s > 0) throw tooManyTries({ retry_after_s: wait_s })
    const { value: state, hash: state_hash } = newSecret(statePrefix)
    const [nonce, verifier] = [randomBase62(nonceLength), randomBase62(verifierLength)]
    const now = app.clock.now()
    const logged_in_since = reauthenticate || confirm_owner ? now : null
    const request = {
      ...{ redirect_uri: redirectUri(app, id), state, nonce, verifier },
      logged_in_since,
    }
    const authorization_url = await asFault(app, provider.authorizationUrl(request))
    const { browser_hash, header } = browserCookie(app, call)
    await app.db.count(insertLogIn, {
      id: newId('sso', now.getTime()),
      provider: id,
      state_hash,
      browser_hash,
      sealed: app.encryption.seal(`${nonce} ${verifier} ${logged_in_since?.toISOString() ?? ''}`),
      return_to: path,
      confirms_customer_id: confirm_owner ? call.customer_id : null,
      now,
      expires_at: new Date(now.getTime() + state_ms),
    })
    return new Reply({ authorization_url, state }, { 'Set-Cookie': header })
  },
})

function requireOwnPath(app: App, given: string): string {
  const path = ownPath(app, given)
  if (path !== undefined) return path
  const msg = 'Value is not a path of this service'
  throw new InvalidInput([{ path: ['return_to'], msg, type: 'value_error' }])
}
