// Descriptions of scopes on the consent page, and which of them need a second look.
import type { Scope } from '../../app.ts'

/** `standard` is selected by default where it was requested; `sensitive` waits for the owner. */
export type ScopeGroup = 'standard' | 'spending' | 'sensitive'
export type ScopeDescription = { group: ScopeGroup; words: string }

const service: Record<Scope, ScopeDescription> = {
  'account:read': { group: 'standard', words: 'See your account: name, company, email address' },
  'account:write': {
    group: 'sensitive',
    words: 'Change your account: name, company, default name servers',
  },
  'contacts:read': {
    group: 'standard',
    words: 'See your contacts, with their addresses and phone numbers',
  },
  'contacts:write': { group: 'standard', words: 'Add, change and delete contacts' },
  'domains:read': { group: 'standard', words: 'See your domains and their activity' },
  'domains:write': {
    group: 'standard',
    words:
      'Change your domains: name servers, DNS records, locks, and automatic renewal, which is ' +
      'paid from your balance',
  },
  'domains:purchase': {
    group: 'spending',
    words: 'Buy from your balance: register, renew and restore domains, and transfer them in',
  },
  'domains:transfer': {
    group: 'sensitive',
    words: 'Transfer your domains away: read their transfer codes, approve outgoing transfers',
  },
  'billing:read': { group: 'standard', words: 'See your balance, payments and invoices' },
  'billing:write': { group: 'sensitive', words: 'Start payments that top up your balance' },
  'keys:read': {
    group: 'standard',
    words: 'See your API keys and connected apps, without secrets',
  },
  'keys:write': {
    group: 'sensitive',
    words: 'Create, change and revoke API keys, and disconnect apps',
  },
  'audit:read': { group: 'standard', words: 'See the audit log of your account' },
  'support:read': { group: 'standard', words: 'Read your messages with support' },
  'support:write': { group: 'standard', words: 'Write to support on your behalf' },
}

// OpenID Connect Core 1.0 section 5.4; they identify you and change nothing.
const identity: Record<string, ScopeDescription> = {
  profile: { group: 'standard', words: 'See your name' },
  email: { group: 'standard', words: 'See your email address' },
}

/**
 * Granted without a checkbox: `openid` reveals only the account's id, and every client stays
 * connected until its owner disconnects it, with `offline_access` or without.
 */
const implicit: readonly string[] = ['openid', 'offline_access']

const known = new Map([...Object.entries(service), ...Object.entries(identity)])
const order = [...known.keys()]

/** Undefined for a scope without a checkbox, and for an unknown one. */
export function scopeDescription(scope: string): ScopeDescription | undefined {
  return known.get(scope)
}

/** Whether it spends money, or is sensitive. */
export function isSensitive(scope: string): boolean {
  return known.get(scope)?.group !== 'standard'
}

/** `selectable` have a checkbox each, in the order of the documentation; `implicit` have none. */
export type RequestedScopes = { selectable: readonly string[]; implicit: readonly string[] }

/** The scopes of a request; unknown ones are left out, as they are from its tokens. */
export function requestedScopesOf(scope: string): RequestedScopes {
  const words = scope.split(' ')
  return {
    selectable: order.filter((one) => words.includes(one)),
    implicit: implicit.filter((one) => words.includes(one)),
  }
}

/** The scopes that are selected when the page is first shown. */
export function selectedByDefault({ selectable }: RequestedScopes): string[] {
  return selectable.filter((scope) => known.get(scope)?.group !== 'sensitive')
}
