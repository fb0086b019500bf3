// Resource indicators (RFC 8707): a token's audience is the MCP endpoint or the REST API, and a
// token of one is rejected at the other (decision 20).
import { type Scope, scopes } from '../../app.ts'
import type { Settings } from '../../config/config.ts'

type Roots = Pick<Settings, 'base_url' | 'mcp_url'>

/** Scopes of OpenID Connect: they identify the customer and give access to nothing else. */
export const identityScopes = ['openid', 'offline_access', 'profile', 'email'] as const
/** All scopes that a token may have. */
export const offeredScopes: readonly string[] = [...identityScopes, ...scopes]

/** The audience of tokens for MCP. */
export function mcpResource({ mcp_url }: Roots): string {
  return `${mcp_url}/mcp`
}

/** The audience of tokens for REST. */
export function restResource({ base_url }: Roots): string {
  return base_url
}

/** Without differences of case in scheme and host, and without a final slash. */
function normalized(uri: string): string | undefined {
  return URL.parse(uri)?.href.replace(/\/$/, '')
}

/**
 * The resource that an indicator names, or undefined for one of a third party. The root of the MCP
 * server names its endpoint, unless it is the root of the REST API as well: that is REST's own.
 */
export function resourceOf(roots: Roots, indicator: string): string | undefined {
  const named = normalized(indicator)
  if (named === undefined) return undefined
  if (named === normalized(mcpResource(roots))) return mcpResource(roots)
  if (named === normalized(restResource(roots))) return restResource(roots)
  return named === normalized(roots.mcp_url) ? mcpResource(roots) : undefined
}

/** Parameters of a request with every resource of ours in its canonical form, each of them once. */
export function withCanonicalResources(roots: Roots, params: URLSearchParams): URLSearchParams {
  const requested = params.getAll('resource')
  const canonical = new Set(requested.map((one) => resourceOf(roots, one) ?? one))
  params.delete('resource')
  for (const one of canonical) params.append('resource', one)
  return params
}

/** The service's scopes in a token's, in the order of the documentation. */
export function serviceScopesIn(scope: string, allowed: readonly string[]): Scope[] {
  const held = new Set(scope.split(' '))
  return scopes.filter((one) => held.has(one) && allowed.includes(one))
}
