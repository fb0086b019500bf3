// Renders a classified error as OAuth JSON (RFC 6749 section 5.2): OAuth clients look for `error`,
// and take a problem document for a broken server.
import type { Classified } from './classify.ts'

/** `error_description` is ASCII without quotes and backslashes (RFC 6749 section 5.2). */
type OAuthError = {
  status: number
  headers: Record<string, string>
  body: { error: string; error_description: string }
}

/** Descriptions of errors that are not the client's. Pages use them, too. */
export const oauthWords = {
  bug: 'Something went wrong on our side',
  database: 'The database cannot be reached; try again',
}

/** A response with one error. `OAuthError` says which characters `description` may have. */
export function oauthErrorResponse(status: number, error: string, description: string) {
  return {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    body: JSON.stringify({ error, error_description: description }),
  }
}

/** `body_limit`: the most bytes that the endpoint reads. */
export function oauthJson(
  { kind, status, fault }: Classified,
  { body_limit }: { body_limit: number },
): OAuthError {
  const { error, words } = wordsOf()
  return { status, headers: fault.headers, body: { error, error_description: words } }

  function wordsOf(): { error: string; words: string } {
    switch (kind) {
      case 'body_too_large':
        return { error: 'invalid_request', words: `The body is over ${body_limit} bytes` }
      case 'unsupported_media_type':
        return { error: 'invalid_request', words: 'The Content-Type cannot be read' }
      // An unknown commit gets this, too: a client that was stored after all is never used, and the
      // token endpoint has an answer of its own.
      case 'database_unavailable':
      case 'commit_unknown':
        return { error: 'temporarily_unavailable', words: oauthWords.database }
      case 'bug':
        return { error: 'server_error', words: oauthWords.bug }
      default:
        return { error: errorOf(status), words: fault.message.replaceAll(/["\\]/g, '') }
    }
  }
}

function errorOf(status: number): string {
  if (status === 429) return 'too_many_requests'
  return status >= 500 ? 'temporarily_unavailable' : 'invalid_request'
}
