// Faults of the pipeline's own steps (authentication, authorization, rate limits, shutdown), which
// operations do not list.
import { customerAbsent } from '../../capabilities/account/index.ts'
import { addressNotAllowed } from '../../capabilities/limits/index.ts'
import {
  accountSuspended,
  bodyTooLarge,
  databaseUnavailable,
  insufficientScope,
  internalError,
  unsupportedMedia,
} from '../../errors/faults.ts'
import { fault } from '../../kit/fault.ts'
import { rateLimited } from '../../rate-limits/leased-quotas.ts'

export const unauthenticated = fault('unauthenticated', 'unauthenticated', {
  sentence: 'This operation needs a token, and none was sent.',
  hint:
    'Send "Authorization: Bearer" with an API key or an access token. The owner creates a key at ' +
    '"url", after signing up or logging in there.',
  page: '/api-keys',
})
export const invalidToken = fault('invalid_token', 'unauthenticated', {
  sentence: 'The token is unknown, expired, revoked, or for another resource.',
  hint:
    'Check that the whole token was sent. Refresh an access token, or have the owner log in ' +
    'again; for an expired or revoked key, ask the owner to create another at "url".',
  page: '/api-keys',
})
export const crossSiteRequest = fault('cross_site_request', 'forbidden', {
  sentence: 'A request with the session cookie must come from a page of this service.',
  hint: 'Send "X-Session: cookie" and JSON from a page of this origin; programs use a token.',
  next: 'fix_request',
})
export const customerToolKeyInvalid = fault('customer_tool_key_invalid', 'unauthenticated', {
  sentence: 'The key of the customer tool is missing or wrong.',
  hint:
    'Send it as X-Customer-Tool-Key; tokens of customers and of operators do not give access to ' +
    'the customer tool. An operator of the service has the key.',
})
export const operatorOnly = fault('operator_only', 'forbidden', {
  sentence: 'Only an operator may do this.',
  hint: 'Ask the operator of the service.',
  next: 'contact_support',
})
export const customerRequired = fault('customer_required', 'forbidden', {
  sentence: "This operation acts on the caller's own account, and an operator has none.",
  hint: "Call it with a customer's API key.",
  next: 'authenticate',
})
export const malformedRequest = fault('malformed_request', 'malformed', {
  sentence: 'The request is not framed as RFC 9112 requires.',
  hint: 'Send one Host field, and a body with Content-Length or "Transfer-Encoding: chunked".',
})
export const methodNotAllowed = fault('method_not_allowed', 'method', {
  sentence: 'The route exists, but not with this method.',
  hint: 'Use one of the methods in the Allow header.',
})
export const headersTooLarge = fault('headers_too_large', 'headers', {
  sentence: 'There are too many header fields, or they are too long (100 fields, 8 kB).',
  hint: 'Send fewer or shorter header fields.',
})
export const draining = fault('draining', 'unavailable', {
  sentence: 'This node is stopping.',
  hint: 'Try again immediately: another node will respond.',
})

/** The faults that any operation may return besides those of its own list. */
export const commonFaults = [
  unauthenticated,
  invalidToken,
  customerToolKeyInvalid,
  crossSiteRequest,
  insufficientScope,
  addressNotAllowed,
  operatorOnly,
  customerRequired,
  accountSuspended,
  customerAbsent,
  rateLimited,
  bodyTooLarge,
  unsupportedMedia,
  databaseUnavailable,
  draining,
  internalError,
] as const
