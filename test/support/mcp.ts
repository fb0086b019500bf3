// Operations over REST and MCP on a free port, with a real database and no registries.
import { after } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Operation } from '../../src/app.ts'
import * as account from '../../src/capabilities/account/index.ts'
import * as keys from '../../src/capabilities/api-keys/index.ts'
import { authenticateOperators } from '../../src/capabilities/operators/index.ts'
import { onPort } from '../../src/config/config.ts'
import { openLimits } from '../../src/rate-limits/leased-quotas.ts'
import { addDiscovery } from '../../src/surfaces/documents/discovery.ts'
import { openClientNames } from '../../src/surfaces/mcp/client-names.ts'
import { addMcp } from '../../src/surfaces/mcp/endpoint.ts'
import type { ServerDefinition } from '../../src/surfaces/mcp/transport.ts'
import { openCookieAuthenticator } from '../../src/surfaces/pipeline/cookie-authentication.ts'
import { openPipeline } from '../../src/surfaces/pipeline/pipeline.ts'
import { OpenStreams } from '../../src/surfaces/rest/open-streams.ts'
import { addressReader } from '../../src/surfaces/rest/request.ts'
import { openRest, type RequestLine } from '../../src/surfaces/rest/server.ts'
import { exchange, watchedFetch } from './http.ts'
import { type Body, type TestPipeline, testPipeline } from './test-pipeline.ts'

export type Era = 'legacy' | 'modern'
type Posted = { status: number; headers: Headers; body: Body; text: string }
type McpTestServer = {
  pipeline: TestPipeline
  url: string
  lines: RequestLine[]
  /** One HTTP request; `body` is sent as JSON unless it is a text. */
  send: (method: string, path: string, given?: Sent) => Promise<Posted>
  /** A JSON-RPC message (or anything else) to the endpoint. */
  post: (body: unknown, headers?: Record<string, string>) => Promise<Posted>
  /** A connected client of the SDK; closed after the file's tests. */
  client: (era: Era, token?: string) => Promise<Client>
  drain: () => void
}
type Sent = { body?: unknown; headers?: Record<string, string> }

/** `served`: what the transport serves in place of the operations' tools. */
export async function mcpTestServer(
  tested: readonly Operation[],
  given: Record<string, string> = {},
  served?: ServerDefinition,
): Promise<McpTestServer> {
  const pipeline = await testPipeline({ operations: tested, settings: { ...given, PORT: '0' } })
  const { app } = pipeline
  const settings = { ...app.settings }
  const operations = [...account.operations, ...keys.operations, ...tested]
  const authenticators = [
    { prefix: 'ar_', authenticate: keys.authenticateApiKeys(app) },
    { prefix: 'op_', authenticate: authenticateOperators(app) },
  ]
  const lines: RequestLine[] = []
  const shutdown = new AbortController()
  const parts = {
    settings,
    operations,
    pipeline: openPipeline({
      app: { ...app, settings },
      authenticators,
      cookies: openCookieAuthenticator(settings, {
        customer: async () => undefined,
        operator: async () => undefined,
      }),
      limits: openLimits(app.db),
    }),
    addressOf: addressReader([]),
    streams: new OpenStreams(app, shutdown.signal),
    leaving: shutdown.signal,
    shutdown: shutdown.signal,
    log: (line: RequestLine) => lines.push(line),
  }
  const server = openRest(parts)
  addMcp(server, { ...parts, names: openClientNames(app.db) }, served)
  addDiscovery(server, parts)
  await server.listen({ host: settings.host, port: 0 })
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  Object.assign(settings, onPort(settings, port))
  const url = `http://127.0.0.1:${port}`
  after(() => server.close())
  return {
    pipeline,
    url,
    lines,
    send: (method, path, sent = {}) => send(url + path, method, sent),
    post: (body, headers = {}) => send(`${url}/mcp`, 'POST', { body, headers }),
    client: (era, token) => connectMcp(`${url}/mcp`, era, token),
    drain: () => shutdown.abort(),
  }
}

async function send(url: string, method: string, { body, headers }: Sent): Promise<Posted> {
  const received = await exchange(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const { headers: fields, text } = received
  const isJson = fields.get('content-type')?.includes('json') && text !== ''
  return { ...received, body: isJson ? Object(JSON.parse(text)) : {} }
}

/** The SDK's client at an endpoint; closed after the file's tests. */
export async function connectMcp(url: string, era: Era, token?: string): Promise<Client> {
  const client = new Client(
    { name: 'test-agent', version: '1.2.3' },
    era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  )
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: watchedFetch,
    requestInit: { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } },
  })
  await client.connect(transport)
  after(() => client.close())
  return client
}

/** A call of a tool as JSON-RPC. */
export function toolCall(name: string, args: object = {}, id = 1) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }
}

/**
 * The same message with what 2026-07-28 asks for in its body; `change` replaces fields of `_meta`.
 */
export function modern(message: { method: string; params?: object }, change: object = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
    ...change,
  }
  return { ...message, params: { ...message.params, _meta } }
}

/** The header fields that 2026-07-28 requires. */
export function modernHeaders(method: string, name?: string): Record<string, string> {
  const own = name === undefined ? {} : { 'mcp-name': name }
  return { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...own }
}
