// The MCP server's capabilities: the tools of the catalog, called through the pipeline, resources,
// prompts, and the instructions that an agent reads first.
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type Tool,
} from '@modelcontextprotocol/server'
import type { Operation } from '../../app.ts'
import { currencies } from '../../kit/money.ts'
import { buyingSteps, moneyRule, refusalRule } from '../descriptions/guide.ts'
import type { PipelineResponse } from '../pipeline/pipeline.ts'
import type { ApiResponse } from '../pipeline/response.ts'
import { argumentsOf, type ToolArguments } from './json-rpc.ts'
import { completionsOf, promptOf, prompts, startingWith } from './prompts.ts'
import { resourcesOf } from './resources.ts'
import type { Exchange, RequestContext, ServerDefinition } from './transport.ts'

/** Agents read these before their first call. */
export const instructions = [
  'agent-registrar sells domain names, paid from a prepaid balance. To buy a name safely:',
  ...buyingSteps.map((step, i) => `(${i + 1}) ${step}`),
  refusalRule,
  moneyRule,
  'get_state_model shows what each status of a domain allows. Resources have the price lists and ' +
    'documents, prompts the usual jobs.',
].join(' ')

const listLife = { ttlMs: 300_000, cacheScope: 'public' } as const
const textLife = { ttlMs: 60_000, cacheScope: 'public' } as const

const cacheHints = {
  'tools/list': listLife,
  'server/discover': listLife,
  'resources/list': listLife,
  'resources/templates/list': listLife,
  'resources/read': textLife,
  'prompts/list': listLife,
}

export function serverDefinition(
  tools: Tool[],
  operations: readonly Operation[],
): ServerDefinition {
  const resources = resourcesOf(operations)
  return {
    info: { name: 'agent-registrar', title: 'Agent Registrar', version: '0.1.0' },
    options: {
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false, subscribe: false },
        prompts: { listChanged: false },
        completions: {},
      },
      instructions,
      cacheHints,
    },
    streams: false,
    cacheable: Object.keys(cacheHints).filter((method) => method !== 'resources/read'),
    setHandlers(server, exchange) {
      server.setRequestHandler('tools/list', ({ params }) => whole(params, { tools }))
      server.setRequestHandler('tools/call', ({ params }) =>
        callTool(exchange, params.name, params.arguments),
      )
      server.setRequestHandler('resources/list', ({ params }) =>
        whole(params, { resources: resources.list }),
      )
      server.setRequestHandler('resources/templates/list', ({ params }) =>
        whole(params, { resourceTemplates: resources.templates }),
      )
      server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
        const result = await resources.read(uri, (operation, args) =>
          callOperation(exchange.context, operation, { args, pathCustomer: undefined }),
        )
        if (result) return result
        throw new ResourceNotFoundError(uri, `There is no resource ${uri}`)
      })
      servePrompts(server)
    },
  }
}

/**
 * Answers a list without pages. No cursor is one of ours, so each is refused as -32602 (MCP,
 * pagination).
 */
function whole<Result>(
  params: { cursor?: string | undefined } | undefined,
  result: Result,
): Result {
  if (params?.cursor === undefined) return result
  throw invalidParams('The cursor is none of ours: the list has no pages')
}

async function callTool(
  { era, context }: Exchange,
  name: string,
  args: unknown,
): Promise<CallToolResult> {
  const operation = context.operations.get(name)
  if (!operation)
    throw invalidParams(`There is no tool "${name}"; tools/list has the available ones`)
  const call = argumentsOf({ operation, args }, context.admitted.caller)
  const response = await callOperation(context, operation, call)
  return toolResult(response, context.incoming.request_id, era)
}

/**
 * Runs an operation through the pipeline. Its response adds to the log line and, while they can
 * still be set, to the header fields.
 */
async function callOperation(
  { request, reply, pipeline, incoming, admitted, responses }: RequestContext,
  operation: Operation,
  { args, pathCustomer }: ToolArguments,
): Promise<PipelineResponse> {
  const call = { ...incoming, pathCustomer, input: { arguments: args } }
  const response = await pipeline.call(operation, call, admitted)
  responses.push(response)
  request.error_code = response.error_code
  request.cause = response.cause ?? null
  const { 'Content-Type': _type, 'WWW-Authenticate': _challenge, ...headers } = response.headers
  if (!reply.raw.headersSent) reply.headers(headers)
  return response
}

function servePrompts(server: Server): void {
  server.setRequestHandler('prompts/list', ({ params }) => whole(params, { prompts }))
  server.setRequestHandler('prompts/get', ({ params }) => promptOf(params.name, params.arguments))
  server.setRequestHandler('completion/complete', ({ params: { ref, argument } }) => {
    const values =
      ref.type === 'ref/prompt'
        ? completionsOf(ref.name, argument.name, argument.value)
        : currenciesOf(ref.uri, argument)
    return { completion: { values, total: values.length, hasMore: false } }
  })
}

/** The one template has one variable. */
function currenciesOf(uri: string, { name, value }: { name: string; value: string }): string[] {
  if (uri === 'registrar://prices/{currency}' && name === 'currency')
    return startingWith(currencies, value)
  throw invalidParams(`There is no template ${uri} with a variable "${name}"`)
}

function invalidParams(words: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, words)
}

/**
 * A tool's result has the output as data and as text, or a refusal as a text with the next action.
 */
function toolResult(
  response: ApiResponse,
  requestId: string,
  era: 'legacy' | 'modern',
): CallToolResult {
  const failed = response.status >= 400
  const body = failed ? problemOf(response, requestId) : structuredOf(response.body)
  const content = [{ type: 'text' as const, text: JSON.stringify(body) }]
  if (!failed) return { content, structuredContent: body }
  // Clients of the older era validate even an error's structuredContent by the outputSchema.
  return era === 'modern'
    ? { content, structuredContent: body, isError: true }
    : { content, isError: true }
}

/** The problem as REST has it. A 422 gets the fields that every other problem has. */
function problemOf(response: ApiResponse, requestId: string): Record<string, unknown> {
  const body: Record<string, unknown> = Object(response.body)
  if (response.status !== 422) return body
  return {
    title: 'Invalid arguments',
    status: 422,
    code: response.error_code,
    retryable: false,
    next_action: {
      type: 'fix_request',
      hint: 'Correct every field in "detail" and call again.',
      url: null,
    },
    request_id: requestId,
    ...body,
  }
}

/** The output in the shape of its schema. */
export function structuredOf(output: unknown): Record<string, unknown> {
  return Array.isArray(output) ? { items: output } : Object(output ?? {})
}
