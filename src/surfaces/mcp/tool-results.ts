// How answers of the pipeline look over MCP: results of tools, and refusals of whole requests with
// OAuth challenges.
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Scope } from '../../app.ts'
import type { Settings } from '../../config.ts'
import type { Answer } from '../pipeline/response.ts'
import { structuredOf } from './tool-schemas.ts'

/**
 * A tool's result: the output as data and as text; a refusal as a text that says what to do next.
 */
export function toolResult(
  answer: Answer,
  requestId: string,
  era: 'legacy' | 'modern',
): CallToolResult {
  const failed = answer.status >= 400
  const body = failed ? problemOf(answer, requestId) : structuredOf(answer.body)
  const content = [{ type: 'text' as const, text: JSON.stringify(body) }]
  if (!failed) return { content, structuredContent: body }
  // Clients of the older era hold even an error's structuredContent against the tool's
  // outputSchema.
  return era === 'modern'
    ? { content, structuredContent: body, isError: true }
    : { content, isError: true }
}

/** The problem of REST; a 422 gets the fields that every other problem has. */
function problemOf(answer: Answer, requestId: string): Record<string, unknown> {
  const body: Record<string, unknown> = Object(answer.body)
  const { 'Retry-After': wait } = answer.headers
  // Agents do not see header fields.
  if (wait !== undefined) return { ...body, retry_after_s: Number(wait) }
  if (answer.status !== 422) return body
  return {
    title: 'Invalid arguments',
    status: 422,
    code: answer.error_code,
    retryable: false,
    next_action: {
      type: 'fix_request',
      hint: 'Correct every field in "detail" and call again.',
      url: null,
    },
    request_id: requestId,
    ...body,
  }
}

/**
 * Where the metadata of the protected resource is (RFC 9728 section 3.1: the path comes after the
 * well-known part).
 */
export function resourceMetadataUrl({ mcp_url }: Settings): string {
  const { origin, pathname } = new URL(`${mcp_url}/mcp`)
  return `${origin}/.well-known/oauth-protected-resource${pathname}`
}

/**
 * RFC 6750 section 3 with RFC 9728 section 5.1: which error, where to learn more, which scopes to
 * ask for.
 */
export function challenge(
  settings: Settings,
  wanted: readonly Scope[],
  error: 'invalid_token' | 'insufficient_scope' | null,
): string {
  const parts = [
    ...(error ? [`error="${error}"`] : []),
    `resource_metadata="${resourceMetadataUrl(settings)}"`,
    `scope="${wanted.join(' ')}"`,
  ]
  return `Bearer ${parts.join(', ')}`
}

/**
 * A refusal of the whole POST: the HTTP status says what, the body is a JSON-RPC error with the
 * problem as data.
 */
export type Refusal = {
  status: number
  headers: Record<string, string>
  body: object
  error_code: string | null
  cause: unknown
}

export function refusalOf(answer: Answer, id: string | number | null): Refusal {
  const { 'Content-Type': _problem, ...headers } = answer.headers
  const data: Record<string, unknown> = Object(answer.body)
  const error = { code: -32_000, message: String(data.detail), data }
  return {
    status: answer.status,
    headers,
    body: { jsonrpc: '2.0', id, error },
    error_code: answer.error_code,
    cause: answer.cause,
  }
}

/** A POST that is no JSON-RPC: 400 with the protocol's own error code. */
export function malformed(code: -32_700 | -32_600, message: string): Refusal {
  return {
    status: 400,
    headers: {},
    body: { jsonrpc: '2.0', id: null, error: { code, message } },
    error_code: code === -32_700 ? 'json_invalid' : 'invalid_json_rpc',
    cause: null,
  }
}
