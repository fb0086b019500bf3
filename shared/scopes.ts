// Scopes in words, in groups and as presets: the one source for the consent page of the service and
// for the dashboard. Each checks that it covers all scopes of the API.

/** Each level includes the ones before it. */
const levels = ['read', 'manage', 'buy'] as const
type Level = (typeof levels)[number]
/** The levels, and one that is separate from them. */
export const presetNames = ['read', 'manage', 'buy', 'dns'] as const
export type PresetName = (typeof presetNames)[number]
export type ScopeGroupName = 'domains' | 'money' | 'contacts' | 'account' | 'support'
export type ScopeFacts = {
  group: ScopeGroupName
  /**
   * The lowest level that has it, or null if none has, because it moves domains away or gives
   * access.
   */
  preset: Level | null
  words: string
  /** Whether the preset "dns" has it. */
  dns?: true
  /** A wider scope that includes it. */
  within?: string
}

/** The scopes in the order of the documentation. */
export const scopeFacts = {
  'account:read': {
    group: 'account',
    preset: 'read',
    words: 'See your account: name, company, email address',
  },
  'account:write': {
    group: 'account',
    preset: null,
    words: 'Change your account: name, company, default name servers',
  },
  'contacts:read': {
    group: 'contacts',
    preset: 'read',
    words: 'See your contacts, with their addresses and phone numbers',
  },
  'contacts:write': {
    group: 'contacts',
    preset: 'manage',
    words: 'Add, change and delete contacts',
  },
  'domains:read': {
    group: 'domains',
    preset: 'read',
    words: 'See your domains and their activity',
    dns: true,
  },
  'domains:write': {
    group: 'domains',
    preset: 'manage',
    words: 'Change your domains: name servers, DNS records and locks',
  },
  'dns:write': {
    group: 'domains',
    preset: 'manage',
    words: 'Change only the DNS records of your domains',
    dns: true,
    within: 'domains:write',
  },
  'domains:purchase': {
    group: 'money',
    preset: 'buy',
    words:
      'Buy from your balance: register, renew, also automatically, and restore domains, and ' +
      'transfer them in',
  },
  'domains:transfer': {
    group: 'domains',
    preset: null,
    words: 'Transfer your domains away: read their transfer codes, approve outgoing transfers',
  },
  'billing:read': {
    group: 'money',
    preset: 'read',
    words: 'See your balance, payments and invoices',
  },
  'billing:write': {
    group: 'money',
    preset: null,
    words: 'Start payments that top up your balance',
  },
  'keys:read': {
    group: 'account',
    preset: 'read',
    words: 'See your API keys and connected apps, without secrets',
  },
  'keys:write': {
    group: 'account',
    preset: null,
    words: 'Create, change and revoke API keys, and disconnect apps',
  },
  'audit:read': {
    group: 'account',
    preset: 'read',
    words: 'See the audit log of your account',
  },
  'support:read': {
    group: 'support',
    preset: 'read',
    words: 'Read your messages with support',
  },
  'support:write': {
    group: 'support',
    preset: 'manage',
    words: 'Write to support on your behalf',
  },
} as const satisfies Readonly<Record<string, ScopeFacts>>

/** Scopes of OpenID Connect, which apps may have as well. */
export const identityWords = {
  openid: 'Know the id of your account',
  profile: 'See your name',
  email: 'See your email address',
  offline_access: 'Stay connected until you disconnect it',
} as const

export const scopeTexts = {
  groups: {
    domains: 'Domains',
    money: 'Money',
    contacts: 'Contacts',
    account: 'Account, keys and audit log',
    support: 'Support',
  },
  presets: {
    read: { label: 'Read only', text: 'Sees everything and changes nothing.' },
    manage: {
      label: 'Manage',
      text: 'Also changes domains and contacts. It buys nothing.',
    },
    buy: { label: 'Buy', text: 'Also registers, renews and transfers in, from your balance.' },
    dns: {
      label: 'DNS records only',
      text: 'Sees your domains and changes their DNS records, and nothing else.',
    },
  },
  custom: 'Custom',
  permissions: 'Permissions',
  chosen: (count: number, all: number) => `${count} of ${all}`,
  sensitive: 'Sensitive',
} as const

/** The scopes without those that another of them includes. */
export function withoutIncluded<S extends string>(
  given: readonly S[],
  facts: Readonly<Record<S, ScopeFacts>>,
): S[] {
  return given.filter((scope) => !given.some((one) => one === facts[scope].within))
}

export function isInPreset(
  { preset, dns }: Pick<ScopeFacts, 'preset' | 'dns'>,
  name: PresetName,
): boolean {
  if (name === 'dns') return dns === true
  return preset !== null && levels.indexOf(preset) <= levels.indexOf(name)
}
