// Names of the pages in the navigation, separate from their texts, which only the open page loads.
export const pageNames = {
  groups: { domains: 'Domains', money: 'Money', agents: 'Agents', account: 'Account' },
  home: 'Home',
  domains: 'Domains',
  buy: 'Buy a domain',
  balance: 'Balance',
  invoices: 'Invoices',
  auditLog: 'Audit log',
  connect: 'Connect an agent',
  connectedApps: 'Connected apps',
  apiKeys: 'API keys',
  approvals: 'Approvals',
  webhooks: 'Webhooks',
  account: 'Account',
  support: 'Support',
  mailbox: 'Mailbox',
} as const
