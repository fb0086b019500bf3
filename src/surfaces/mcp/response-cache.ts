// Keeps the SDK's responses to requests whose answer depends on the request alone.
import { LRUCache } from 'lru-cache'
import type { Transport } from './transport.ts'

/** The cache is small, because clients are few and alike. */
const most_responses = 32
const longest_key = 2_000

type CachedResponse = { type: string; result: string }

/**
 * The same transport with a response cache for these methods: the SDK takes a millisecond for a
 * list of tools, and every client asks. A cached result is returned for exactly the same request:
 * header fields, parameters and era are compared, and the id is the request's own.
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
