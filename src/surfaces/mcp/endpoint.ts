// The MCP endpoint over HTTP: POST {mcp_url}/mcp. Each tool is an operation of the catalog, called
// through the pipeline as over REST.
import { validateHostHeader } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../../config/config.ts'
import { fault } from '../../kit/fault.ts'
import { limitHeaders } from '../../rate-limits/leased-quotas.ts'
import { draining } from '../pipeline/faults.ts'
import type { Admitted, IncomingRequest } from '../pipeline/pipeline.ts'
import { InvalidRequest } from '../pipeline/validate.ts'
import { isAllowedOrigin } from '../rest/cross-origin.ts'
import { agentOf, incomingRequest } from '../rest/request.ts'
import type { RestParts } from '../rest/server.ts'
import { authorizeRequest } from './authorize.ts'
import { serverDefinition } from './capabilities.ts'
import type { ClientNames } from './client-names.ts'
import {
  batchProblem,
  clientOf,
  idOf,
  initializes,
  malformed,
  messagesOf,
  type Refusal,
  refusalOf,
  strictPartOfMessages,
  toolCallsOf,
} from './json-rpc.ts'
import { withoutUnset } from './left-out.ts'
import { sizeProblem } from './message-size.ts'
import { withResponseCache } from './response-cache.ts'
import { type Tools, toolsOf } from './tools.ts'
import {
  type Exchange,
  openTransport,
  type RequestContext,
  type ServerDefinition,
  type Transport,
} from './transport.ts'

const usualBody = 65_536
// The envelope around the arguments of the largest call, or of a batch of small ones.
const envelope = 16_384

type McpParts = RestParts & { names: ClientNames }
type Endpoint = { parts: McpParts; tools: Tools; transport: Transport }

/**
 * Adds the endpoint. `settings` is read with each request, because its roots may be moved to the
 * port that was taken. `definition` is that of a test, in place of the catalog's.
 */
export function addMcp(
  server: FastifyInstance,
  parts: McpParts,
  definition?: ServerDefinition,
): void {
  const tools = toolsOf(parts.operations)
  const served = definition ?? serverDefinition(tools.list, parts.operations)
  const transport = withResponseCache(openTransport(served), new Set(served.cacheable ?? []))
  const endpoint = { parts, tools, transport }
  const guard = originGuard(parts.settings)
  const bodies = [...tools.byName.values()].map((one) => one.max_body_bytes ?? usualBody)
  server.route({
    method: 'POST',
    url: mcpPath(parts.settings.mcp_url),
    bodyLimit: Math.max(usualBody, ...bodies) + envelope,
    config: { strictPart: (body) => strictPartOfMessages(body, tools.byName) },
    onRequest: async (request) => guard(request),
    handler: async (request, reply) => {
      if (parts.shutdown.aborted) throw draining({ retry_after_s: 1 })
      request.body = withoutUnset(request.body)
      const response = await respond(endpoint, request, reply)
      return response instanceof Response
        ? reply.send(response)
        : sendRefusal(request, reply, response)
    },
  })
}

/** The path of the endpoint on this server. */
function mcpPath(mcpUrl: string): string {
  return new URL(`${mcpUrl}/mcp`).pathname
}

function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  request.error_code = refusal.error_code
  request.cause = refusal.cause ?? null
  reply.code(refusal.status).headers(refusal.headers).type('application/json; charset=utf-8')
  return reply.send(JSON.stringify(refusal.body))
}

