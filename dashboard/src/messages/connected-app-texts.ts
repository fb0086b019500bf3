// Texts of the page of connected apps.
import { pageNames } from './page-names.ts'

export const connectedAppTexts = {
  title: pageNames.connectedApps,
  subtitle: 'Apps and agents that you connected by logging in here.',
  unverified: 'Unverified name',
  unverifiedText: 'The app chose this name itself. It may be another app.',
  unnamed: 'Unnamed app',
  sentTo: (host: string) => (host === 'device code' ? 'Connected by a code' : `Returns to ${host}`),
  connected: (day: string) => `Connected ${day}`,
  used: (ago: string) => `Last used ${ago}`,
  neverUsed: 'Not used yet',
  lastAction: 'Last action',
  onlyReads: 'It has only read data so far.',
  noRecent: (count: number) => `None in the latest ${count} entries of the audit log.`,
  may: 'This app may',
  disconnected: 'Disconnected',
  disconnect: 'Disconnect',
  disconnectOf: (name: string) => `Disconnect ${name}`,
  disconnectText:
    'Its access ends at once, and the API keys that it created are revoked. To connect it ' +
    'again, log in from the app.',
  done: (name: string) => `${name} was disconnected`,
  more: 'Show more',
  connect: 'Connect an agent',
  empty: {
    title: 'No app is connected',
    text: 'Paste one line into your agent, log in, and choose what it may do.',
  },
} as const
