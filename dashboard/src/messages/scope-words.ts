// Scopes in words: what a key or a connected app may do.
import type { Scope } from '../lib/scopes.ts'

export const scopeWords: Record<Scope, string> = {
  'account:read': 'See your account: name, company, email address',
  'account:write': 'Change your account: name, company, default name servers',
  'contacts:read': 'See your contacts, with their addresses and phone numbers',
  'contacts:write': 'Add, change and delete contacts',
  'domains:read': 'See your domains and their activity',
  'domains:write': 'Change your domains: name servers, DNS records, locks, automatic renewal',
  'domains:purchase': 'Buy from your balance: register, renew, restore and transfer in domains',
  'domains:transfer': 'Transfer your domains away: read transfer codes, approve transfers',
  'billing:read': 'See your balance, payments and invoices',
  'billing:write': 'Start payments that top up your balance',
  'keys:read': 'See your API keys and connected apps, without secrets',
  'keys:write': 'Create, change and revoke API keys, and disconnect apps',
  'audit:read': 'See the audit log of your account',
  'support:read': 'Read your messages with support',
  'support:write': 'Write to support on your behalf',
}

/** Scopes of OpenID Connect, which apps may have as well. */
export const identityWords: Readonly<Record<string, string>> = {
  openid: 'Know the id of your account',
  profile: 'See your name',
  email: 'See your email address',
  offline_access: 'Stay connected until you disconnect it',
}

export const scopeTexts = {
  groups: {
    domains: 'Domains',
    money: 'Money',
    contacts: 'Contacts',
    account: 'Account, keys and audit log',
    support: 'Support',
  },
  presets: {
    read: { label: 'Read only', text: 'Sees everything, changes nothing.' },
    manage: { label: 'Manage', text: 'Also changes domains and contacts. Spends nothing.' },
    buy: { label: 'Buy', text: 'Also registers, renews and transfers in, from your balance.' },
  },
  custom: 'Custom',
  permissions: 'Permissions',
  chosen: (count: number, all: number) => `${count} of ${all}`,
  sensitive: 'Sensitive',
} as const
