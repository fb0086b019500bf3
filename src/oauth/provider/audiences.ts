// Where tokens are good (RFC 8707): the MCP endpoint, or the REST API. A token of one is no token
// at the other (decisions part 11).
import { type Scope, scopes } from '../../app.ts'
import type { Settings } from '../../config.ts'

type Roots = Pick<Settings, 'base_url' | 'mcp_url'>

/** Scopes of OpenID Connect: who the customer is, and nothing of what it has. */
export const identityScopes = ['openid', 'offline_access', 'profile', 'email'] as const
/** All that a token may carry. */
export const offeredScopes: readonly string[] = [...identityScopes, ...scopes]

/** The audience of tokens for MCP. */
export function mcpResource({ mcp_url }: Roots): string {
  return `${mcp_url}/mcp`
}

/** The audience of tokens for REST. */
export function restResource({ base_url }: Roots): string {
  return base_url
}

/** Scheme and host in any case, a final slash or none: the same place. */
function place(uri: string): string | undefined {
  return URL.parse(uri)?.href.replace(/\/$/, '')
}

/**
 * The resource that an indicator means, or undefined for one of somebody else. The root of the MCP
 * server means its endpoint, unless it is the root of the REST API as well: that is REST's own.
 */
export function resourceOf(roots: Roots, indicator: string): string | undefined {
  const meant = place(indicator)
  if (meant === undefined) return undefined
  if (meant === place(mcpResource(roots))) return mcpResource(roots)
  if (meant === place(restResource(roots))) return restResource(roots)
  return meant === place(roots.mcp_url) ? mcpResource(roots) : undefined
}

/** Parameters of a request with every resource of ours in its one form, each of them once. */
export function withCanonicalResources(roots: Roots, params: URLSearchParams): URLSearchParams {
  const asked = params.getAll('resource')
  const plain = new Set(asked.map((one) => resourceOf(roots, one) ?? one))
  params.delete('resource')
  for (const one of plain) params.append('resource', one)
  return params
}

/** The service's scopes in a token's, in the order of the documentation. */
export function serviceScopesIn(scope: string, allowed: readonly string[]): Scope[] {
  const held = new Set(scope.split(' '))
  return scopes.filter((one) => held.has(one) && allowed.includes(one))
}
