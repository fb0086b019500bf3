// Error translation: errors of openid-client as failures of the port.
import { IdentityProviderError } from './port.ts'

type Shape = { code?: unknown; error?: unknown; name?: unknown; cause?: unknown }

/**
 * The code of the authorization response is used, expired or unknown; GitHub has its own word for
 * this.
 */
const codeErrors = ['invalid_grant', 'bad_verification_code']
/** Answers that are not OAuth responses: redirects, error pages, other media types, broken JSON. */
const brokenAnswers = [
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
  'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
]

/** Every error of an exchange with a provider, as a failure of the port. */
export function providerError(error: unknown): IdentityProviderError {
  if (error instanceof IdentityProviderError) return error
  return new IdentityProviderError(failureOf(Object(error)), error)
}

function failureOf({ code, error, name, cause }: Shape): IdentityProviderError['failure'] {
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR')
    return error === 'access_denied' ? 'refused' : 'failed'
  if (code === 'OAUTH_RESPONSE_BODY_ERROR')
    return codeErrors.some((one) => one === error) ? 'invalid' : 'failed'
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT') return 'unreachable'
  if (name === 'TimeoutError' || name === 'AbortError') return 'unreachable'
  if (typeof code !== 'string') return name === 'TypeError' ? 'unreachable' : 'failed'
  if (brokenAnswers.includes(code)) return hasName(cause, 'TimeoutError') ? 'unreachable' : 'failed'
  return code.startsWith('OAUTH_') ? 'invalid' : 'unreachable'
}

function hasName(error: unknown, name: string): boolean {
  return Object(error).name === name
}
