// Texts of the sign-up: form, verification, and the first API key.
export const signUpTexts = {
  title: 'Create an account',
  subtitle: 'Register domains yourself, or let your agents do it.',
  name: 'Name',
  nameHint: 'Your own, or your team’s.',
  email: 'Email address',
  company: 'Company (optional)',
  submit: 'Create account',
  submitting: 'Sending the code',
  hasAccount: 'Already have an account?',
  logIn: 'Log in',
  terms: {
    before: 'By creating an account you accept the ',
    terms: 'terms',
    between: ' and the ',
    privacy: 'privacy policy',
    after: '.',
  },
  closed: {
    title: 'Sign-up is closed',
    text: 'No new accounts are created. Existing accounts can log in.',
  },
  invite: {
    title: 'Accounts are created by invitation',
    text: 'Ask the operators for one. They will email you a link to set a password.',
  },
  verify: {
    title: 'Check your email',
    // This does not say that a mail was sent, because an address gets only a few an hour, whether
    // it is known or not.
    sentTo: (email: string) =>
      `Enter the code from our latest mail to ${email}. It is valid for ten minutes.`,
    submit: 'Verify',
    submitting: 'Verifying',
    none: 'No email? Check your spam folder.',
    restart: 'Use another address',
  },
  link: {
    title: 'Verify your email address',
    text: 'This creates your account and logs you in.',
    email: 'Email address',
    begun: 'Signed up',
    from: 'From',
    program: 'a program',
    on: (browser: string, system: string) => `${browser} on ${system}`,
    warning:
      'Continue only if you signed up here yourself. Otherwise the account would have someone ' +
      'else’s password.',
    notMe: 'This was not me',
    notMeTitle: 'No account was created',
    notMeText:
      'No action is needed: the link expires in ten minutes. To use your address here, sign up.',
    submit: 'Create my account',
    noSignUp: 'There is no open sign-up in this browser',
    noSignUpText: 'Sign up, then enter the code from the email here, or open its link.',
    start: 'Sign up',
  },
  key: {
    title: 'Your account is ready',
    subtitle: 'This is an API key for your agents. It is shown only once.',
    label: 'API key',
    may: (preset: string) =>
      `It has the permissions of “${preset}”: see your data, change domains and contacts, and ` +
      'buy up to your full account balance. It cannot transfer domains away or create other keys.',
    keep: 'Store it in a password manager or in your agent’s secret store, not in its code.',
    later:
      'Or skip this: apps that log in need no key, and you can replace this one at any time ' +
      'under “Connect an agent”. Create keys with fewer permissions under “API keys”.',
    stored: 'I have stored it',
    skip: 'Continue without it',
  },
} as const
