// Texts of the operators' pages of work: overview, holds, mails and tasks.
import { operatorTexts } from './shell.ts'

const { pages } = operatorTexts

export const overviewTexts = {
  title: pages.overview,
  subtitle: 'What waits for an operator, and whether the service can do its work.',
  work: 'Waiting for you',
  nothing: 'Nothing waits for an operator.',
  parked_orders: 'Parked orders',
  alarmed_orders: 'Orders with an alarm',
  parked_payments: 'Parked payments',
  parked_card_checkouts: 'Parked checkouts by card',
  parked_card_reversals: 'Parked reversals by card',
  waiting_threads: 'Support conversations',
  failed_webhook_deliveries: pages.deliveries,
  open_holds: 'Open holds',
  failed_mails: 'Failed mails',
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
  subtitle: 'Money that waits for the end of an order, oldest first.',
  empty: { title: 'No open holds', text: 'Every order has ended.' },
  held: 'Held',
  since: 'Since',
  attempts: 'Attempts',
  registry: 'Registry',
  customer: 'Customer',
  order: 'Order',
} as const

export const mailTexts = {
  title: pages.mails,
  subtitle: 'Mails that were given up. Repair the cause, then send them again.',
  empty: { title: 'No failed mails', text: 'Every mail was sent, or still waits for its turn.' },
  to: 'Recipient',
  kind: 'Kind',
  queued: 'Queued',
  givenUp: 'Given up',
  customer: 'Customer',
  none: 'No account',
  resend: 'Send again',
  resendOf: (subject: string) => `Send “${subject}” again?`,
  resendText: 'It is queued, and tried as often as a new mail.',
  resendDone: 'The mail is queued',
  textGone: 'Text not stored any more',
} as const

export const taskTexts = {
  title: pages.tasks,
  subtitle: 'Tasks that used all their attempts. Repair the cause, then try them again.',
  empty: { title: 'No dead letters', text: 'Every task has succeeded, or is still being tried.' },
  key: 'About',
  attempts: 'Attempts',
  queued: 'Queued',
  givenUp: 'Given up',
  retry: 'Try again',
  retryOf: (kind: string) => `Try ${kind} again?`,
  retryText: 'It is due at once, with all its attempts.',
  retryDone: 'The task is queued',
} as const

export const operatorAccountTexts = {
  title: pages.accounts,
  subtitle: 'Suspend, resume or close an account. Reading one is in its audit log.',
  id: 'Customer id',
  idHint: 'cus_ and 26 characters',
  find: 'Find',
  statuses: { active: 'Active', suspended: 'Suspended', closed: 'Closed' },
  email: 'E-mail',
  company: 'Company',
  created: 'Created',
  balance: 'Balance',
  suspend: 'Suspend',
  suspendOf: (name: string) => `Suspend ${name}?`,
  suspendText:
    'The account can be read, not changed, within five seconds. Orders that were placed end, ' +
    'incoming payments are credited, and automatic renewals go on.',
  suspendDone: (name: string) => `${name} is suspended`,
  suspendHint: 'The owner reads it in a mail.',
  resume: 'Resume',
  resumeOf: (name: string) => `Resume ${name}?`,
  resumeText: 'Keys and sessions of a suspended account work again; those of a closed one do not.',
  resumeDone: (name: string) => `${name} is active`,
  close: 'Close',
  closeOf: (name: string) => `Close ${name}?`,
  closeText:
    'Only an empty account can be closed: no domain, no money, nothing under way. Its sessions, ' +
    'keys and connected apps end.',
  closeDone: (name: string) => `${name} is closed`,
  reason: 'Reason',
  reasonHint: 'For the audit log.',
} as const
