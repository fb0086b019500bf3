// MCP over HTTP: POST {mcp_url}/mcp. Each tool is an operation of the catalog, called through the
// pipeline as over REST.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../app.ts'
import { draining } from '../pipeline/faults.ts'
import type { Answered, Entered, Incoming } from '../pipeline/pipeline.ts'
import { limitHeaders } from '../pipeline/rate-limits.ts'
import { InvalidRequest } from '../pipeline/validate.ts'
import { agentOf, incomingOf, type RestParts } from '../rest/server.ts'
import { pass } from './authorize-message.ts'
import { servedOf } from './capabilities.ts'
import type { ClientNames } from './client-names.ts'
import {
  argumentsOf,
  batchProblem,
  clientOf,
  idOf,
  initializes,
  messagesOf,
  strictPartOfMessages,
  type ToolArguments,
  toolCallsOf,
} from './json-rpc.ts'
import { guardOf } from './origin-guard.ts'
import { remembering } from './response-cache.ts'
import { malformed, type Refusal, refusalOf, toolResult } from './tool-results.ts'
import { type Tools, toolsOf } from './tools.ts'
import { type Engine, type Exchange, openEngine, type Served } from './transport.ts'

const usualBody = 65_536
// Around the arguments of the largest call, and a batch of small ones.
const envelope = 16_384

export type McpParts = RestParts & { names: ClientNames }

/**
 * Adds the endpoint. `settings` is read with each request: its roots may be moved to the port that
 * was taken. `served`: what a test puts in place of the catalog's tools.
 */
export function addMcp(server: FastifyInstance, parts: McpParts, served?: Served): void {
  const tools = toolsOf(parts.operations)
  const what = served ?? servedOf(tools.list, parts.operations)
  const engine = remembering(openEngine(what), new Set(what.unchanging ?? []))
  const guard = guardOf(parts.settings)
  const bodies = [...tools.byName.values()].map((one) => one.max_body_bytes ?? usualBody)
  server.route({
    method: 'POST',
    url: mcpPath(parts.settings.mcp_url),
    bodyLimit: Math.max(usualBody, ...bodies) + envelope,
    config: { strictPart: (body) => strictPartOfMessages(body, tools.byName) },
    onRequest: async (request) => guard(request),
    handler: async (request, reply) => {
      if (parts.isDraining()) throw draining({ retry_after_s: 1 })
      const visit: Visit = { request, reply, parts, tools, engine, entered: null }
      const answer = await answerOf(visit)
      return answer instanceof Response ? reply.send(answer) : refuse(request, reply, answer)
    },
  })
}

/** The path of the endpoint on this server. */
export function mcpPath(mcpUrl: string): string {
  return new URL(`${mcpUrl}/mcp`).pathname
}

/** One POST. */
type Visit = {
  request: FastifyRequest
  reply: FastifyReply
  parts: McpParts
  tools: Tools
  engine: Engine
  entered: Entered | null
}

function refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  request.error_code = refusal.error_code
  request.cause = refusal.cause ?? null
  reply.code(refusal.status).headers(refusal.headers).type('application/json; charset=utf-8')
  return reply.send(JSON.stringify(refusal.body))
}

async function answerOf(visit: Visit): Promise<Response | Refusal> {
  const { request, reply, parts, tools } = visit
  const { body } = request
  const messages = messagesOf(body)
  const incoming = incomingFrom(visit, messages)
  const gate = {
    pipeline: parts.pipeline,
    settings: parts.settings,
    incoming,
    scopes: tools.scopes,
    id: idOf(body),
  }
  const calls = toolCallsOf(messages, tools.byName)
  const passed = await pass(gate, calls, Math.max(1, messages.length))
  request.caller = 'entered' in passed ? passed.entered.caller : passed.caller
  if ('refusal' in passed) return passed.refusal
  reply.headers(limitHeaders([...passed.entered.standings]))
  const problem = bodyProblemOf(visit)
  if (problem) return problem
  const { entered } = passed
  const agent_identifier = await agentNamed(visit, messages, { incoming, entered })
  return converse(visit, { ...incoming, agent_identifier }, entered)
}

function bodyProblemOf({ request }: Visit): Refusal | undefined {
  const { body, bodyProblem } = request
  if (bodyProblem instanceof InvalidRequest)
    return malformed(-32_700, `Parse error: ${bodyProblem.details[0]?.msg}`)
  if (bodyProblem) throw bodyProblem
  if (body === undefined) return malformed(-32_700, 'Parse error: the body is empty')
  if (!Array.isArray(body)) return undefined
  const words = batchProblem(body, header(request, 'mcp-protocol-version'))
  return words === undefined ? undefined : malformed(-32_600, `Invalid request: ${words}`)
}

