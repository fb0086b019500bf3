// Metadata for MCP clients and their registries: the protected resource (RFC 9728), the site's
// mcp.json, the server card (SEP-2127) with the catalog that leads to it, and server.json.
import { isIP } from 'node:net'
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import { type Scope, scopes } from '../../app.ts'
import { apiKeyPrefix } from '../../capabilities/api-keys/index.ts'
import type { Settings } from '../../config/config.ts'
import { toolNames } from '../descriptions/operation-docs.ts'
import { prompts } from '../mcp/prompts.ts'
import { resourcesOf } from '../mcp/resources.ts'
import { toolsOf } from '../mcp/tools.ts'
import {
  type DiscoveryParts,
  name,
  placesOf,
  shortDescription,
  title,
  usesOf,
  version,
} from './urls.ts'

export const serverCardType = 'application/mcp-server-card+json'

/** The SDK exports the list of the older era alone. The newer era has one revision. */
export const protocolVersions: readonly string[] = ['2026-07-28', ...SUPPORTED_PROTOCOL_VERSIONS]

/**
 * The metadata of a protected resource (RFC 9728 section 2). Every place but that of REST describes
 * the MCP resource, which is the one that clients come for.
 */
export function protectedResource({ settings, operations }: DiscoveryParts): string {
  return resourceMetadata(settings, placesOf(settings).endpoint, toolsOf(operations).scopes)
}

/** The metadata of the REST API, whose 401 leads here. */
export function protectedRest({ settings }: DiscoveryParts): string {
  return resourceMetadata(settings, placesOf(settings).rest, scopes)
}

function resourceMetadata(
  settings: Settings,
  resource: string,
  scopes_supported: readonly Scope[],
): string {
  const { issuer, docs } = placesOf(settings)
  return JSON.stringify({
    resource,
    resource_name: name,
    authorization_servers: [issuer],
    scopes_supported,
    bearer_methods_supported: ['header'],
    resource_documentation: docs,
  })
}

/**
 * The site's description, with the content of the server card and the facts that a client wants to
 * know at once.
 */
export function mcpJson({ settings, operations }: DiscoveryParts): string {
  const { endpoint, issuer, issuer_metadata, resource_metadata, server_card } = placesOf(settings)
  const tools = toolsOf(operations)
  return JSON.stringify({
    ...cardOf(settings),
    endpoint,
    transport: 'streamable-http',
    server_card,
    authentication: {
      required_for: 'tools that are not public; initialize and tools/list need none',
      resource: endpoint,
      resource_metadata,
      oauth: {
        authorization_servers: [issuer],
        metadata: [issuer_metadata],
        scopes: usesOf(operations, tools.scopes, toolNames),
      },
      api_key: {
        header: 'Authorization',
        scheme: 'Bearer',
        prefix: apiKeyPrefix(settings.environment),
      },
    },
    tools: tools.list.map((tool) => {
      const who = tools.byName.get(tool.name)?.who
      return {
        name: tool.name,
        title: tool.title,
        description: tool.description,
        annotations: tool.annotations,
        public: who?.about === 'anyone',
        scope: who?.scope ?? null,
      }
    }),
    resources: resourcesOf(operations).list,
    prompts,
  })
}

export function serverCard({ settings }: DiscoveryParts): string {
  return JSON.stringify(cardOf(settings))
}

function cardOf(settings: Settings): object {
  const { endpoint, docs } = placesOf(settings)
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: reverseName(settings),
    version,
    title,
    description: shortDescription,
    websiteUrl: docs,
    remotes: [
      {
        type: 'streamable-http',
        url: endpoint,
        headers: headersOf(settings),
        supportedProtocolVersions: protocolVersions,
      },
    ],
  }
}

/** The header has no `value`. A client whose owner gives no key leaves it out, and meets OAuth. */
function headersOf({ environment }: Settings): object[] {
  return [
    {
      name: 'Authorization',
      description: '"Bearer " and an API key. Leave it out to connect with OAuth.',
      isRequired: false,
      isSecret: true,
      placeholder: `Bearer ${apiKeyPrefix(environment)}...`,
    },
  ]
}

/** The catalog that leads to the site's server cards (https://ai-catalog.io). */
export function aiCatalog({ settings }: DiscoveryParts): string {
  const { docs, server_card, site } = placesOf(settings)
  const host = publisherOf(settings)
  return JSON.stringify({
    specVersion: '1.0',
    host: { displayName: title, identifier: new URL(site).host, documentationUrl: docs },
    entries: [
      { identifier: `urn:air:${host}:mcp:${name}`, type: serverCardType, url: server_card },
    ],
  })
}

/** The entry for the registry of MCP servers (its schema of 2025-12-11). */
export function serverJson({ settings }: DiscoveryParts): string {
  const { endpoint, docs } = placesOf(settings)
  return JSON.stringify({
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: reverseName(settings),
    title,
    description: shortDescription,
    version,
    websiteUrl: docs,
    remotes: [{ type: 'streamable-http', url: endpoint, headers: headersOf(settings) }],
  })
}

/** The site's domain backwards, as packages of Java have it: com.example/agent-registrar. */
function reverseName(settings: Settings): string {
  return `${publisherOf(settings).split('.').toReversed().join('.')}/${name}`
}

/** The site's domain. An address has none, and its colons fit in no name. */
function publisherOf({ site_url }: Settings): string {
  const { hostname } = new URL(site_url)
  return isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? hostname : 'localhost'
}
