// The URLs of the service for every document, which come from the settings and never from a
// request.
import type { Operation, Scope } from '../../app.ts'
import type { Settings } from '../../config/config.ts'
import { resourceMetadataUrl } from '../../errors/resource-metadata-url.ts'
import { scopeDescription } from '../../oauth/interaction/scope-descriptions.ts'
import { publicUrls } from '../../origins.ts'

export const name = 'agent-registrar'
export const title = 'Agent Registrar'
export const version = '0.1.0'
/** Registries of MCP servers take 100 characters (server.json, "description"). */
export const shortDescription =
  'A domain-name registrar for software agents: check, buy, renew and move names, prepaid.'

/**
 * `settings` is read when a document is written, because its roots may be moved to the port that
 * was taken.
 */
export type DiscoveryParts = { settings: Settings; operations: readonly Operation[] }
export type Places = ReturnType<typeof placesOf>

export function placesOf(settings: Settings) {
  const { base_url, mcp_url, site_url } = settings
  return {
    endpoint: `${mcp_url}/mcp`,
    /** The resource that tokens for REST alone are for. */
    rest: `${base_url}/v1`,
    server_card: `${mcp_url}/mcp/server-card`,
    resource_metadata: resourceMetadataUrl(`${mcp_url}/mcp`),
    /** This is also the authorization server's issuer (RFC 8414). */
    issuer: base_url,
    issuer_metadata: `${base_url}/.well-known/oauth-authorization-server`,
    authorize: `${base_url}/oauth/authorize`,
    token: `${base_url}/oauth/token`,
    openapi: `${base_url}/openapi.json`,
    docs: `${base_url}/docs`,
    dashboard: publicUrls(settings).dashboard_url,
    site: site_url,
    mcp_json: `${site_url}/.well-known/mcp.json`,
  }
}

/** The path of a root on this server: '' or '/like/this'. */
export function pathOf(root: string): string {
  return new URL(root).pathname.replace(/\/$/, '')
}

/**
 * The purpose of each scope in the words of the consent page, and the operations that need it by
 * the names that the reader knows.
 */
export function usesOf(
  operations: readonly Operation[],
  scopes: readonly Scope[],
  namesOf: (operation: Operation) => string[],
): Record<string, string> {
  const uses = scopes.map((scope) => {
    const names = operations.filter(({ who }) => who.scope === scope).flatMap(namesOf)
    return [scope, `${scopeDescription(scope)?.words} (${names.join(', ') || 'no operation yet'})`]
  })
  return Object.fromEntries(uses)
}
