// The agent card of A2A 1.0, with the fields of 0.3 beside it. We speak no A2A: the one interface
// that it names is MCP, by its own name, so that no reader of either takes it for another.
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/server'
import { type Operation, type Scope, type ToolGroup, toolGroups } from '../../app.ts'
import { toolNames } from '../descriptions/operation-docs.ts'
import { toolsOf } from '../mcp/tools.ts'
import {
  type DiscoveryParts,
  name,
  type Places,
  placesOf,
  shortDescription,
  usesOf,
  version,
} from './urls.ts'

/**
 * The version of A2A by which a reader takes the names of security schemes: 1.0 alone, or 0.3 as
 * well.
 */
type Reader = '1.0' | 'either'

/**
 * The reader by its A2A-Version. A client without one is an older one (A2A 1.0, section "Service
 * parameters").
 */
export function readerOf(header: string | undefined): Reader {
  return header !== undefined && /^[1-9]/.test(header.trim()) ? '1.0' : 'either'
}

export function agentCard({ settings, operations }: DiscoveryParts, reader: Reader): string {
  const places = placesOf(settings)
  const { scopes } = toolsOf(operations)
  const uses = usesOf(operations, scopes, toolNames)
  const requirement = { oauth: scopes, api_key: [] }
  const card = {
    name,
    description: shortDescription,
    version,
    provider: { organization: name, url: places.docs },
    documentationUrl: places.docs,
    supportedInterfaces: [
      {
        url: places.endpoint,
        protocolBinding: 'MCP',
        // The version is MCP's own, because no version of A2A is spoken there.
        protocolVersion: LATEST_PROTOCOL_VERSION,
      },
    ],
    capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
    defaultInputModes: ['application/json'],
    defaultOutputModes: ['application/json', 'text/plain'],
    skills: toolGroups.flatMap((group) => skillOf(group, operations)),
    securityRequirements: newRequirements(requirement),
    securitySchemes: schemesOf(places, uses, reader),
  }
  return JSON.stringify(reader === '1.0' ? card : { ...card, ...forOlder(places, requirement) })
}

type Requirement = Record<string, readonly Scope[]>

/** Either of the schemes is enough. */
function newRequirements(requirement: Requirement): object[] {
  return Object.entries(requirement).map(([scheme, list]) => ({ schemes: { [scheme]: { list } } }))
}

/**
 * The fields that 1.0 gave up. Without `preferredTransport`, 0.3 would take the URL for one of
 * JSON-RPC.
 */
function forOlder({ endpoint }: Places, requirement: Requirement): object {
  return {
    protocolVersion: '0.3.0',
    url: endpoint,
    preferredTransport: 'MCP',
    additionalInterfaces: [{ url: endpoint, transport: 'MCP' }],
    supportsAuthenticatedExtendedCard: false,
    security: Object.entries(requirement).map(([scheme, list]) => ({ [scheme]: list })),
  }
}

/** 1.0 names the kind of a scheme by the field that holds it, 0.3 by `type`. */
function schemesOf(places: Places, scopes: Record<string, string>, reader: Reader): object {
  const oauth = {
    description: 'A token that a customer consents to, for the MCP endpoint.',
    oauth2MetadataUrl: places.issuer_metadata,
    flows: {
      authorizationCode: {
        authorizationUrl: places.authorize,
        tokenUrl: places.token,
        refreshUrl: places.token,
        scopes,
        pkceRequired: true,
      },
    },
  }
  const key = {
    description: 'An API key of the account, made by its owner.',
    scheme: 'Bearer',
    bearerFormat: 'API key',
  }
  const inNew = { oauth: { oauth2SecurityScheme: oauth }, api_key: { httpAuthSecurityScheme: key } }
  if (reader === '1.0') return inNew
  return {
    oauth: { type: 'oauth2', ...oauth, ...inNew.oauth },
    api_key: { type: 'http', ...key, ...inNew.api_key },
  }
}

/** One skill for a group of tools, or none where the group is empty. */
function skillOf(group: ToolGroup, operations: readonly Operation[]): object[] {
  const members = operations.flatMap((operation) =>
    (operation.tools ?? [])
      .filter((tool) => tool.group === group)
      .map((tool) => ({
        ...tool,
        name: tool.name ?? operation.name,
        does: tool.does ?? operation.does,
      })),
  )
  if (members.length === 0) return []
  return [
    {
      id: group.replaceAll(/\W+/g, '-').toLowerCase(),
      name: `${group.charAt(0).toUpperCase()}${group.slice(1)}`,
      description: members.map(({ name, does }) => `${name}: ${does}`).join(' '),
      tags: ['domains', 'registrar', ...members.map(({ name }) => name)],
      examples: members.map(({ title, name, examples: [first] }) => {
        return `${title}: ${name} ${JSON.stringify(first)}`
      }),
      inputModes: ['application/json'],
      outputModes: ['application/json', 'text/plain'],
    },
  ]
}
