// Texts of the sandbox's mailbox.
import { pageNames } from './page-names.ts'

export const mailboxTexts = {
  title: pageNames.mailbox,
  subtitle:
    'This sandbox sends no mail. It keeps the mails of this browser and of your account here.',
  mails: 'Mails',
  to: (address: string) => `To ${address}`,
  all: 'All mails',
  toCode: 'Back to the sign-up',
  toLogIn: 'Go to the log-in',
  empty: {
    title: 'No mail yet',
    text:
      'Sign up or reset your password in this browser: its mail arrives here within seconds, ' +
      'with the code and the link.',
    action: 'Sign up',
  },
  link: 'Open the Mailbox',
  linkText: 'This is a sandbox, and its mail reaches no inbox.',
} as const
