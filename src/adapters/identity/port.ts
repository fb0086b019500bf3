// The port of identity providers: an OAuth 2.0 authorization request in the browser, and the
// identity that its response proves.

/** The values of one authorization request, each made for it alone. */
export type AuthorizationRequest = {
  redirect_uri: string
  state: string
  nonce: string
  /** The PKCE code verifier (RFC 7636). */
  verifier: string
  /** Asks for a new log-in of the user at the provider, since then; null: any will do. */
  logged_in_since: Date | null
}

/** Issuer and subject are the identity (OpenID Connect Core section 5.7); the rest may change. */
export type Identity = {
  issuer: string
  subject: string
  /** Null: the provider shows none, or has not verified it. */
  email: string | null
  name: string | null
}

export type IdentityProvider = {
  /** As in paths and settings. */
  id: string
  /** As users know it. */
  name: string
  /** Where the browser goes. */
  authorizationUrl: (request: AuthorizationRequest) => Promise<string>
  /** `response`: the parameters of the authorization response. Throws IdentityProviderError. */
  identityOf: (request: AuthorizationRequest, response: URLSearchParams) => Promise<Identity>
}

/** By id, in the order of the settings. */
export type IdentityProviders = ReadonlyMap<string, IdentityProvider>

/** refused: by the user, at the provider. */
type Failure =
  | 'refused'
  /** The response is forged, replayed, expired or of another request. */
  | 'invalid'
  /** The provider answered with an error of its own, or as no provider does. */
  | 'failed'
  /** No answer in time. */
  | 'unreachable'

export class IdentityProviderError extends Error {
  readonly failure: Failure

  constructor(failure: Failure, cause: unknown) {
    super(`The identity provider: ${failure}`, { cause })
    this.name = 'IdentityProviderError'
    this.failure = failure
  }
}
