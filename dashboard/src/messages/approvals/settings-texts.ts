// Texts of the settings of approvals.

export const settingsTexts = {
  title: 'Approval settings',
  subtitle: 'How you are asked, and when approving needs a fresh log-in.',
  back: 'All requests',
  logIn: {
    title: 'Fresh log-in',
    text:
      'Approving a request above this amount, or in another currency, asks for your password, a ' +
      'passkey or single sign-on, unless you logged in within the last ten minutes. Approving a ' +
      'request that costs nothing, such as reading a transfer code, always asks.',
    on: 'Ask above an amount',
    off: 'No amount requires a fresh log-in: any of your open sessions can approve any price.',
    amount: 'Amount',
    currency: 'Currency of the amount',
    save: 'Save',
    saved: 'Saved',
  },
  push: {
    title: 'Browser notifications',
    label: 'Notify this browser',
    text:
      'When an agent asks for your approval. The notification shows the domain and opens the ' +
      'request; it approves nothing.',
    on: 'This browser is notified until you log out here.',
    denied:
      'This browser blocks notifications from this site. Allow them in its settings for this ' +
      'site, then reload the page.',
    unsupported:
      'This browser cannot be notified here: it is too old, is on an iPhone or iPad, or is ' +
      'in a private window.',
    failed: 'The browser could not be registered with its push service',
    failedHint: 'Try again; some networks and browsers block push services.',
  },
} as const
