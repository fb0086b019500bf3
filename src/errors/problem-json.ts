// Renders a fault as application/problem+json (RFC 9457), the form of every refusal of the API but
// 422.
import { type Fault, kinds } from '../kit/fault.ts'

export type Problem = { status: number; headers: Record<string, string>; body: object }

export function problemJson(fault: Fault, requestId: string, baseUrl: string): Problem {
  const { code, kind, retryable } = fault.type
  const challenge = fault.status === 401 ? { 'WWW-Authenticate': challengeOf(fault) } : {}
  return {
    status: fault.status,
    headers: { 'Content-Type': 'application/problem+json', ...challenge, ...fault.headers },
    body: {
      type: `${baseUrl}/docs/errors#${code}`,
      title: kinds[kind].title,
      status: fault.status,
      detail: fault.message,
      code,
      retryable,
      next_action: fault.next_action,
      request_id: requestId,
      ...fault.facts,
    },
  }
}

/** RFC 6750 section 3.1: without credentials, the challenge has no error code. */
function challengeOf(fault: Fault): string {
  const realm = 'Bearer realm="agent-registrar"'
  return fault.type.code === 'invalid_token' ? `${realm}, error="invalid_token"` : realm
}
