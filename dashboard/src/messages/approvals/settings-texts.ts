// Texts of the settings of approvals.

export const settingsTexts = {
  title: 'Approval settings',
  subtitle: 'How you are asked, and when approving needs a fresh log-in.',
  back: 'All requests',
  logIn: {
    title: 'Fresh log-in',
    text:
      'Approving a request above this sum, or in another currency, asks for your password, a ' +
      'passkey or single sign-on, unless you logged in within the last ten minutes. What costs ' +
      'nothing, such as a transfer code, always does.',
    on: 'Ask above a sum',
    off: 'No sum asks for a fresh log-in: any open session of yours can approve every price.',
    amount: 'Sum',
    currency: 'Currency of the sum',
    save: 'Save',
    saved: 'Saved',
  },
  push: {
    title: 'Browser notifications',
    label: 'Notify this browser',
    text:
      'When an agent asks for your approval. The notification shows the domain, and opens the ' +
      'request; it approves nothing.',
    on: 'This browser is notified until you log out here.',
    denied:
      'This browser blocks notifications of this site. Allow them in its settings for this ' +
      'site, then reload the page.',
    unsupported:
      'This browser cannot be notified here: it is too old, is on an iPhone or iPad, or the ' +
      'window is private.',
    failed: 'The browser could not be registered with its push service',
    failedHint: 'Try again; some networks and browsers block push services.',
  },
} as const
