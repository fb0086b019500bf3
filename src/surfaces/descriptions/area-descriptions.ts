// A sentence on each area of the catalog, which the OpenAPI document's tags and the pages of the
// documentation show.

const sentences: Readonly<Record<string, string>> = {
  Domains: 'Check, register, renew, restore and transfer names, and what they point at.',
  Pricing: 'The price lists by top-level domain, with each charge as an item.',
  Contacts: 'The registrants and other contacts of domains.',
  Billing: 'The prepaid balance, top-ups, transactions, invoices and statements.',
  'API keys': 'Keys of programs with their scopes and limits; rotation and revocation.',
  'Account and customers':
    'The account of the caller, its limits, sessions and connected programs.',
  Approvals: 'Requests of agents that the owner answers before they run.',
  'Audit logs': 'The signed log of every change of an account, with proofs.',
  Dashboard: 'Log-in, sign-up and configuration for the pages of owners.',
  Events: 'The feed of events, and webhooks that deliver it.',
  Support: 'Messages between an account and the support staff.',
  Operators: 'The work of the operators of the service.',
  'Customer tool': 'Read-only look-ups of the support staff.',
  Health: 'Whether the service can do its work.',
  Sandbox: 'The clock, faults, mailbox and top-ups of the sandbox; absent in production.',
}

/** The sentence on an area, or undefined for one that the catalog does not have. */
export function areaDescription(area: string): string | undefined {
  return Object.hasOwn(sentences, area) ? sentences[area] : undefined
}

/** Every area that has a sentence. */
export const describedAreas: readonly string[] = Object.keys(sentences)
