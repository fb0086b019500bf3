// The port of identity providers: an OAuth 2.0 authorization request in the browser, and the
// identity that its response proves.

/** The values of one authorization request, each generated for it alone. */
export type AuthorizationRequest = {
  redirect_uri: string
  state: string
  nonce: string
  /** The PKCE code verifier (RFC 7636). */
  verifier: string
  /**
   * Asks for a new log-in of the user at the provider since that time, or accepts any log-in if
   * null.
   */
  logged_in_since: Date | null
}

/** Issuer and subject are the identity (OpenID Connect Core section 5.7); the rest may change. */
export type Identity = {
  issuer: string
  subject: string
  /** It is null if the provider shows none, or has not verified it. */
  email: string | null
  name: string | null
}

export type IdentityProvider = {
  /** The name in paths and settings. */
  id: string
  /** The name that users know. */
  name: string
  /** The URL to which the browser is sent. */
  authorizationUrl: (request: AuthorizationRequest) => Promise<string>
  /** `response` is the parameters of the authorization response. Throws IdentityProviderError. */
  identityOf: (request: AuthorizationRequest, response: URLSearchParams) => Promise<Identity>
}

/** The providers by id, in the order of the settings. */
export type IdentityProviders = ReadonlyMap<string, IdentityProvider>

/** The user refused at the provider. */
type Failure =
  | 'refused'
  /** The response is forged, replayed, expired, or belongs to another request. */
  | 'invalid'
  /** The provider answered with its own error, or in an invalid way. */
  | 'failed'
  /** No answer arrived in time. */
  | 'unreachable'

export class IdentityProviderError extends Error {
  readonly failure: Failure

  constructor(failure: Failure, cause: unknown) {
    super(`The identity provider: ${failure}`, { cause })
    this.name = 'IdentityProviderError'
    this.failure = failure
  }
}
