// OAuth errors as JSON (RFC 6749 section 5.2) for endpoints that clients call, because their
// libraries look for `error`, and take a problem document for a broken server.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { classify } from '../../errors/classify.ts'
import { oauthJson } from '../../errors/oauth-json.ts'

/** The largest body that an OAuth endpoint reads. */
export const maxBodyBytes = 16_384

/** An OAuth error. Its words are ASCII without quotes. */
export class OAuthError extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Record<string, string>

  constructor(
    status: number,
    code: string,
    response: { words: string; headers?: OAuthError['headers'] },
  ) {
    super(response.words)
    this.name = 'OAuthError'
    this.status = status
    this.code = code
    this.headers = response.headers ?? {}
  }
}

/** The error handler for Fastify, which notes the code and the cause for the log line. */
export function sendOAuthError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, headers, body } = responseOf(error)
  request.error_code = body.error
  if (status >= 500) request.cause = error
  return reply.code(status).headers(headers).type('application/json').send(body)
}

function responseOf(error: unknown): ReturnType<typeof oauthJson> {
  if (!(error instanceof OAuthError))
    return oauthJson(classify(error), { body_limit: maxBodyBytes })
  const { status, code, headers, message } = error
  return { status, headers, body: { error: code, error_description: message } }
}
