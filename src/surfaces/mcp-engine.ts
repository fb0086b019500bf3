// Speaks MCP with the SDK, one message at a time and without sessions: 2026-07-28, and the five
// revisions before it.
import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerOptions,
  type Tool,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'

/** What one exchange needs of us. `call` answers undefined for a tool that there is not. */
export type Exchange = {
  era: 'legacy' | 'modern'
  /** The client takes an event stream only. */
  stream: boolean
  call: (name: string, args: unknown) => Promise<CallToolResult | undefined>
  noted: (error: Error) => void
}
export type Engine = {
  eraOf: (request: Request, body: unknown) => Promise<Exchange['era']>
  speak: (request: Request, body: unknown, exchange: Exchange) => Promise<Response>
}

/** What an agent reads before its first call. */
export const instructions = [
  'agent-registrar sells domain names, paid from a prepaid balance.',
  'To buy a name safely: (1) check_domain_availability;',
  'go on only if "available" is true and "price" is there.',
  '(2) get_balance: "available" must cover the price; only the owner can add money.',
  '(3) register_domain with max_price (the price you saw) and an idempotency_key of your own;',
  'dry_run tries all but the effect.',
  '(4) If status is "pending", wait, and read get_domain',
  'until operation.state is succeeded or failed.',
  'If the answer was lost, read get_domain before anything else,',
  'or repeat the same call with the same idempotency_key. Never buy twice.',
  'A refused call names code, detail and next_action: do what next_action says;',
  'ask your owner when it says ask_owner or add_funds.',
].join(' ')

const listLife = { ttlMs: 300_000, cacheScope: 'public' } as const

export function openEngine(tools: Tool[]): Engine {
  const info = { name: 'agent-registrar', title: 'Agent Registrar', version: '0.1.0' }
  const options: ServerOptions = {
    capabilities: { tools: { listChanged: false } },
    instructions,
    cacheHints: { 'tools/list': listLife, 'server/discover': listLife },
  }

  function serverFor(exchange: Exchange): Server {
    const server = new Server(info, options)
    server.onerror = exchange.noted
    server.setRequestHandler('tools/list', () => ({ tools }))
    server.setRequestHandler('tools/call', async ({ params }) => {
      const result = await exchange.call(params.name, params.arguments)
      if (result) return result
      const words = `There is no tool "${params.name}"; tools/list names those there are`
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, words)
    })
    return server
  }

  async function speakLegacy(request: Request, body: unknown, exchange: Exchange) {
    const server = serverFor(exchange)
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: !exchange.stream,
    })
    await server.connect(transport)
    const response = await transport.handleRequest(request, { parsedBody: body })
    // A stream ends by itself once the answer is written.
    if (!exchange.stream) await server.close()
    return response
  }

  return {
    eraOf: async (request, body) => ((await isLegacyRequest(request, body)) ? 'legacy' : 'modern'),
    speak(request, body, exchange) {
      if (exchange.era === 'legacy') return speakLegacy(request, body, exchange)
      const handler = createMcpHandler(() => serverFor(exchange), {
        legacy: 'reject',
        responseMode: exchange.stream ? 'sse' : 'auto',
        onerror: exchange.noted,
      })
      return handler.fetch(request, { parsedBody: body })
    },
  }
}
