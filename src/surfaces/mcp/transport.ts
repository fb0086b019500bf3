// Speaks MCP with the SDK, one message at a time and without sessions: 2026-07-28, and the five
// revisions before it. What is served comes from outside; this is the transport alone.
import {
  type CallToolResult,
  createMcpHandler,
  type Implementation,
  isLegacyRequest,
  type Server,
  type ServerOptions,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Operation } from '../../app.ts'
import type { Answer } from '../pipeline/response.ts'
import type { Input } from '../pipeline/validate.ts'
import { PlainServer } from './mcp-server.ts'

/** One message and what answers it. */
export type Exchange = {
  era: 'legacy' | 'modern'
  /** What the client takes: one JSON answer, an event stream, or either. */
  takes: 'json' | 'stream' | 'either'
  /** Runs a tool of the catalog; undefined: there is none of that name. */
  call: (name: string, args: unknown) => Promise<CallToolResult | undefined>
  /** Runs an operation through the pipeline, as this request's caller. */
  run: (operation: Operation, args: Input) => Promise<Answer>
  noted: (error: Error) => void
}
export type Engine = {
  eraOf: (request: Request, body: unknown) => Promise<Exchange['era']>
  speak: (request: Request, body: unknown, exchange: Exchange) => Promise<Response>
}

/** What the transport serves. Each message gets a server of its own, so nothing is kept in one. */
export type Served = {
  info: Implementation
  /** Capabilities, instructions, how long answers may be cached. */
  options: ServerOptions
  /**
   * True: handlers send messages before their answer (progress, logs), so clients of the older era
   * that take either get a stream. Those of the newer one get it when there is such a message.
   */
  streams: boolean
  /** Methods whose answer depends on nothing but the request: each is asked of the SDK once. */
  unchanging?: readonly string[]
  /** Sets the request handlers. */
  equip: (server: Server, exchange: Exchange) => void
}

export function openEngine(served: Served): Engine {
  function serverFor(exchange: Exchange): Server {
    const server = new PlainServer(served.info, served.options, exchange.noted)
    server.onerror = exchange.noted
    served.equip(server, exchange)
    return server
  }

  async function speakLegacy(request: Request, body: unknown, exchange: Exchange) {
    const stream = exchange.takes === 'stream' || (served.streams && exchange.takes === 'either')
    const server = serverFor(exchange)
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !stream })
    await server.connect(transport)
    const response = await transport.handleRequest(request, { parsedBody: body })
    // A stream ends by itself once the answer is written.
    if (!stream) await server.close()
    return response
  }

  return {
    eraOf: async (request, body) => ((await isLegacyRequest(request, body)) ? 'legacy' : 'modern'),
    speak(request, body, exchange) {
      if (exchange.era === 'legacy') return speakLegacy(request, body, exchange)
      const handler = createMcpHandler(() => serverFor(exchange), {
        legacy: 'reject',
        // One JSON answer, unless a handler says something before it.
        responseMode: exchange.takes === 'stream' ? 'sse' : 'auto',
        onerror: exchange.noted,
      })
      return handler.fetch(request, { parsedBody: body })
    },
  }
}
