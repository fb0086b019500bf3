// Texts of the operators' page of support.
import { operatorTexts } from './operator-texts.ts'

export const operatorSupportTexts = {
  title: operatorTexts.pages.support,
  subtitle:
    'Conversations with customers, the longest wait first. Opening one is recorded in the ' +
    'customer’s audit log.',
  lists: 'Conversations',
  waiting: 'Waiting',
  answered: 'Answered',
  empty: {
    waiting: { title: 'No customer is waiting', text: 'All customer messages have been read.' },
    answered: { title: 'No conversations', text: 'No conversation has been answered yet.' },
  },
  waits: (ago: string) => `Oldest unread: ${ago}`,
  last: (ago: string) => `Last message ${ago}`,
  unread: (count: number) => `${count} unread`,
  by: { customer: '', operator: 'Support: ', system: 'Service: ' },
  back: 'Conversations',
  choose: { title: 'No conversation is open', text: 'Choose one from the list.' },
  none: { title: 'No messages yet', text: 'Your message will be the first in this conversation.' },
  profile: 'Customer',
  markRead: 'Mark as read',
  marked: 'The messages are marked as read',
  customer: 'Customer',
} as const
