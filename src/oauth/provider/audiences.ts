// Resource indicators (RFC 8707): a token's audience is the MCP endpoint or the REST API, and a
// token of one is rejected at the other; one for the root of both is valid at both (decision 20).
import { type EntryPoint, type Scope, scopes, sharedScopes } from '../../app.ts'
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

/** The audience of tokens for the REST API, and for nothing else. */
export function restResource({ base_url }: Roots): string {
  return `${base_url}/v1`
}

/**
 * The root of the REST API. A token for it is valid there and, where MCP has no root of its own, at
 * both.
 */
function rootResource({ base_url }: Roots): string {
  return base_url
}

/** All resources of ours, as the metadata of the authorization server lists them. */
export function resourcesOf(roots: Roots): string[] {
  return [mcpResource(roots), rootResource(roots), restResource(roots)]
}

/**
 * The audiences that an entry point accepts, its own first. MCP accepts the root, too, where it is
 * that of the MCP server, or its origin: clients that derive the resource from the URL of the
 * server ask for the origin, and a refusal would have them ask for it again.
 */
export function audiencesAt(roots: Roots, entry_point: EntryPoint): [string, ...string[]] {
  const root = rootResource(roots)
  if (entry_point !== 'mcp') return [restResource(roots), root]
  const { mcp_url } = roots
  const isShared = [mcp_url, new URL(mcp_url).origin].some((one) => isSame(one, root))
  return isShared ? [mcpResource(roots), root] : [mcpResource(roots)]
}

/** A URI without differences of case in scheme and host, and without a final slash. */
function normalized(uri: string): string | undefined {
  return URL.parse(uri)?.href.replace(/\/$/, '')
}

function isSame(one: string, other: string): boolean {
  return normalized(one) === normalized(other)
}

/**
 * The resource that an indicator names, or undefined for one of a third party. The root and the
 * origin of the MCP server name its endpoint, unless they are the root of the REST API as well.
 */
export function resourceOf(roots: Roots, indicator: string): string | undefined {
  const ours = resourcesOf(roots).find((one) => isSame(one, indicator))
  if (ours !== undefined) return ours
  const { mcp_url } = roots
  const isMcp = [mcp_url, new URL(mcp_url).origin].some((one) => isSame(one, indicator))
  return isMcp ? mcpResource(roots) : undefined
}

/**
 * The parameters of a request with every resource of ours in its canonical form, and each of them
 * once.
 */
export function withCanonicalResources(roots: Roots, params: URLSearchParams): URLSearchParams {
  const requested = params.getAll('resource')
  const canonical = new Set(requested.map((one) => resourceOf(roots, one) ?? one))
  params.delete('resource')
  for (const one of canonical) params.append('resource', one)
  return params
}

/** The service's scopes among those of a token, in the order of the documentation. */
export function serviceScopesIn(scope: string, allowed: readonly string[]): Scope[] {
  return sharedScopes(scope.split(' '), allowed)
}