function incomingFrom({ request, parts }: Visit, messages: unknown[]): Incoming {
  const { streams: _streams, ...usual } = incomingOf(request, parts.addressOf)
  const client = clientOf(messages)
  return {
    ...usual,
    entry_point: 'mcp',
    agent_identifier: client === undefined ? usual.agent_identifier : agentOf(client),
  }
}

type Passed = { incoming: Incoming; entered: Entered }

/**
 * The client's own name, as its messages tell it or, in the older revisions, as its initialize told
 * it; else what the header fields say (decisions part 9).
 */
async function agentNamed(
  { request, parts }: Visit,
  messages: unknown[],
  { incoming, entered: { caller } }: Passed,
): Promise<string> {
  const key = { caller, user_agent: header(request, 'user-agent') ?? '' }
  const told = clientOf(messages)
  if (told === undefined) return (await parts.names.of(key)) ?? incoming.agent_identifier
  // Newer revisions tell it with each message.
  if (initializes(messages)) await parts.names.keep(key, agentOf(told))
  return agentOf(told)
}

async function converse(visit: Visit, incoming: Incoming, entered: Entered) {
  const { request, engine, parts } = visit
  const web = webRequest(request, parts.settings.mcp_url)
  const era = await engine.eraOf(web, request.body)
  const answers: Answered[] = []
  const run = async (operation: Operation, call: ToolArguments) => {
    const { args, pathCustomer } = call
    const gathered = { ...incoming, pathCustomer, fields: () => ({ args }) }
    const answer = await parts.pipeline.call(operation, gathered, entered)
    answers.push(answer)
    note(visit, answer)
    return answer
  }
  const exchange: Exchange = {
    era,
    takes: takenBy(request),
    run: (operation, args) => run(operation, { args, pathCustomer: undefined }),
    call: async (name, args) => {
      const operation = visit.tools.byName.get(name)
      if (!operation) return undefined
      const answer = await run(operation, argumentsOf({ operation, args }, entered.caller))
      return toolResult(answer, incoming.request_id, era)
    },
    noted: (error) => {
      request.cause ??= error
    },
  }
  if (era === 'legacy' && Array.isArray(request.body))
    return speakBatch(engine, { web, batch: request.body, exchange })
  const response = await engine.speak(web, request.body, exchange)
  const [only] = answers
  if (only?.status === 429) return refusalOf(only, idOf(request.body))
  return response
}

/**
 * What the answer of a tool adds to the log line and, while they can still be set, to the header
 * fields.
 */
function note({ request, reply }: Visit, answer: Answered): void {
  request.error_code = answer.error_code
  request.cause = answer.cause ?? null
  const { 'Content-Type': _type, 'WWW-Authenticate': _challenge, ...headers } = answer.headers
  if (!reply.raw.headersSent) reply.headers(headers)
}

type Batch = { web: Request; batch: unknown[]; exchange: Exchange }

/** One message after the other, so that a batch cannot cancel, or answer for, its own members. */
async function speakBatch(engine: Engine, { web, batch, exchange }: Batch): Promise<Response> {
  const answers: unknown[] = []
  for (const message of batch) {
    const response = await engine.speak(web, message, { ...exchange, takes: 'json' })
    const text = await response.text()
    if (text !== '') answers.push(JSON.parse(text))
  }
  return answers.length === 0 ? new Response(null, { status: 202 }) : Response.json(answers)
}

function header(request: FastifyRequest, name: string): string | undefined {
  return request.headers[name]?.toString()
}

/** JSON is what everyone gets who does not ask for an event stream. */
function takenBy(request: FastifyRequest): Exchange['takes'] {
  const accept = header(request, 'accept') ?? ''
  if (!accept.includes('text/event-stream')) return 'json'
  return /application\/(json|\*)|\*\/\*/.test(accept) ? 'either' : 'stream'
}

/** The request as the SDK reads it: the protocol's own header fields, never the token. */
function webRequest(request: FastifyRequest, mcpUrl: string): Request {
  const headers = new Headers({
    'content-type': 'application/json',
    // The SDK insists on both; what the client takes is settled by takenBy.
    accept: 'application/json, text/event-stream',
  })
  for (const name of ['mcp-protocol-version', 'mcp-method', 'mcp-name']) {
    const value = header(request, name)
    if (value !== undefined) headers.set(name, value)
  }
  return new Request(`${mcpUrl}/mcp`, { method: 'POST', headers })
}
