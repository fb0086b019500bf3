// Texts of the log-in page.
export const logInTexts = {
  title: 'Log in',
  subtitle:
    'The domain registrar for AI agents and their owners. Manage domains yourself, or let your ' +
    'agents do it.',
  email: 'Email address',
  password: 'Password',
  submit: 'Log in',
  submitting: 'Logging in',
  forgotten: 'Forgot password?',
  noAccount: 'No account yet?',
  signUp: 'Create one',
  isNew: 'New here?',
  docs: 'Read the documentation',
  noCookie:
    'This browser did not keep the session. Open the dashboard over HTTPS, or at 127.0.0.1 or ' +
    'localhost.',
} as const
