// Next steps for people, in place of those that the API gives to programs, by error code.
export const hints: Readonly<Record<string, string>> = {
  wrong_credentials: 'Check both. If you do not remember the password, reset it.',
  too_many_tries: 'Wait a few minutes, then try again.',
  sign_in_busy: 'Try again in a moment.',
  code_not_valid: 'Check the latest mail, or request another code.',
  link_not_good: 'Check the latest mail, or request another code.',
  sign_up_not_found: 'Sign up again.',
  account_exists: 'Log in with your password, or reset it.',
  wrong_password: 'Check it. If you do not remember it, log out and reset it.',
  password_needed: 'Enter your current password.',
  fresh_log_in_needed: 'Confirm that it is you, then repeat this.',
  email_link_not_valid: 'Change the email address again to get another link.',
  passkey_refused: 'Try again, or log in with your password.',
  passkeys_unavailable: 'Use your password.',
  passkey_exists: 'Look at the list of your passkeys.',
}
