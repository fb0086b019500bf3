// Renders a fault as application/problem+json (RFC 9457), the form of every refusal of the API but
// 422.
import { type Fault, kinds } from '../kit/fault.ts'

type Problem = { status: number; headers: Record<string, string>; body: object }

/** Roots of the links in a problem, without a slash at their end. */
export type ProblemRoots = { base_url: string; dashboard_url: string }

export function problemJson(fault: Fault, requestId: string, roots: ProblemRoots): Problem {
  const { code, kind, retryable } = fault.type
  const { page, ...next } = fault.next_action
  const url = page === null ? next.url : roots.dashboard_url + page
  const { 'Retry-After': wait } = fault.headers
  const challenge = fault.status === 401 ? { 'WWW-Authenticate': challengeOf(fault) } : {}
  return {
    status: fault.status,
    headers: { 'Content-Type': 'application/problem+json', ...challenge, ...fault.headers },
    body: {
      type: `${roots.base_url}/docs/errors#${code}`,
      title: kinds[kind].title,
      status: fault.status,
      detail: fault.message,
      code,
      retryable,
      next_action: { ...next, url },
      request_id: requestId,
      // Agents do not see header fields.
      ...(wait !== undefined && { retry_after_s: Number(wait) }),
      ...fault.facts,
    },
  }
}

/** RFC 6750 section 3.1: without credentials, the challenge has no error code. */
function challengeOf(fault: Fault): string {
  const realm = 'Bearer realm="agent-registrar"'
  return fault.type.code === 'invalid_token' ? `${realm}, error="invalid_token"` : realm
}
