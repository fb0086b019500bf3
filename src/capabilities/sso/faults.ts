// Errors of single sign-on. The way on is nearly always to begin again, at the start.

import Type from 'typebox'
import { fault } from '../../kit/fault.ts'
import { dateTime } from '../../kit/schema.ts'

export const providerNotFound = fault('sso_provider_not_found', 'absent', {
  sentence: 'This service has no such identity provider.',
  hint: 'GET /v1/dashboard/signup/config lists them.',
})
export const providerUnreachable = fault('sso_provider_unreachable', 'unavailable', {
  sentence: 'The identity provider is not responding.',
  hint: 'Try again after Retry-After, or log in another way.',
})
export const providerFailed = fault('sso_provider_failed', 'upstream', {
  sentence: 'The identity provider answered with an error.',
  hint: 'Try again, or log in another way. If this continues, contact the operators.',
})
export const ssoRefused = fault('sso_refused', 'forbidden', {
  sentence: 'The log-in was canceled at the identity provider.',
  hint: 'Start it again, or log in another way.',
  next: 'authenticate',
})
export const stateNotValid = fault('sso_state_not_valid', 'forbidden', {
  sentence: 'The log-in was started in another browser, has been used, or has expired.',
  hint: 'Start it again: POST /v1/dashboard/sso/{provider}/start.',
  next: 'authenticate',
})
export const responseNotValid = fault('sso_response_not_valid', 'forbidden', {
  sentence: "The identity provider's response does not prove an identity.",
  hint: 'Start the log-in again: POST /v1/dashboard/sso/{provider}/start.',
  next: 'authenticate',
})
export const ticketNotValid = fault('sso_ticket_not_valid', 'forbidden', {
  sentence: 'The ticket is wrong, belongs to another browser, has been used, or has expired.',
  hint: 'Start the log-in again: POST /v1/dashboard/sso/{provider}/start.',
  next: 'authenticate',
})
export const emailNotVerified = fault('sso_email_not_verified', 'forbidden', {
  sentence: 'The identity provider gave no verified email address.',
  hint: 'Verify your address there and start again, or sign up with email and password.',
  next: 'verify_email',
})
export const otherIdentity = fault('sso_other_identity', 'forbidden', {
  sentence: 'This log-in at the identity provider does not belong to the account of the session.',
  hint: 'Choose the linked user at the provider, or confirm with the password or a passkey.',
  next: 'authenticate',
})
export const linkNeeded = fault('sso_link_needed', 'conflict', {
  sentence: 'This email address already has an account. Its owner must confirm the link.',
  hint:
    'POST /v1/dashboard/sso/exchange again with "link.ticket" as the ticket, and the "password" ' +
    'of the account or a "code" that POST /v1/dashboard/sso/link-code mails.',
  next: 'authenticate',
  facts: {
    link: Type.Object({
      ticket: Type.String(),
      expires_at: dateTime('When the ticket ends.'),
      provider: Type.String(),
      email: Type.String(),
      methods: Type.Array(Type.String(), { description: 'The ways in which it can be confirmed.' }),
    }),
  },
})
export const linkCodeNotValid = fault('sso_code_not_valid', 'forbidden', {
  sentence: 'The code is wrong, or has expired.',
  hint: 'Check it, or request another: POST /v1/dashboard/sso/link-code.',
  next: 'fix_request',
})
export const identityExists = fault('sso_identity_exists', 'conflict', {
  sentence: 'This identity is already linked to an account, or the account has 20 of them.',
  hint: 'Log in with it, or list the identities of the account and remove one.',
})
export const identityNotFound = fault('sso_identity_not_found', 'absent', {
  sentence: 'There is no linked identity with this id.',
  hint: 'List the identities of the account.',
})
