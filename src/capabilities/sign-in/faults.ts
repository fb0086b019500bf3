// Errors of sign-in. One error covers all cases that would disclose whether an account exists.
import { fault } from '../../kit/fault.ts'

export const wrongCredentials = fault('wrong_credentials', 'unauthenticated', {
  sentence: 'The email address or the password is wrong.',
  hint: 'Check both; POST /v1/dashboard/password-reset mails a link to reset the password.',
  next: 'fix_request',
})
export const tooManyTries = fault('too_many_tries', 'limited', {
  sentence: 'There were too many attempts.',
  hint: 'Try again after Retry-After, or reset the password by mail.',
})
export const signInBusy = fault('sign_in_busy', 'unavailable', {
  sentence: 'Too many passwords are being checked at the moment.',
  hint: 'Try again after Retry-After.',
})
export const wrongPassword = fault('wrong_password', 'forbidden', {
  sentence: 'The current password is wrong.',
  hint: 'Check it; POST /v1/dashboard/password-reset mails a link to reset it.',
  next: 'fix_request',
})
export const passwordNeeded = fault('password_needed', 'forbidden', {
  sentence: 'The log-in is older than ten minutes, so the current password is needed.',
  hint: 'Send "current_password", or log in again.',
  next: 'authenticate',
})
export const lastLogIn = fault('last_log_in', 'conflict', {
  sentence: 'This is the last way to log in to this account.',
  hint: 'Set a password or register another passkey first.',
  next: 'choose_alternative',
})
export const passkeysUnavailable = fault('passkeys_unavailable', 'conflict', {
  sentence: 'Passkeys need a domain name, and the pages of this service are at an IP address.',
  hint: 'Log in with the password; an operator can set PUBLIC_URL to a URL with a domain name.',
  next: 'choose_alternative',
})
export const passkeyRefused = fault('passkey_refused', 'forbidden', {
  sentence: 'The passkey is unknown here, or its response does not match the challenge.',
  hint: 'Ask for new options and try again, or log in with the password.',
  next: 'fix_request',
})
export const passkeyExists = fault('passkey_exists', 'conflict', {
  sentence: 'This passkey is already registered, or the account has 50 of them.',
  hint: 'List the passkeys of the account, and remove those that are not needed.',
})
export const passkeyNotFound = fault('passkey_not_found', 'absent', {
  sentence: 'There is no passkey with this id.',
  hint: 'List the passkeys of the account.',
})
export const linkNotGood = fault('link_not_good', 'forbidden', {
  sentence: 'The code or the link is wrong, has been used, or has expired.',
  hint: 'Ask for another: POST /v1/dashboard/password-reset.',
  next: 'fix_request',
})
export const emailLinkNotValid = fault('email_link_not_valid', 'forbidden', {
  sentence: 'The link is wrong, has been used or replaced, or has expired.',
  hint: 'Change the email address again to get another link: PATCH /v1/account.',
  next: 'fix_request',
})
export const sessionNotFound = fault('session_not_found', 'absent', {
  sentence: 'There is no session with this id.',
  hint: 'List the sessions of the account.',
})
export const accountClosed = fault('account_closed', 'conflict', {
  sentence: 'The account is closed.',
  hint: 'A closed account cannot have a password.',
  next: 'none',
})
