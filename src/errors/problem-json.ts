// Renders a fault as application/problem+json (RFC 9457), the form of every refusal of the API but
// 422.
import { type Fault, kinds } from '../kit/fault.ts'
import { resourceMetadataUrl } from './resource-metadata-url.ts'

type Problem = { status: number; headers: Record<string, string>; body: object }

/** Roots of the links in a problem, without a slash at their end. */
export type ProblemRoots = { base_url: string; dashboard_url: string }

export function problemJson(fault: Fault, requestId: string, roots: ProblemRoots): Problem {
  const { code, kind, retryable } = fault.type
  const { page, ...next } = fault.next_action
  const url = page === null ? next.url : roots.dashboard_url + page
  const { 'Retry-After': wait } = fault.headers
  const challenge = fault.status === 401 ? { 'WWW-Authenticate': challengeOf(fault, roots) } : {}
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

/**
 * RFC 9110 section 11.6.1: the scheme of the credential that was missed. RFC 6750 section 3.1:
 * without credentials, the challenge has no error code. It names the metadata of REST (RFC 9728
 * section 5.1), so that a client asks for a token that is valid there.
 */
function challengeOf({ type: { code } }: Fault, { base_url }: ProblemRoots): string {
  const realm = 'realm="agent-registrar"'
  if (code === 'customer_tool_key_invalid') return `CustomerToolReadKey ${realm}`
  if (code !== 'invalid_token' && code !== 'unauthenticated') return `Bearer ${realm}`
  const error = code === 'invalid_token' ? ['error="invalid_token"'] : []
  const metadata = `resource_metadata="${resourceMetadataUrl(`${base_url}/v1`)}"`
  return `Bearer ${[realm, ...error, metadata].join(', ')}`
}
