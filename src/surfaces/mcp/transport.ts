// MCP over the SDK, one message at a time and without sessions: revision 2026-07-28 and the five
// before it. The capabilities come from outside; this is the transport alone, with the names of the
// clients that have connected.
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
import { LRUCache } from 'lru-cache'
import type { Caller, Operation } from '../../app.ts'
import type { Database } from '../../db/database.ts'
import { oauthWords } from '../../errors/oauth-json.ts'
import { monotonicMs } from '../../kit/clock.ts'
import { newExpiringMap } from '../../kit/expiring-map.ts'
import { hashSecret } from '../../kit/random.ts'
import { principalKey } from '../pipeline/access-control.ts'
import type { Admitted, IncomingRequest, Pipeline, PipelineResponse } from '../pipeline/pipeline.ts'
import { clientNameOf, keepClientName } from './client-names.sql.ts'

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
  /** Capabilities, instructions, cache lifetimes of responses. */
  options: ServerOptions
  /**
   * True: handlers send messages before their response (progress, logs), so clients of the older
   * era that accept either get a stream. Those of the newer one get it with the first message.
   */
  streams: boolean
  /** Methods whose response depends on the request alone: the SDK is asked once for each. */
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
        // One JSON response, unless a handler sends a message before it.
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

/** The SDK throws validation errors with a JSON list as the message, and no other mark. */
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

/** Clients are few and alike. */
const most_responses = 32
const longest_key = 2_000

type CachedResponse = { type: string; result: string }

/**
 * The same transport with a response cache for these methods: the SDK takes a millisecond for a
 * list of tools, and every client asks. A cached result is returned for exactly the same request:
 * header fields, parameters and era are compared, the id is the request's own.
 */
export function withResponseCache(transport: Transport, methods: ReadonlySet<string>): Transport {
  const responses = new LRUCache<string, CachedResponse>({ max: most_responses })

  async function store(key: string, response: Response): Promise<Response> {
    const type = response.headers.get('content-type') ?? ''
    if (response.status !== 200 || !type.startsWith('application/json')) return response
    const text = await response.text()
    const { result }: { result?: unknown } = Object(JSON.parse(text))
    if (result !== undefined) {
      responses.set(key, { type, result: JSON.stringify(result) })
    }
    return new Response(text, { status: 200, headers: response.headers })
  }

  return {
    eraOf: transport.eraOf,
    async send(request, body, exchange) {
      const message = requestOf(body)
      if (!message || !methods.has(message.method) || exchange.accepts === 'stream')
        return transport.send(request, body, exchange)
      const { id, ...rest } = message
      const key = JSON.stringify([exchange.era, [...request.headers], rest])
      if (key.length > longest_key) return transport.send(request, body, exchange)
      const cached = responses.get(key)
      if (!cached) return store(key, await transport.send(request, body, exchange))
      const text = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${cached.result}}`
      return new Response(text, { headers: { 'content-type': cached.type } })
    },
  }
}

type JsonRpcRequest = { id: string | number; method: string }

/** A request as it was sent, or undefined for anything else. */
function requestOf(body: unknown): JsonRpcRequest | undefined {
  if (Array.isArray(body)) return undefined
  const { id, method, ...rest }: Record<string, unknown> = { ...Object(body) }
  if (typeof method !== 'string') return undefined
  if (typeof id === 'string') return { ...rest, id, method }
  return typeof id === 'number' && Number.isSafeInteger(id) ? { ...rest, id, method } : undefined
}

/** A credential and the User-Agent sent with it. */
type ClientKey = { caller: Caller; user_agent: string }
export type ClientNames = {
  keep: (key: ClientKey, name: string) => Promise<void>
  /** Undefined: no client with this credential and User-Agent connected lately. */
  of: (key: ClientKey) => Promise<string | undefined>
}

const ttl_ms = 60_000
const most_known = 10_000

/**
 * Cache-aside store of client names. The older revisions send clientInfo in initialize alone and
 * there are no sessions, so later calls are matched by credential and User-Agent.
 */
export function openClientNames(db: Database): ClientNames {
  const known = newExpiringMap<{ name: string | undefined }>({
    max: most_known,
    ttl_ms,
    monotonic_ms: monotonicMs,
  })

  function note(id: string, name: string | undefined): void {
    known.set(id, { name })
  }

  return {
    async keep({ caller, user_agent }, name) {
      if (caller.kind === 'anonymous') return
      const principal = principalKey(caller)
      const hash = hashSecret(user_agent)
      await db.run(keepClientName, { principal, user_agent: hash, name })
      note(`${principal} ${hash.toString('hex')}`, name)
    },
    async of({ caller, user_agent }) {
      if (caller.kind === 'anonymous') return undefined
      const principal = principalKey(caller)
      const hash = hashSecret(user_agent)
      const id = `${principal} ${hash.toString('hex')}`
      const cached = known.get(id)
      if (cached) return cached.name
      const row = await db.maybe(clientNameOf, { principal, user_agent: hash })
      note(id, row?.name)
      return row?.name
    },
  }
}
