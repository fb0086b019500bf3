// What a client may read before it knows anything: the protected resource (RFC 9728), the MCP
// server, and llms.txt.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Operation } from '../app.ts'
import type { Settings } from '../config.ts'
import { mcpPath } from './mcp.ts'
import { type Tools, toolsOf } from './mcp-tools.ts'

/** `settings` is read with each request: its roots may be moved to the port that was taken. */
export type DiscoveryParts = { settings: Settings; operations: readonly Operation[] }

export function addDiscovery(server: FastifyInstance, parts: DiscoveryParts): void {
  const tools = toolsOf(parts.operations)
  const resource = { type: json, read: () => protectedResource(parts.settings, tools) }
  const well = '/.well-known/oauth-protected-resource'
  for (const place of new Set(['', '/mcp', mcpPath(parts.settings.mcp_url)]))
    publish(server, `${well}${place}`, resource)
  publish(server, '/.well-known/mcp.json', {
    type: json,
    read: () => mcpServer(parts.settings, tools),
  })
  publish(server, '/llms.txt', { type: 'text/plain; charset=utf-8', read: () => llms(parts) })
}

const json = 'application/json; charset=utf-8'
type Document = { type: string; read: () => string }

/** A public document: GET and HEAD from any origin, without a token. */
function publish(server: FastifyInstance, url: string, { type, read }: Document): void {
  server.get(url, (_request, reply) =>
    open(reply).header('Cache-Control', 'public, max-age=300').type(type).send(read()),
  )
  // Browsers ask first, because MCP clients add a header of their own.
  server.options(url, (_request, reply) =>
    open(reply)
      .header('Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS')
      .header('Access-Control-Allow-Headers', '*')
      .code(204)
      .send(),
  )
}

function open(reply: FastifyReply): FastifyReply {
  return reply.header('Access-Control-Allow-Origin', '*')
}

/**
 * RFC 9728 section 2. Every place describes the MCP resource, which is the one that clients come
 * for.
 */
function protectedResource(settings: Settings, tools: Tools): string {
  return JSON.stringify({
    resource: `${settings.mcp_url}/mcp`,
    resource_name: 'agent-registrar',
    scopes_supported: tools.scopes,
    bearer_methods_supported: ['header'],
    resource_documentation: `${settings.base_url}/docs`,
  })
}

function mcpServer(settings: Settings, { list, byName }: Tools): string {
  return JSON.stringify({
    name: 'agent-registrar',
    title: 'Agent Registrar',
    version: '0.1.0',
    endpoint: `${settings.mcp_url}/mcp`,
    transport: 'streamable-http',
    authentication: {
      required_for: 'protected tools',
      resource_metadata: `${settings.mcp_url}/.well-known/oauth-protected-resource`,
    },
    tools: list.map(({ name, title, description }) => {
      const who = byName.get(name)?.who
      return {
        name,
        title,
        description,
        public: who?.about === 'anyone',
        scope: who?.scope ?? null,
      }
    }),
  })
}

/** https://llmstxt.org: a title, a summary, what there is in words, then lists of links. */
function llms({ settings, operations }: DiscoveryParts): string {
  const { base_url, mcp_url, site_url, environment } = settings
  const areas = Map.groupBy(operations, ({ area }) => area)
  const lines = [...areas].flatMap(([area, own]) => ['', `${area}:`, '', ...own.map(lineOf)])
  const pretend = environment === 'sandbox' ? ': money and registries are pretend' : ''
  const metadata = `${mcp_url}/.well-known/oauth-protected-resource`
  return `# agent-registrar

> A domain-name registrar for software agents and their owners: check names and prices, buy from a
> prepaid balance, read back what is held. REST API and MCP server have the same operations.

This is the ${environment} environment${pretend}.
Send "Authorization: Bearer <API key>" where a token is needed.
Every refusal names a code and the next action.
To buy safely: check the name, read the balance, buy with max_price and an idempotency key,
and read the domain while its status is "pending" instead of buying again.

What it does (method and path; the name is also the audit action):
${lines.join('\n')}

## Documents

- [OpenAPI](${base_url}/openapi.json): every route, field, limit and error of the REST API
- [Documentation](${base_url}/docs): the same for people

## MCP

- [MCP endpoint](${mcp_url}/mcp): POST; Streamable HTTP, no sessions; listing tools needs no token
- [MCP server description](${site_url}/.well-known/mcp.json): the endpoint and its tools
- [Protected resource metadata](${metadata}): which scopes there are
`
}

function lineOf({ name, does, method, path, who, tools }: Operation): string {
  const token = who.about === 'anyone' ? 'no token' : who.scope ? `scope ${who.scope}` : 'operators'
  const mcp = tools?.map((tool) => tool.name ?? name).join(', ')
  return `- ${name} (${method} ${path}; ${token}${mcp ? `; MCP tool ${mcp}` : ''}): ${does}`
}
