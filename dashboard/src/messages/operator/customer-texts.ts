// Texts of the pages of customers and of one customer's profile, and of the decisions there.
import { operatorTexts } from './operator-texts.ts'

export const customerTexts = {
  title: operatorTexts.pages.customers,
  subtitle:
    'Find a customer to see, suspend or close the account. Every search and every profile that ' +
    'you open is recorded in the audit log under your name.',
  search: 'Search',
  searchLabel: 'Id, email, name or company',
  status: 'Status',
  statuses: { all: 'Any status', active: 'Active', suspended: 'Suspended', closed: 'Closed' },
  none: { title: 'No customer found', text: 'Search for a shorter part of the name or address.' },
  since: (day: string) => `Customer since ${day}`,
  unverified: 'Email not verified',
} as const

export const profileTexts = {
  back: 'Customers',
  support: 'Support',
  created: 'Customer since',
  nameservers: 'Default name servers',
  ofService: 'Those of the service',
  balance: 'Balance',
  available: 'Available',
  held: 'Held',
  owed: 'Owed',
  noBalance: 'No money yet',
  domains: 'Domains',
  domainsOf: (total: number) => (total === 1 ? '1 domain' : `${total} domains`),
  nextExpiry: (moment: string) => `Next expiry ${moment}`,
  logIn: 'Log-in',
  ways: 'Ways to log in',
  password: 'Password',
  passkeys: (count: number) => (count === 1 ? '1 passkey' : `${count} passkeys`),
  noWay: 'None yet',
  lastLogIn: 'Last log-in',
  lastUsed: 'Last seen',
  sessions: 'Open sessions',
  never: 'Never',
  account: 'Account',
  contacts: 'Contacts',
  invoices: 'Invoices',
  topUps: 'Open top-ups',
  registries: 'At registries',
  orders: (open: number) => (open === 1 ? '1 open order' : `${open} open orders`),
  noOrders: 'No open orders',
  keys: (active: number) => (active === 1 ? '1 active API key' : `${active} active API keys`),
  noKeys: 'No API keys',
  revoked: 'Revoked',
  unnamed: 'Unnamed',
  unused: 'Not used yet',
  used: (ago: string) => `Used ${ago}`,
  apps: (open: number) => (open === 1 ? '1 connected app' : `${open} connected apps`),
  noApps: 'No connected apps',
  payments: 'Latest payments',
  noPayments: 'No payments',
  mails: 'Latest emails',
  noMails: 'No emails',
  actions: 'Latest actions',
  noActions: 'No actions',
} as const

export const accountStatusTexts = {
  suspend: 'Suspend account',
  suspendOf: (name: string) => `Suspend ${name}?`,
  suspendText:
    'Within five seconds the account becomes read-only. Orders already placed are completed, ' +
    'incoming payments are credited, and automatic renewals continue.',
  suspendDone: (name: string) => `${name} is suspended`,
  suspendHint: 'Sent to the owner by email.',
  resume: 'Resume account',
  resumeOf: (name: string) => `Resume ${name}?`,
  resumeText: 'Keys and sessions of a suspended account work again; those of a closed one do not.',
  resumeDone: (name: string) => `${name} is active`,
  close: 'Close account',
  closeOf: (name: string) => `Close ${name}?`,
  closeText:
    'Only an empty account can be closed: no domain, no money, nothing in progress. Its ' +
    'sessions, keys and connected apps end.',
  closeDone: (name: string) => `${name} is closed`,
  reason: 'Reason',
  reasonHint: 'For the audit log.',
} as const
