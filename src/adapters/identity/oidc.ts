// An OpenID Connect provider (Core, Discovery). The ID token is verified with the provider's keys,
// although it arrives over TLS, and by its issuer, audience, nonce and time.
import type { Configuration } from 'openid-client'
import { boundedFetch } from '../../kit/net/bounded-fetch.ts'
import { parseEmail } from '../../kit/net/email.ts'
import {
  type AuthorizationRequest,
  type Identity,
  type IdentityProvider,
  IdentityProviderError,
} from './port.ts'
import { providerError } from './provider-error.ts'

/** The library is loaded at its first use, because most starts do not need it. */
export const openidClient = () => import('openid-client')

/** The seconds for each request to a provider. */
export const request_timeout_s = 5
/** A provider's metadata may change, so it is read again after an hour. */
const metadata_ms = 3_600_000

export type ProviderFacts = {
  id: string
  name: string
  issuer: string
  client_id: string
  client_secret: string
}
type Parts = { monotonic_ms: () => number; timeout_s?: number }

export function openOidcProvider(facts: ProviderFacts, parts: Parts): IdentityProvider {
  const configuration = cached(() => discover(facts, parts.timeout_s), parts.monotonic_ms)
  return {
    id: facts.id,
    name: facts.name,
    async authorizationUrl(request) {
      const { buildAuthorizationUrl } = await openidClient()
      const parameters = { ...(await parametersOf(request)), nonce: request.nonce }
      const scope = 'openid email profile'
      // Core section 3.1.2.1: this acts like prompt=login, which some providers refuse.
      const fresh = request.logged_in_since === null ? {} : { max_age: '0' }
      const config = await configuration()
      return buildAuthorizationUrl(config, { ...parameters, ...fresh, scope }).href
    },
    async identityOf(request, response) {
      try {
        return await identityOf(await configuration(), request, response)
      } catch (error) {
        throw providerError(error)
      }
    },
  }
}

/** The parameters that OpenID Connect and plain OAuth share. */
export async function parametersOf({ redirect_uri, state, verifier }: AuthorizationRequest) {
  const { calculatePKCECodeChallenge } = await openidClient()
  const code_challenge = await calculatePKCECodeChallenge(verifier)
  return { redirect_uri, state, code_challenge, code_challenge_method: 'S256' }
}

/** The URL of an authorization response, as the library reads it. */
export function responseUrl({ redirect_uri }: AuthorizationRequest, response: URLSearchParams) {
  const url = new URL(redirect_uri)
  url.search = response.toString()
  return url
}

/** Throws IdentityProviderError; metadata that does not match is the provider's fault. */
async function discover(facts: ProviderFacts, timeout = request_timeout_s): Promise<Configuration> {
  const client = await openidClient()
  const { issuer, client_id, client_secret } = facts
  const insecure = new URL(issuer).protocol === 'http:' ? [client.allowInsecureRequests] : []
  const options = {
    timeout,
    execute: [...insecure, client.enableNonRepudiationChecks],
    [client.customFetch]: boundedFetch,
  }
  try {
    return await client.discovery(new URL(issuer), client_id, client_secret, undefined, options)
  } catch (error) {
    const { failure } = providerError(error)
    throw new IdentityProviderError(failure === 'unreachable' ? failure : 'failed', error)
  }
}

/** A failure is not cached, so the next caller asks again. */
function cached(read: () => Promise<Configuration>, monotonic_ms: () => number) {
  let kept: { at_ms: number; value: Promise<Configuration> } | undefined
  return () => {
    if (kept && monotonic_ms() - kept.at_ms < metadata_ms) return kept.value
    const entry = { at_ms: monotonic_ms(), value: read() }
    kept = entry
    entry.value.catch(() => {
      if (kept === entry) kept = undefined
    })
    return entry.value
  }
}

async function identityOf(
  config: Configuration,
  request: AuthorizationRequest,
  response: URLSearchParams,
): Promise<Identity> {
  const { authorizationCodeGrant, fetchUserInfo } = await openidClient()
  const tokens = await authorizationCodeGrant(config, responseUrl(request, response), {
    pkceCodeVerifier: request.verifier,
    expectedState: request.state,
    expectedNonce: request.nonce,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims) throw new Error('There is no ID token')
  requireFresh(request, claims.auth_time)
  const hasInfo = config.serverMetadata().userinfo_endpoint !== undefined
  // Many providers put the profile only there (Core section 5.4).
  const info =
    claims.email === undefined && hasInfo
      ? await fetchUserInfo(config, tokens.access_token, claims.sub)
      : {}
  const profile: Record<string, unknown> = { ...claims, ...info }
  const { email, email_verified, name } = profile
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: email_verified === true ? emailIn(email) : null,
    name: typeof name === 'string' ? name : null,
  }
}

/** The clocks may differ by this much. */
const skew_ms = 60_000

/**
 * Core section 3.1.2.1: with max_age, the ID token has auth_time. A provider that leaves it out
 * ignores max_age, and its users could never confirm anything.
 */
function requireFresh({ logged_in_since }: AuthorizationRequest, auth_time: unknown): void {
  if (logged_in_since === null || auth_time === undefined) return
  const at_ms = typeof auth_time === 'number' ? auth_time * 1_000 : Number.NaN
  if (!(at_ms >= logged_in_since.getTime() - skew_ms))
    throw new IdentityProviderError('invalid', new Error('The log-in at the provider is older'))
}

export function emailIn(value: unknown): string | null {
  return typeof value === 'string' ? (parseEmail(value) ?? null) : null
}
