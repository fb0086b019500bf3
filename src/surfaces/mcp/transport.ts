// MCP over the SDK, one message at a time and without sessions: revision 2026-07-28 and the five
// before it. The capabilities come from outside; this is the transport alone.
import {
  createMcpHandler,
  type Implementation,
  isLegacyRequest,
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
  type ServerOptions,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../app.ts'
import { oauthWords } from '../../errors/oauth-json.ts'
import type { Admitted, IncomingRequest, Pipeline, PipelineResponse } from '../pipeline/pipeline.ts'

/** The HTTP request that a message belongs to, as handlers need it to call operations. */
export type RequestContext = {
  request: FastifyRequest
  reply: FastifyReply
  pipeline: Pipeline
  incoming: IncomingRequest
  admitted: Admitted
  operations: ReadonlyMap<string, Operation>
  /** The responses of the operations called so far. */
  responses: PipelineResponse[]
}
/** One message and its response. */
export type Exchange = {
  era: 'legacy' | 'modern'
  /** The form that the client accepts: one JSON response, an event stream, or either. */
  accepts: 'json' | 'stream' | 'either'
  context: RequestContext
  /** Gets failures of the service, for the log. */
  onError: (error: Error) => void
}
export type Transport = {
  eraOf: (request: Request, body: unknown) => Promise<Exchange['era']>
  send: (request: Request, body: unknown, exchange: Exchange) => Promise<Response>
}

/** A server as clients see it. Each message gets an instance of its own, so none keeps state. */
export type ServerDefinition = {
  info: Implementation
  /** The capabilities, the instructions and the cache lifetimes of responses. */
  options: ServerOptions
  /**
   * Whether handlers send messages before their response (progress, logs). Clients of the older era
   * that accept either form then get a stream. Those of the newer one get it with the first
   * message.
   */
  streams: boolean
  /**
   * Methods whose response depends on the request alone, so that the SDK is asked once for each.
   */
  cacheable?: readonly string[]
  setHandlers: (server: Server, exchange: Exchange) => void
}

export function openTransport(definition: ServerDefinition): Transport {
  function serverFor(exchange: Exchange): Server {
    const server = new McpServer(definition.info, definition.options, exchange.onError)
    server.onerror = exchange.onError
    definition.setHandlers(server, exchange)
    return server
  }

  async function sendLegacy(request: Request, body: unknown, exchange: Exchange) {
    const { accepts } = exchange
    const stream = accepts === 'stream' || (definition.streams && accepts === 'either')
    const server = serverFor(exchange)
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !stream })
    await server.connect(transport)
    const response = await transport.handleRequest(request, { parsedBody: body })
    // A stream ends after the response without our action.
    if (!stream) await server.close()
    return response
  }

  return {
    eraOf: async (request, body) => ((await isLegacyRequest(request, body)) ? 'legacy' : 'modern'),
    send(request, body, exchange) {
      if (exchange.era === 'legacy') return sendLegacy(request, body, exchange)
      const handler = createMcpHandler(() => serverFor(exchange), {
        legacy: 'reject',
        // The response is JSON, unless a handler sends a message before it.
        responseMode: exchange.accepts === 'stream' ? 'sse' : 'auto',
        onerror: exchange.onError,
      })
      return handler.fetch(request, { parsedBody: body })
    },
  }
}

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>

/**
 * The SDK's server with readable errors: parameters of another shape are -32602 with the fields
 * named, and failures of the service are never shown.
 */
class McpServer extends Server {
  readonly #onError: (error: Error) => void

  constructor(info: Implementation, options: ServerOptions, onError: (error: Error) => void) {
    super(info, options)
    this.#onError = onError
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const inner = super._wrapHandler(method, handler)
    return async (request, context) => {
      try {
        return await inner(request, context)
      } catch (error) {
        throw this.#publicError(method, error)
      }
    }
  }

  #publicError(method: string, error: unknown): unknown {
    if (!(error instanceof Error) || 'code' in error) return error
    const issues = issuesOf(error.message)
    if (issues === undefined) {
      this.#onError(error)
      return new ProtocolError(ProtocolErrorCode.InternalError, oauthWords.bug)
    }
    const words = `Parameters of ${method} are of another shape: ${issues.join('; ')}`
    return new ProtocolError(ProtocolErrorCode.InvalidParams, words)
  }
}

/**
 * The issues of a validation error, which the SDK throws with a JSON list as the message and no
 * other mark.
 */
function issuesOf(message: string): string[] | undefined {
  try {
    const list: unknown = JSON.parse(message)
    if (!Array.isArray(list) || list.length === 0) return undefined
    return list.map((issue) => {
      const { path, message: words } = Object(issue)
      return `${[path].flat().join('.')}: ${words}`
    })
  } catch {
    return undefined
  }
}
