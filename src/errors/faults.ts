// Faults of the HTTP layer and of the service itself: any request may end with one of them,
// whatever it asks for.
import Type from 'typebox'
import { fault } from '../kit/fault.ts'

export const routeNotFound = fault('route_not_found', 'absent', {
  sentence: 'There is no such route.',
  hint: 'Read /openapi.json or /docs for the list of routes.',
})
export const bodyTooLarge = fault('body_too_large', 'too_large', {
  sentence: 'The body is larger than this operation accepts.',
  hint: 'Send less in one request.',
})
export const uriTooLong = fault('uri_too_long', 'long_uri', {
  sentence: 'The URL is longer than 8 kB.',
  hint: 'Send fewer or shorter parameters.',
})
export const unsupportedMedia = fault('unsupported_media_type', 'media', {
  sentence: 'The body must be application/json without a content encoding.',
  hint: 'Send JSON with "Content-Type: application/json".',
})
export const databaseUnavailable = fault('database_unavailable', 'unavailable', {
  sentence: 'The database cannot be reached at the moment.',
  hint: 'Try again after Retry-After; read back before repeating a paid request.',
})
export const internalError = fault('internal_error', 'bug', {
  sentence: 'Something went wrong on our side.',
  hint: 'Read back before repeating a paid request; give support the request_id.',
})
export const notConfigured = fault('not_configured', 'unavailable', {
  sentence: 'This part of the service is not configured.',
  hint: 'An operator must configure it; for a payment, another method may be available.',
  next: 'contact_support',
  retryable: false,
})
export const insufficientScope = fault('insufficient_scope', 'forbidden', {
  sentence: 'The token lacks a scope that this operation needs.',
  hint:
    'A key keeps the scopes that it was created with: ask the owner to create another one at ' +
    '"url", with the scope in "required_scope".',
  next: 'add_scope',
  page: '/api-keys',
  facts: { required_scope: Type.String({ description: 'The scope that is missing.' }) },
})
export const accountSuspended = fault('account_suspended', 'forbidden', {
  sentence: 'The account is suspended: it can be read, but not changed.',
  hint: 'Contact support.',
  next: 'contact_support',
})
