// Texts of the page of support.
import { pageNames } from '../page-names.ts'

export const supportTexts = {
  title: pageNames.support,
  subtitle:
    'Write to the people who run the service. Replies appear here, and by email if you are away.',
  conversation: 'Messages',
  older: 'Show older messages',
  you: 'You',
  operator: 'Support',
  system: 'Service',
  label: 'Message',
  placeholder: 'Write a message',
  hint: 'Enter sends; Shift+Enter starts a new line. Do not include passwords or keys.',
  send: 'Send',
  sending: 'Sending',
  sent: 'Sent',
  read: (time: string) => `Read ${time}`,
  unread: 'Not read yet',
  failed: 'Not sent.',
  retry: 'Send again',
  discard: 'Discard',
  left: (count: number) => (count === 1 ? '1 character left' : `${count} characters left`),
  tooLong: (count: number) => `${count} characters too long`,
  reconnecting: 'The connection is lost. New messages appear as soon as it is back.',
  empty: {
    title: 'How can we help?',
    text: 'Ask about a domain, a payment or your account. Agents can write here too.',
  },
} as const
