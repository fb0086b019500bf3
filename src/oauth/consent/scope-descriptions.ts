// Scopes as a person reads them on the consent page, and which of them deserve a second look.
import type { Scope } from '../../app.ts'

/** `usual` is checked where it was asked for; `powerful` waits for the owner to check it. */
export type ScopeGroup = 'usual' | 'spending' | 'powerful'
export type ScopeDescription = { group: ScopeGroup; words: string }

const service: Record<Scope, ScopeDescription> = {
  'account:read': { group: 'usual', words: 'See your account: name, company, e-mail address' },
  'account:write': {
    group: 'powerful',
    words: 'Change your account: name, company, default name servers',
  },
  'contacts:read': {
    group: 'usual',
    words: 'See your contacts, with their addresses and telephone numbers',
  },
  'contacts:write': { group: 'usual', words: 'Add, change and delete contacts' },
  'domains:read': { group: 'usual', words: 'See your domains and what happens to them' },
  'domains:write': {
    group: 'usual',
    words:
      'Change your domains: name servers, DNS records, locks, and automatic renewal, which is ' +
      'paid from your balance',
  },
  'domains:purchase': {
    group: 'spending',
    words: 'Buy from your balance: register domains, renew and restore them, transfer them in',
  },
  'domains:transfer': {
    group: 'powerful',
    words: 'Move your domains away: read their transfer codes, approve transfers to others',
  },
  'billing:read': { group: 'usual', words: 'See your balance, payments and invoices' },
  'billing:write': { group: 'powerful', words: 'Start payments that fill up your balance' },
  'keys:read': { group: 'usual', words: 'See your API keys and connected programs, no secrets' },
  'keys:write': {
    group: 'powerful',
    words: 'Make, change and revoke API keys, and disconnect programs',
  },
  'audit:read': { group: 'usual', words: 'See the log of what was done in your account' },
  'support:read': { group: 'usual', words: 'Read your messages with support' },
  'support:write': { group: 'usual', words: 'Write to support in your name' },
}

// OpenID Connect Core 1.0 section 5.4; they tell who you are and change nothing.
const identity: Record<string, ScopeDescription> = {
  profile: { group: 'usual', words: 'Know your name' },
  email: { group: 'usual', words: 'Know your e-mail address' },
}

/**
 * Asked for without a box: `openid` tells no more than the account's id, and every program stays
 * connected until its owner ends that, with `offline_access` or without.
 */
const silent: readonly string[] = ['openid', 'offline_access']

const known = new Map([...Object.entries(service), ...Object.entries(identity)])
const order = [...known.keys()]

/** Words and group of a scope that has a box; undefined for one that has none, or is unknown. */
export function scopeDescription(scope: string): ScopeDescription | undefined {
  return known.get(scope)
}

/** Whether it spends, or is powerful. */
export function isCareful(scope: string): boolean {
  return known.get(scope)?.group !== 'usual'
}

/** What was asked for: with a box each, in the order of the documentation, and without one. */
export type Asked = { boxes: readonly string[]; silent: readonly string[] }

/** The scopes of a request; unknown ones are left out, as they are of its tokens. */
export function askedScopes(scope: string): Asked {
  const words = scope.split(' ')
  return {
    boxes: order.filter((one) => words.includes(one)),
    silent: silent.filter((one) => words.includes(one)),
  }
}

/** The boxes that are checked when the page is shown first. */
export function firstChecked({ boxes }: Asked): string[] {
  return boxes.filter((scope) => known.get(scope)?.group !== 'powerful')
}
