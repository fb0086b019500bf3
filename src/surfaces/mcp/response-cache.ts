// Remembers the SDK's own answers to what never changes while the service runs (lists, most of all
// of tools): the SDK takes a millisecond for one, and every client asks.
import { LruMap } from 'toad-cache'
import type { Engine } from './transport.ts'

const most_answers = 32
const longest_key = 2_000

type Remembered = { type: string; result: string }

/**
 * The same engine, with a memory for these methods. An answer is given again to just the same
 * request: header fields, parameters and era are compared, the id is the asker's own.
 */
export function remembering(engine: Engine, methods: ReadonlySet<string>): Engine {
  const answers = new LruMap<Remembered>(most_answers)

  async function kept(key: string, response: Response): Promise<Response> {
    const type = response.headers.get('content-type') ?? ''
    if (response.status !== 200 || !type.startsWith('application/json')) return response
    const text = await response.text()
    const { result }: { result?: unknown } = Object(JSON.parse(text))
    if (result !== undefined) {
      answers.set(key, { type, result: JSON.stringify(result) })
    }
    return new Response(text, { status: 200, headers: response.headers })
  }

  return {
    eraOf: engine.eraOf,
    async speak(request, body, exchange) {
      const asked = askedBy(body)
      if (!asked || !methods.has(asked.method) || exchange.takes === 'stream')
        return engine.speak(request, body, exchange)
      const { id, ...rest } = asked
      const key = JSON.stringify([exchange.era, [...request.headers], rest])
      if (key.length > longest_key) return engine.speak(request, body, exchange)
      const known = answers.get(key)
      if (!known) return kept(key, await engine.speak(request, body, exchange))
      const text = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${known.result}}`
      return new Response(text, { headers: { 'content-type': known.type } })
    },
  }
}

type Asked = { id: string | number; method: string }

/** A request as it was sent, or undefined for anything else. */
function askedBy(body: unknown): Asked | undefined {
  if (Array.isArray(body)) return undefined
  const { id, method, ...rest }: Record<string, unknown> = { ...Object(body) }
  if (typeof method !== 'string') return undefined
  if (typeof id === 'string') return { ...rest, id, method }
  return typeof id === 'number' && Number.isSafeInteger(id) ? { ...rest, id, method } : undefined
}
