// The paths of the authorization server and the algorithms and authentication methods that its
// metadata lists.

export const authMethods = ['none', 'client_secret_basic', 'client_secret_post'] as const
/** The first is the default of clients that register without one. */
export const idTokenAlgorithms = ['RS256', 'EdDSA'] as const
export const routes = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  jwks: '/oauth/jwks',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  device_authorization: '/oauth/device_authorization',
  code_verification: '/oauth/device',
} as const
/** The grant type of the device flow (RFC 8628 section 3.4). */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
export const userinfoRoute = '/oauth/userinfo'
