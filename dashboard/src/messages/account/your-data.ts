// Texts of the page of the account's data: its export, and closing the account.
export const yourDataTexts = {
  title: 'Your data',
  subtitle: 'A copy of the data of your account, and the end of the account.',
  export: {
    title: 'Export',
    text: 'One JSON file with the data of your account:',
    parts: [
      'your profile, how you log in, and all contacts',
      'the domains that you have and those that you had, with their DNS records',
      'orders, invoices and every transaction of your balances',
      'API keys, connected apps and webhooks, without their secrets',
      'messages to and from support, and the whole audit log',
    ],
    note: 'The export is itself in the audit log. A large account takes a moment.',
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
        'None is lost by it: an account with domains cannot be closed. Transfer them to another ' +
          'registrar first, or let them expire.',
      ],
      [
        'Money',
        'None is lost by it either: spend the balance first, or ask support to pay it out. What ' +
          'comes in later is kept for you.',
      ],
      [
        'Keys and apps',
        'API keys, connected apps and webhooks stop at once, so your agents lose access. They ' +
          'stay revoked, even if the account is opened again.',
      ],
      ['Sessions', 'You are logged out everywhere, here too, and cannot log in any more.'],
      [
        'Records',
        'Invoices, transactions and the audit log are kept for as long as the law asks for. Your ' +
          'email address stays with the account: to use it again, ask us to open the account.',
      ],
    ],
    obstacles: 'Not yet: this is still in the account',
    domains: (count: number) => (count === 1 ? '1 domain' : `${count} domains`),
    domainsNext: 'Transfer it away, or let it expire.',
    balance: (amount: string) => `${amount} on your balance`,
    balanceNext: 'Spend it, or ask support to pay it out.',
    held: (amount: string) => `${amount} held for orders`,
    heldNext: 'Wait until they have ended.',
    owed: (amount: string) => `${amount} that you owe`,
    owedNext: 'Pay it by a top-up.',
    orders: (count: number) => (count === 1 ? '1 order under way' : `${count} orders under way`),
    ordersNext: 'Wait until it has ended.',
    topUps: (count: number) => (count === 1 ? '1 top-up under way' : `${count} top-ups under way`),
    topUpsNext: 'Pay it, or wait until it has ended.',
    parked: (count: number) =>
      count === 1 ? '1 payment that we look at' : `${count} payments that we look at`,
    parkedNext: 'Ask support about it.',
    exportFirst: 'Export your data first: it cannot be read afterwards.',
    submit: 'Close the account',
    confirm: 'Close this account?',
    confirmText: 'Keys, apps and sessions end at once. Enter your email address to confirm it.',
  },
  closed: {
    title: 'Your account is closed',
    text: 'We mailed you a confirmation. Keys, connected apps and sessions no longer work.',
    again: 'If this was a mistake, write to us: we can open the account again.',
    toStart: 'To the start page',
  },
} as const
