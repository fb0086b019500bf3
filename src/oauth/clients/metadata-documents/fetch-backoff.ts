// Backoff per document after a failed fetch. It is no cache of the failure (the draft forbids one,
// section 4.3): a request during the backoff gets Retry-After.

import { LRUCache } from 'lru-cache'
import { type BackoffRange, backoffMs } from '../../../kit/concurrency/backoff.ts'

const maxUrls = 1_000
const after_second: BackoffRange = { first_ms: 5_000, longest_ms: 60_000 }
const known_ms = 30_000
const usual_s = 10

/**
 * A fetch that may succeed later, which says nothing about the client. Its words are ASCII without
 * quotes.
 */
export class FetchDeferred extends Error {
  readonly status: 429 | 503
  readonly retry_after_s: number

  constructor(status: 429 | 503, retry_after_s: number, words: string) {
    const seconds = Math.max(1, Math.ceil(retry_after_s))
    super(`${words}; try again in ${seconds} seconds`)
    this.name = 'FetchDeferred'
    this.status = status
    this.retry_after_s = seconds
  }
}

type Failure = { times: number; until_ms: number; words: string }
type FetchBackoff = {
  /** Throws FetchDeferred during the backoff. */
  check: (url: string) => void
  /**
   * Notes a failure and returns the error for the requests that wait. `known` says that a stale
   * document is used.
   */
  fail: (url: string, failure: { known: boolean; words: string }) => FetchDeferred
  /** Ends the backoff after a success. */
  reset: (url: string) => void
}

/**
 * There is no backoff after the first failure, so that a document can be corrected. Then it is 5 s,
 * 10 s, and up to a minute, or at least 30 s where a stale document is used.
 */
export function openFetchBackoff(now_ms: () => number): FetchBackoff {
  const failures = new LRUCache<string, Failure>({ max: maxUrls })
  const deferred = ({ words, until_ms }: Failure) => {
    const left_s = (until_ms - now_ms()) / 1000
    const what = `The document at client_id was not read: ${words}`
    return new FetchDeferred(503, left_s > 0 ? left_s : usual_s, what)
  }

  return {
    check(url) {
      const failure = failures.get(url)
      if (failure && failure.until_ms > now_ms()) throw deferred(failure)
    },
    fail(url, { known, words }) {
      const times = (failures.get(url)?.times ?? 0) + 1
      const growing_ms = backoffMs(times - 1, after_second)
      const backoff_ms = known ? Math.max(known_ms, growing_ms) : growing_ms
      const failure = { times, until_ms: now_ms() + backoff_ms, words }
      failures.set(url, failure)
      return deferred(failure)
    },
    reset: (url) => failures.delete(url),
  }
}
