// Errors of sign-up. None depends on whether an account has the address, but for callers that have
// proven that the address is theirs.
import { fault } from '../../kit/fault.ts'

export const signUpClosed = fault('sign_up_closed', 'forbidden', {
  sentence: 'This service creates no new accounts.',
  hint: 'Contact its operators; existing accounts can still log in.',
  next: 'contact_support',
})
export const invitationNeeded = fault('invitation_needed', 'forbidden', {
  sentence: 'Accounts of this service are created by invitation.',
  hint: 'Ask its operators for one: they mail a link to set a password.',
  next: 'contact_support',
})
export const signUpNotFound = fault('sign_up_not_found', 'absent', {
  sentence: 'There is no open sign-up with this id.',
  hint: 'Sign up again: POST /v1/dashboard/register.',
  next: 'fix_request',
})
export const codeNotValid = fault('code_not_valid', 'forbidden', {
  sentence: 'The code or the link is wrong, or has expired.',
  hint: 'Check it, or ask for another mail: POST /v1/dashboard/register/resend.',
  next: 'fix_request',
})
export const accountExists = fault('account_exists', 'conflict', {
  sentence: 'The account has already been created.',
  hint:
    'Log in with its password, or reset it by mail. POST /v1/dashboard/config/mcp-api-key/rotate ' +
    'makes a new API key in place of one that was lost.',
  next: 'authenticate',
})
