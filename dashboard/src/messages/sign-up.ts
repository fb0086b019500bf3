// Texts of the sign-up: form, verification, and the first API key.
export const signUpTexts = {
  title: 'Create an account',
  subtitle: 'Register domains yourself, or let your agents do it.',
  name: 'Name',
  nameHint: 'Yours, or that of your team.',
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
    text: 'Ask the operators for one. They mail you a link to set a password.',
  },
  verify: {
    title: 'Check your mail',
    sentTo: (email: string) => `We sent a code to ${email}. It is valid for ten minutes.`,
    submit: 'Verify',
    submitting: 'Verifying',
    none: 'No mail? Look in the spam folder.',
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
      'Continue only if you signed up here yourself. Otherwise the account would have the ' +
      'password of another person.',
    notMe: 'This was not me',
    notMeTitle: 'No account was created',
    notMeText:
      'You need do nothing: the link expires in ten minutes. To use your address here, sign up.',
    submit: 'Create my account',
    noSignUp: 'There is no open sign-up in this browser',
    noSignUpText: 'Sign up, then enter the code of the mail here, or open its link.',
    start: 'Sign up',
  },
  key: {
    title: 'Your account is ready',
    subtitle: 'This is an API key for your agents. It is shown only once.',
    label: 'API key',
    may: (preset: string) =>
      `It may do all of “${preset}”: see your data, change domains and contacts, and buy, up to ` +
      'your full account balance. It cannot transfer domains away or create other keys.',
    keep: 'Store it in a password manager or in the secrets of your agent, not in its code.',
    later:
      'Or skip it: apps that log in need no key, and “Connect an agent” replaces this one at any ' +
      'time. Keys with fewer permissions are made on the page “API keys”.',
    stored: 'I stored it',
    skip: 'Continue without it',
  },
} as const
