// Retries of reads: for failures that pass by themselves, by the problem's own word.

type Failure = { code: string; status: number; facts: Readonly<Record<string, unknown>> }

/**
 * Whether a read is sent again at once: no answer of the API came (the network, a proxy, a
 * restart), or the answer says that it may be repeated. One that is limited is shown instead: its
 * Retry-After may be longer than anyone waits for a page, and a retry counts as a request.
 */
export function isRetryable({ code, status, facts }: Failure): boolean {
  if (code === 'unreachable') return true
  return facts.retryable === true && status !== 429
}
