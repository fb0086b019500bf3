// What the metadata of the authorization server offers: where, and how clients authenticate.

export const authMethods = ['none', 'client_secret_basic', 'client_secret_post'] as const
/** The first is what a client gets that asks for none of them. */
export const idTokenAlgorithms = ['RS256', 'EdDSA'] as const
export const routes = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  jwks: '/oauth/jwks',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
} as const
export const userinfoRoute = '/oauth/userinfo'
