// Texts of the page of the account's data: its export, and closing the account.
export const yourDataTexts = {
  title: 'Your data',
  subtitle: 'Download a copy of your data, or close the account.',
  export: {
    title: 'Export',
    text: 'One JSON file with the data of your account:',
    parts: [
      'your profile, how you log in, and all contacts',
      'your current and former domains, with their DNS records',
      'orders, invoices and every transaction of your balances',
      'API keys, connected apps and webhooks, without their secrets',
      'messages to and from support, and the whole audit log',
    ],
    note: 'The export is recorded in the audit log. A large account takes a moment.',
    submit: 'Download',
    file: (day: string) => `agent-registrar-${day}.json`,
    done: 'The export is saved',
  },
  close: {
    title: 'Close the account',
    text: 'This is what happens when you close it:',
    effects: [
      [
        'Domains',
        'You lose no domains: an account with domains cannot be closed. Transfer them to another ' +
          'registrar first, or let them expire.',
      ],
      [
        'Money',
        'You lose no money: spend the balance first, or ask support to pay it out. Payments that ' +
          'arrive later are kept for you.',
      ],
      [
        'Keys and apps',
        'API keys, connected apps and webhooks stop at once, so your agents lose access. They ' +
          'stay revoked, even if the account is reopened.',
      ],
      ['Sessions', 'You are logged out everywhere, including here, and can no longer log in.'],
      [
        'Records',
        'Invoices, transactions and the audit log are kept for as long as the law requires. Your ' +
          'email address stays with the account: to use it again, ask us to reopen the account.',
      ],
    ],
    obstacles: 'The account cannot be closed yet because of:',
    domains: (count: number) => (count === 1 ? '1 domain' : `${count} domains`),
    domainsNext: (count: number) =>
      count === 1
        ? 'Transfer it away, or let it expire.'
        : 'Transfer them away, or let them expire.',
    balance: (amount: string) => `${amount} on your balance`,
    balanceNext: 'Spend it, or ask support to pay it out.',
    held: (amount: string) => `${amount} held for orders`,
    heldNext: 'Wait until they are complete.',
    owed: (amount: string) => `${amount} that you owe`,
    owedNext: 'Pay it with a top-up.',
    orders: (count: number) =>
      count === 1 ? '1 order in progress' : `${count} orders in progress`,
    ordersNext: (count: number) =>
      count === 1 ? 'Wait until it is complete.' : 'Wait until they are complete.',
    topUps: (count: number) =>
      count === 1 ? '1 top-up in progress' : `${count} top-ups in progress`,
    topUpsNext: (count: number) =>
      count === 1 ? 'Pay it, or wait until it expires.' : 'Pay them, or wait until they expire.',
    parked: (count: number) =>
      count === 1 ? '1 payment under review' : `${count} payments under review`,
    parkedNext: (count: number) =>
      count === 1 ? 'Ask support about it.' : 'Ask support about them.',
    exportFirst: 'Export your data first: it cannot be read afterwards.',
    submit: 'Close the account',
    confirm: 'Close this account?',
    confirmText: 'Keys, apps and sessions end at once. Enter your email address to confirm.',
  },
  closed: {
    title: 'Your account is closed',
    text: 'We have emailed you a confirmation. Keys, connected apps and sessions no longer work.',
    again: 'If this was a mistake, write to us: we can reopen the account.',
    toStart: 'To the start page',
  },
} as const
