// Texts of single sign-on: buttons, the return from a provider, the link to an account, and errors.
type Words = { message: string; hint: string }

const again = 'Start again, or log in another way.'

const errors: Readonly<Record<string, Words>> = {
  sso_refused: {
    message: 'The log-in was canceled at the provider.',
    hint: 'Nothing has changed here. Start again when you are ready, or log in another way.',
  },
  sso_state_not_valid: {
    message: 'This log-in was started in another browser, or has expired.',
    hint: 'Start again here. It is valid for ten minutes.',
  },
  sso_ticket_not_valid: {
    message: 'This log-in has already been used, or has expired.',
    hint: again,
  },
  sso_response_not_valid: {
    message: 'The provider’s response could not be verified.',
    hint: again,
  },
  sso_provider_failed: {
    message: 'The provider answered with an error.',
    hint: 'Try again in a few minutes, or log in another way.',
  },
  sso_provider_unreachable: {
    message: 'The provider is not responding.',
    hint: 'Try again in a few minutes, or log in another way.',
  },
  sso_provider_not_found: {
    message: 'This provider is no longer offered here.',
    hint: 'Log in another way.',
  },
  sso_email_not_verified: {
    message: 'The provider has no verified email address of yours.',
    hint: 'Verify one there and start again, or sign up with your email address and a password.',
  },
  sso_identity_exists: {
    message:
      'This log-in belongs to another account, or your account already has 20 linked log-ins.',
    hint: 'Log in with it to see that account, or remove one here first.',
  },
  sso_other_identity: {
    message: 'That log-in at the provider is not linked to this account. Nothing has changed.',
    hint: 'Choose the linked one, or confirm with your password or a passkey.',
  },
  sso_code_not_valid: {
    message: 'The code is wrong, or has expired.',
    hint: 'Check the latest email, or request another code.',
  },
  sign_up_closed: {
    message: 'This service creates no new accounts.',
    hint: 'If you have one, log in with your password, then link the provider to it.',
  },
  invitation_needed: {
    message: 'Accounts here are created by invitation.',
    hint: 'Ask its operators for one. If you have an account, log in another way.',
  },
  account_closed: {
    message: 'This account is closed.',
    hint: 'Contact support if you did not expect that.',
  },
}

export const ssoTexts = {
  continueWith: (provider: string) => `Continue with ${provider}`,
  or: 'or',
  opening: 'Opening the provider',
  errors,
  unknownError: { message: 'The log-in at the provider did not work.', hint: again },
  loggingIn: 'Logging you in',
  linking: 'Linking the provider',
  failed: 'You are not logged in',
  notLinked: 'The provider was not linked',
  notConfirmed: 'Your identity was not confirmed',
  back: 'Go back',
  noTicket: {
    message: 'There is no log-in to finish here.',
    hint: 'Start again on the log-in page.',
  },
  noCookie: {
    message: 'This browser did not keep the session.',
    hint: 'Open the dashboard over HTTPS, or at localhost.',
  },
  toLogIn: 'Go to the log-in page',
  toSecurity: 'Back to Security',
  linked: 'You can now log in with the provider',
  link: {
    title: 'You already have an account',
    text: (email: string, provider: string) =>
      `${email} has an account here. Confirm that it is yours. From then on you can log in with ` +
      `${provider}.`,
    password: 'Account password',
    submit: 'Link and log in',
    submitting: 'Linking',
    codeInstead: 'Use an emailed code instead',
    passwordInstead: 'Use the password instead',
    codeText: (email: string) => `We will email a code to ${email}.`,
    sendCode: 'Email me a code',
    sentTo: (email: string) => `We sent a code to ${email}. It is valid for ten minutes.`,
    notMine: 'Do not link',
  },
  owner: {
    title: 'Confirm that it is you',
    text: 'Your log-in is older than ten minutes. Confirm it, and the provider is linked.',
  },
} as const
