// Rows of the contract's table that are not operations of the catalog.

/**
 * These are protocol endpoints instead of capabilities. The discovery surface and the authorization
 * server serve them, so the catalog does not know them.
 */
export const protocolRoutes: readonly string[] = [
  'GET /.well-known/agent-card.json',
  'HEAD /.well-known/agent-card.json',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-authorization-server/mcp',
  'GET /.well-known/openid-configuration',
  'GET /oauth/jwks',
  'GET /oauth/userinfo',
  'POST /oauth/userinfo',
  'POST /oauth/register',
  'OPTIONS /oauth/register',
  'POST /register',
  'OPTIONS /register',
  'GET /oauth/authorize',
  'POST /oauth/authorize',
  'POST /oauth/token',
  'POST /token',
]
