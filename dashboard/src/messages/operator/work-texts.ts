// Texts of the operators' pages of work: overview, holds, mails and tasks.
import { operatorTexts } from './operator-texts.ts'

const { pages } = operatorTexts

export const overviewTexts = {
  title: pages.overview,
  subtitle: 'Work that is waiting for an operator, and the health of the service.',
  work: 'Waiting for you',
  nothing: 'Nothing is waiting for an operator.',
  parked_orders: 'Parked orders',
  alarmed_orders: 'Orders with an alarm',
  parked_payments: 'Parked payments',
  parked_card_checkouts: 'Parked card checkouts',
  parked_card_reversals: 'Parked card reversals',
  waiting_threads: 'Support conversations',
  failed_webhook_deliveries: pages.deliveries,
  open_holds: 'Open holds',
  failed_mails: 'Failed emails',
  dead_tasks: 'Dead letters',
  closedWithMoney: 'Closed accounts with money',
  health: 'Health',
  states: { up: 'Up', down: 'Down', idle: 'Idle' },
  database: 'Database',
  databaseDetail: (ms: number) => `Answers in ${ms} ms`,
  worker: 'Worker',
  mail: 'Mail',
  mailDetail: (waiting: number) => `${waiting} waiting`,
  clock: 'Clock',
  clockDetail: (ms: number) => `${ms} ms from the database’s`,
  audit: 'Audit log',
  registry: (name: string) => `Registry ${name}`,
  peers: { evm: 'EVM chains', btcpay: 'BTCPay Server', stripe: 'Stripe' },
  gateway: (name: string) => `Payment gateway: ${name}`,
  processor: (name: string) => `Card processor: ${name}`,
  simulated: (name: string) => `${name}, simulated`,
  notUsed: 'Not used in the last ten minutes',
  sessions: (sessions: number, queued: number) => `${sessions} sessions, ${queued} queued`,
} as const

export const holdTexts = {
  title: pages.holds,
  subtitle: 'Money held for open orders, oldest first.',
  empty: { title: 'No open holds', text: 'Every order is complete.' },
  held: 'Held',
  since: 'Since',
  attempts: 'Attempts',
  registry: 'Registry',
  customer: 'Customer',
  order: 'Order',
} as const

export const mailTexts = {
  title: pages.mails,
  subtitle: 'Emails that could not be sent. Fix the cause, then send them again.',
  empty: { title: 'No failed emails', text: 'Every email was sent, or is still queued.' },
  to: 'Recipient',
  kind: 'Kind',
  queued: 'Queued',
  givenUp: 'Given up',
  customer: 'Customer',
  none: 'No account',
  resend: 'Send again',
  resendOf: (subject: string) => `Send “${subject}” again?`,
  resendText: 'It is queued, and retried as often as a new email.',
  resendDone: 'The email is queued',
  textGone: 'Text no longer stored',
} as const

export const taskTexts = {
  title: pages.tasks,
  subtitle: 'Tasks that have used up all their attempts. Fix the cause, then try them again.',
  empty: { title: 'No dead letters', text: 'Every task has succeeded, or is still being tried.' },
  key: 'About',
  attempts: 'Attempts',
  queued: 'Queued',
  givenUp: 'Given up',
  retry: 'Try again',
  retryOf: (kind: string) => `Try ${kind} again?`,
  retryText: 'It runs at once, and is retried as often as a new task.',
  retryDone: 'The task is queued',
} as const
