// Retries: a fetch that repeats idempotent requests, which are GET and HEAD, and those with an
// Idempotency-Key, which every attempt keeps. All else is sent once.
import { ConnectionError, secondsOf, TimeoutError } from './errors.ts'

export type RetryOptions = {
  /** Attempts after the first. */
  retries?: number
  /** Milliseconds before the second attempt; doubled for each further one, with jitter. */
  base?: number
  /** The longest wait between two attempts in milliseconds, also of a Retry-After. */
  cap?: number
  /** Milliseconds for one attempt, with the body of its response. */
  timeout?: number
}
type Fetch = typeof globalThis.fetch
type Outcome = { response: Response } | { error: ConnectionError }

const defaults = { retries: 4, base: 500, cap: 60_000, timeout: 75_000 }
const retriedStatuses = [429, 502, 503, 504]

export function retryingFetch(fetch: Fetch, given: RetryOptions = {}): Fetch {
  const options = { ...defaults, ...given }
  return async (input, init) => {
    const request = new Request(input, init)
    const retries = mayRepeat(request) ? options.retries : 0
    for (let attempt = 0; ; attempt++) {
      const outcome = await tryOnce(fetch, attempt < retries ? request.clone() : request, options)
      const wait = await waitBefore(outcome, attempt, options)
      if (wait === null || attempt >= retries) {
        if ('error' in outcome) throw outcome.error
        return outcome.response
      }
      await sleep(wait, request.signal)
    }
  }
}

/** Ends early, with the reason of the signal, when it is aborted. */
export function sleep(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

function mayRepeat(request: Request): boolean {
  return ['GET', 'HEAD'].includes(request.method) || request.headers.has('idempotency-key')
}

/** The body is read here, so that a response cut in the middle counts as lost. */
async function tryOnce(
  fetch: Fetch,
  request: Request,
  { timeout }: { timeout: number },
): Promise<Outcome> {
  const limit = AbortSignal.timeout(timeout)
  try {
    const response = await fetch(request, { signal: AbortSignal.any([request.signal, limit]) })
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    if (isStream || response.body === null) return { response }
    const { status, statusText, headers } = response
    return { response: new Response(await response.arrayBuffer(), { status, statusText, headers }) }
  } catch (cause) {
    if (request.signal.aborted) throw request.signal.reason
    const error = limit.aborted
      ? new TimeoutError({ message: `No response within ${timeout / 1000} seconds.`, cause })
      : new ConnectionError({ message: 'The service could not be reached.', cause })
    return { error }
  }
}

/** Milliseconds until the next attempt; null where none is to be made. */
async function waitBefore(
  outcome: Outcome,
  attempt: number,
  { base, cap }: { base: number; cap: number },
): Promise<number | null> {
  const backoff = Math.min(cap, base * 2 ** attempt) * (0.5 + Math.random() / 2)
  if ('error' in outcome) return backoff
  const { response } = outcome
  if (!retriedStatuses.includes(response.status) && !(await isStillRunning(response, attempt)))
    return null
  const asked = secondsOf(response.headers.get('retry-after'))
  if (asked === undefined) return backoff
  return asked * 1000 > cap ? null : Math.max(asked * 1000, backoff)
}

/** After a lost response, the first attempt may still hold the key: its answer comes soon. */
async function isStillRunning(response: Response, attempt: number): Promise<boolean> {
  if (attempt === 0 || response.status !== 409) return false
  const body = await response.clone().text()
  return body.includes('"idempotency_key_in_use"')
}
