// Retries of reads after temporary failures, as the problem itself reports them.

type Failure = { code: string; status: number; facts: Readonly<Record<string, unknown>> }

/**
 * Whether a read is sent again at once: because no answer of the API came (the network, a proxy, a
 * restart), or because the answer says that it may be repeated. A rate limit is shown instead,
 * since its Retry-After may be longer than anyone waits for a page, and a retry counts as a
 * request.
 */
export function isRetryable({ code, status, facts }: Failure): boolean {
  if (code === 'unreachable') return true
  return facts.retryable === true && status !== 429
}
