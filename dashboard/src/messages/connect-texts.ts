// Texts of the page "Connect an agent".
import { pageNames } from './page-names.ts'

export const connectTexts = {
  title: pageNames.connect,
  subtitle: 'Agents use this service over MCP. You decide what each of them may do.',
  endpoint: 'MCP endpoint',
  client: 'Client',
  checked: (day: string) =>
    `As of ${day}. Clients change often: where yours differs, follow its vendor’s documentation.`,
  remote:
    'This client calls from its vendor’s servers. It needs a public HTTPS address, which this ' +
    'service does not have.',
  withKey: 'With an API key instead',
  withKeyText: 'For machines without a browser.',
  apps: 'Connected apps',
  key: {
    title: 'API key for MCP clients',
    text:
      'One key of the account, for clients that cannot log in. It can buy. It was created and ' +
      'shown once at sign-up, but not shown if you signed up from an app.',
    none: 'There is no such key yet.',
    lost: 'Lost or never seen? Replace its secret; the old one is rejected at once.',
    rotate: 'Replace the key',
    create: 'Create the key',
    others: 'Better: one key for each agent',
    confirm: 'Replace the key for MCP clients',
  },
} as const
