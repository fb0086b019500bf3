// Texts of the page "Connect an agent".
import { pageNames } from './page-names.ts'

export const connectTexts = {
  title: pageNames.connect,
  subtitle: 'Agents use this service over MCP. You decide what each of them may do.',
  endpoint: 'MCP endpoint',
  client: 'Client',
  checked: (day: string) =>
    `Looked up on ${day}, not run. Where it differs, follow the vendor’s documentation.`,
  remote:
    'This client calls from its vendor’s servers. It needs an address that is public and has ' +
    'HTTPS, and this service has none.',
  withKey: 'With an API key instead',
  withKeyText: 'For machines without a browser.',
  apps: 'Connected apps',
  appsText: 'What you have connected is in the list of connected apps.',
  key: {
    title: 'API key for MCP clients',
    text: 'One key of the account, for clients that cannot log in. It was shown at the sign-up.',
    none: 'There is no such key yet.',
    lost: 'Lost it? A new secret replaces it, and the old one is rejected at once.',
    rotate: 'Replace the key',
    create: 'Create the key',
    others: 'Better: a key for each agent',
    confirm: 'Replace the key for MCP clients',
  },
} as const
