// Texts of the sandbox's mailbox.
import { pageNames } from './page-names.ts'

export const mailboxTexts = {
  title: pageNames.mailbox,
  subtitle: 'This sandbox sends no emails. Those for this browser and your account are kept here.',
  mails: 'Emails',
  to: (address: string) => `To ${address}`,
  all: 'All emails',
  toCode: 'Back to the sign-up page',
  toLogIn: 'Go to the log-in page',
  empty: {
    title: 'No emails yet',
    text:
      'Sign up or reset your password in this browser: the email arrives here within seconds, ' +
      'with the code and the link.',
    action: 'Sign up',
  },
  link: 'Open the mailbox',
  linkText: 'This is a sandbox: its emails reach no inbox.',
} as const
