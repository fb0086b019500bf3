// Texts of the operators' shell and log-in.
export const operatorTexts = {
  product: 'Operators',
  session: (name: string) => `Logged in as ${name}`,
  menu: 'Session menu',
  refresh: 'Refresh',
  logIn: {
    title: 'Log in as an operator',
    subtitle: 'These pages are for the people who run this service.',
    key: 'Operator key',
    hint: 'It begins with op_. Another operator, or bin/call create-operator-key, creates one.',
    submit: 'Log in',
    submitting: 'Logging in…',
    noCookie:
      'The browser did not keep the session. It needs HTTPS, or this machine’s own address.',
  },
  pages: {
    overview: 'Overview',
    orders: 'Parked orders',
    ordersShort: 'Orders',
    customers: 'Customers',
    support: 'Support',
    database: 'Database',
    payments: 'Parked payments',
    paymentsShort: 'Payments',
    holds: 'Open holds',
    mails: 'Failed emails',
    tasks: 'Dead letters',
    deliveries: 'Failed webhooks',
    keys: 'Operator keys',
  },
  more: 'Show more',
} as const
