// Texts of the page that resets a password.
export const forgottenPasswordTexts = {
  title: 'Reset your password',
  subtitle: 'We will email you a code and a link.',
  email: 'Email address',
  submit: 'Send the code',
  submitting: 'Sending',
  back: 'Back to the log-in page',
  code: {
    title: 'Check your email',
    sentTo: (email: string) =>
      `If ${email} has an account, a code is on its way. It is valid for ten minutes.`,
    newPassword: 'New password',
    submit: 'Set the password',
    submitting: 'Setting the password',
    ends:
      'You will be logged out wherever you are logged in, and connected apps lose access. ' +
      'API keys stay.',
  },
  done: {
    title: 'Your password is set',
    text: 'Log in with it.',
    action: 'Log in',
  },
} as const
