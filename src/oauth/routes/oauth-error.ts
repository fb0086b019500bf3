// What goes wrong at an endpoint that programs read, in OAuth's form (RFC 6749 section 5.2): their
// libraries look for `error`, and take a problem document for a broken server.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CommitUnknown, DatabaseUnavailable } from '../../db/database.ts'
import { Fault } from '../../kit/fault.ts'

/** Bytes that an endpoint of OAuth reads. */
export const maxBodyBytes = 16_384

/** A refusal. The words are ASCII without quotes. */
export class OAuthError extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Record<string, string>

  constructor(
    status: number,
    code: string,
    said: { words: string; headers?: OAuthError['headers'] },
  ) {
    super(said.words)
    this.name = 'Refused'
    this.status = status
    this.code = code
    this.headers = said.headers ?? {}
  }
}

type Asked = { error: unknown; request: FastifyRequest; reply: FastifyReply }

/** Answers, and notes for the log what `error` was behind it. */
export function sendOAuthError(
  refused: OAuthError,
  { error, request, reply }: Asked,
): FastifyReply {
  request.error_code = refused.code
  if (refused.status >= 500) request.cause = error
  return reply
    .code(refused.status)
    .headers(refused.headers)
    .type('application/json')
    .send({ error: refused.code, error_description: refused.message })
}

/** What is told of an error of any kind. */
export function oauthErrorOf(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error
  if (error instanceof Fault) return ofFault(error)
  const code = codeOf(error)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new OAuthError(413, 'invalid_request', {
      words: `The body is over ${maxBodyBytes} bytes`,
    })
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new OAuthError(415, 'invalid_request', { words: 'The Content-Type cannot be read' })
  // Also where a commit is unknown: a client that was kept after all is one that nobody uses, and
  // tokens have an answer of their own.
  if (error instanceof DatabaseUnavailable || error instanceof CommitUnknown)
    return new OAuthError(503, 'temporarily_unavailable', {
      words: 'The database cannot be reached; try again',
      headers: { 'Retry-After': '1' },
    })
  return new OAuthError(500, 'server_error', { words: 'Something went wrong on our side' })
}

/** The code that an error of the HTTP server has. */
export function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}

function ofFault({ status, message, headers }: Fault): OAuthError {
  const code =
    status === 429
      ? 'too_many_requests'
      : status >= 500
        ? 'temporarily_unavailable'
        : 'invalid_request'
  return new OAuthError(status, code, { words: message.replaceAll(/["\\]/g, ''), headers })
}
