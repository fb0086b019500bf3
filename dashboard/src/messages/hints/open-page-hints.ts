// Next steps for people, in place of those that the API gives to programs, by error code: of the
// pages before the log-in, and of every request.
export const openPageHints: Readonly<Record<string, string>> = {
  wrong_credentials: 'Check both. If you do not remember the password, reset it.',
  too_many_tries: 'Wait a few minutes, then try again.',
  sign_in_busy: 'Try again in a moment.',
  code_not_valid: 'Check the latest email, or request another code.',
  link_not_good: 'Check the latest email, or request another code.',
  sign_up_not_found: 'Sign up again.',
  account_exists: 'Log in with your password, or reset it.',
  wrong_password: 'Check it. If you do not remember it, log out and reset it.',
  fresh_log_in_needed: 'Confirm that it is you, then repeat this.',
  email_link_not_valid: 'Change the email address again to get another link.',
  passkey_refused: 'Try again, or log in with your password.',
  passkeys_unavailable: 'Use your password.',
  mailbox_unavailable: 'Check your own email inbox instead.',
  mail_not_found: 'Open the mailbox in the browser that requested the email.',
  internal_error:
    'Check whether it was done before you repeat it, and give support the request id.',
  database_unavailable: 'Try again in a moment. Check your balance before you pay again.',
  unhealthy: 'Try again in a moment.',
  draining: 'Try again.',
  unauthenticated: 'Log in again.',
  invalid_token: 'Log in again.',
  rate_limited: 'Wait a moment, then try again.',
}
