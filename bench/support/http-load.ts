// Load over HTTP for one round, by autocannon. An unsuccessful answer ends the benchmark.
import autocannon from 'autocannon'

type Shot = {
  url: string
  connections: number
  seconds: number
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  /**
   * One body for all requests, or a function that returns the next one, with a path of its own if
   * it has one.
   */
  body?: string | (() => Request)
}
type Request = { body: string; headers: Record<string, string>; path?: string }
export type Hits = { count: number; per_s: number; p50_ms: number; p99_ms: number }

export async function shoot(shot: Shot): Promise<Hits> {
  const { url, connections, seconds, method = 'GET', headers = {}, body } = shot
  const start = performance.now()
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    timeout: 30,
    method,
    headers: { ...headers, ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) },
    ...(typeof body === 'string' ? { body } : {}),
    ...(typeof body === 'function'
      ? {
          requests: [
            {
              setupRequest(request) {
                const next = body()
                return {
                  ...request,
                  ...next,
                  headers: { ...request.headers, ...next.headers },
                }
              },
            },
          ],
        }
      : {}),
  })
  const took_s = (performance.now() - start) / 1000
  const count = result['2xx']
  if (result.non2xx > 0 || result.errors > 0 || count === 0)
    throw new Error(
      `${url}: ${count} successes, ${result.non2xx} other answers ` +
        `(${JSON.stringify(result.statusCodeStats)}), ${result.errors} errors`,
    )
  const { p50, p99 } = result.latency
  return { count, per_s: count / took_s, p50_ms: p50, p99_ms: p99 }
}
