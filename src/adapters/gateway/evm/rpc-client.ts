// A JSON-RPC endpoint: a client of viem whose answers are bounded in time and size, and whose
// failures are GatewayUnavailable without the URL, because that contains a key.
import { BaseError, createPublicClient, http, RpcRequestError } from 'viem'
import { boundedFetch } from '../../../kit/net/bounded-fetch.ts'
import { GatewayUnavailable } from '../port.ts'

export type RpcOptions = { url: string; name: string; timeout_ms: number; batch: number }

const most_bytes = 8 * 1024 * 1024

/**
 * The endpoint refuses this many results, or answers more than is read. A smaller range may work.
 */
export class AnswerTooLarge extends GatewayUnavailable {}

export function openRpcClient({ url, timeout_ms, batch }: RpcOptions) {
  return createPublicClient({
    transport: http(url, {
      batch: { batchSize: batch },
      retryCount: 0,
      timeout: timeout_ms,
      // viem's time-out ends with the headers of the answer, but this one includes its body.
      fetchFn: async (url, { headers, body }: RequestInit = {}) => {
        const signal = AbortSignal.timeout(timeout_ms)
        const request = { method: 'POST', headers: { ...Object(headers) }, body, signal }
        return boundedFetch(String(url), request, most_bytes)
      },
    }),
  })
}

/** Any failure becomes GatewayUnavailable, with a message that contains no URL. */
export async function reading<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof GatewayUnavailable) throw error
    const why = wordsOf(error)
    throw isTooLarge(error)
      ? new AnswerTooLarge(`${what}: ${why}`)
      : new GatewayUnavailable(`${what}: ${why}`)
  }
}

/**
 * viem's errors contain the URL, so only their short message and the endpoint's own are passed on.
 */
function wordsOf(error: unknown): string {
  if (!(error instanceof BaseError))
    return `${error instanceof Error ? error.name : 'an error'} while its answer was read`
  const refusal = error.walk((cause) => cause instanceof RpcRequestError)
  const details = refusal instanceof RpcRequestError ? refusal.details : ''
  const status = 'status' in error ? String(error.status) : ''
  const own = details.replace(/https?:\S+/g, '...').slice(0, 200)
  return [error.shortMessage, status, own].filter((part) => part !== '').join(' ')
}

/** Endpoints have many codes and messages for their limits, so any refusal in JSON-RPC counts. */
function isTooLarge(error: unknown): boolean {
  const isCause = (cause: unknown) =>
    cause instanceof RangeError || cause instanceof RpcRequestError
  return error instanceof BaseError && error.walk(isCause) !== null
}