async function respond(
  { parts, tools, transport }: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Response | Refusal> {
  const { pipeline, settings } = parts
  const messages = messagesOf(request.body)
  const incoming = requestFrom(request, parts, messages)
  const authorization = await authorizeRequest(
    { pipeline, settings, incoming, scopes: tools.scopes, id: idOf(request.body) },
    toolCallsOf(messages, tools.byName),
    Math.max(1, messages.length),
  )
  if ('refusal' in authorization) {
    request.caller = authorization.caller
    return authorization.refusal
  }
  const { admitted } = authorization
  request.caller = admitted.caller
  reply.headers(limitHeaders(admitted.states))
  const problem = bodyProblemOf(request)
  if (problem) return problem
  incoming.agent_identifier = await agentNamed(request, parts, { messages, incoming, admitted })
  const operations = tools.byName
  const context = { request, reply, pipeline, incoming, admitted, operations, responses: [] }
  return serveTransport(transport, context, settings)
}

function bodyProblemOf({ body, bodyProblem, headers }: FastifyRequest): Refusal | undefined {
  if (bodyProblem instanceof InvalidRequest)
    return malformed(-32_700, `Parse error: ${bodyProblem.details[0]?.msg}`)
  if (bodyProblem) throw bodyProblem
  if (body === undefined) return malformed(-32_700, 'Parse error: the body is empty')
  const words =
    (Array.isArray(body) && batchProblem(body, headers['mcp-protocol-version']?.toString())) ||
    messagesOf(body)
      .map(sizeProblem)
      .find((problem) => problem !== undefined)
  return words === undefined ? undefined : malformed(-32_600, `Invalid request: ${words}`)
}

function requestFrom(
  request: FastifyRequest,
  { addressOf }: McpParts,
  messages: unknown[],
): IncomingRequest {
  const { streams: _streams, ...usual } = incomingRequest(request, addressOf)
  const client = clientOf(messages)
  return {
    ...usual,
    entry_point: 'mcp',
    agent_identifier: client === undefined ? usual.agent_identifier : agentOf(client),
  }
}

type Read = { messages: unknown[]; incoming: IncomingRequest; admitted: Admitted }

/**
 * The client's own name from its messages or, in the older revisions, from its initialize, or else
 * from the header fields.
 */
async function agentNamed(
  request: FastifyRequest,
  { names }: McpParts,
  { messages, incoming, admitted: { caller } }: Read,
): Promise<string> {
  const key = { caller, user_agent: header(request, 'user-agent') ?? '' }
  const client = clientOf(messages)
  if (client === undefined) return (await names.of(key)) ?? incoming.agent_identifier
  // Newer revisions send it with each message.
  if (initializes(messages)) await names.keep(key, agentOf(client))
  return agentOf(client)
}

async function serveTransport(
  transport: Transport,
  context: RequestContext,
  { mcp_url }: Settings,
): Promise<Response | Refusal> {
  const { request } = context
  const web = webRequest(request, mcp_url)
  const exchange: Exchange = {
    era: await transport.eraOf(web, request.body),
    accepts: acceptedBy(request),
    context,
    onError: (error) => {
      request.cause ??= error
    },
  }
  if (exchange.era === 'legacy' && Array.isArray(request.body))
    return sendBatch(transport, { web, batch: request.body, exchange })
  const response = await transport.send(web, request.body, exchange)
  const [only] = context.responses
  return only?.status === 429 ? refusalOf(only, idOf(request.body)) : response
}

type Batch = { web: Request; batch: unknown[]; exchange: Exchange }

/**
 * Sends one message after the other, so that a batch cannot cancel, or respond for, its own
 * members.
 */
async function sendBatch(transport: Transport, { web, batch, exchange }: Batch): Promise<Response> {
  const responses: unknown[] = []
  for (const message of batch) {
    const response = await transport.send(web, message, { ...exchange, accepts: 'json' })
    const text = await response.text()
    if (text !== '') responses.push(JSON.parse(text))
  }
  return responses.length === 0 ? new Response(null, { status: 202 }) : Response.json(responses)
}

function header(request: FastifyRequest, name: string): string | undefined {
  return request.headers[name]?.toString()
}

/** The form that the client accepts: JSON, unless it asks for an event stream. */
function acceptedBy(request: FastifyRequest): Exchange['accepts'] {
  const accept = header(request, 'accept') ?? ''
  if (!accept.includes('text/event-stream')) return 'json'
  return /application\/(json|\*)|\*\/\*/.test(accept) ? 'either' : 'stream'
}

/** The request as the SDK reads it, with the protocol's own header fields and never the token. */
function webRequest(request: FastifyRequest, mcpUrl: string): Request {
  const headers = new Headers({
    'content-type': 'application/json',
    // The SDK requires both; acceptedBy decides which one is sent.
    accept: 'application/json, text/event-stream',
  })
  for (const name of ['mcp-protocol-version', 'mcp-method', 'mcp-name']) {
    const value = header(request, name)
    if (value !== undefined) headers.set(name, value)
  }
  return new Request(`${mcpUrl}/mcp`, { method: 'POST', headers })
}

const foreignHost = fault('foreign_host', 'misdirected', {
  sentence: 'The Host header is not one of our hosts.',
  hint: 'Call the MCP endpoint at the URL that its metadata shows.',
})
const foreignOrigin = fault('foreign_origin', 'forbidden', {
  sentence: 'Web pages of other origins may not call the MCP endpoint.',
  hint: 'Call it from a program; for a page, an operator must add its origin to ALLOWED_ORIGINS.',
  next: 'fix_request',
})

const loopback = ['localhost', '127.0.0.1', '[::1]']

/**
 * Protects against DNS rebinding (MCP transports): it throws foreign_host (421) or foreign_origin
 * (403). A request without Origin comes from no browser and passes.
 */
function originGuard(settings: Settings): (request: FastifyRequest) => void {
  const ours = [settings.mcp_url, settings.base_url, settings.site_url].map((url) => new URL(url))
  const local = [settings.host, `[${settings.host}]`, ours[0]?.hostname].some(
    (host) => host !== undefined && loopback.includes(host),
  )
  const hosts = [...ours.map(({ hostname }) => hostname), ...(local ? loopback : [])]
  const origins = new Set(ours.map(({ origin }) => origin))

  function isOurs(origin: string, port: number | undefined): boolean {
    if (origins.has(origin) || isAllowedOrigin(settings, origin)) return true
    return local && loopback.some((host) => origin === `http://${host}:${port}`)
  }

  return ({ headers, socket }) => {
    if (!validateHostHeader(headers.host, hosts).ok) throw foreignHost()
    // The port is the socket's, because PORT may be 0.
    if (headers.origin !== undefined && !isOurs(headers.origin, socket.localPort))
      throw foreignOrigin()
  }
}
