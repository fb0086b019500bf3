// Texts of the home page.
import { pageNames } from './page-names.ts'

const orders = {
  register: 'Registration',
  renew: 'Renewal',
  transfer: 'Transfer',
  restore: 'Restore',
} as const

export const homeTexts = {
  title: pageNames.home,
  greeting: (name: string) => `Welcome back, ${name}`,
  firstGreeting: (name: string) => `Welcome, ${name}`,
  approvals: {
    title: (count: number) =>
      count === 1 ? '1 request is waiting for you' : `${count} requests are waiting for you`,
    text: 'An agent has made a request that is carried out only if you approve it.',
    link: 'Answer',
  },
  needs: {
    title: 'Needs your attention',
    none: 'Nothing needs your attention',
    noneText: 'No domain expires soon, no order is open, and no transfer is waiting for an answer.',
    more: (count: number) => `Show ${count.toLocaleString()} more`,
    others: (count: number) =>
      count === 1 ? '1 more domain needs you' : `${count.toLocaleString()} more domains need you`,
    funds: (amount: string) => `Add ${amount} for upcoming renewals`,
    fundsText: (due: string, count: number, available: string) =>
      `${count === 1 ? '1 domain renews' : `${count} domains renew`} automatically within 30 ` +
      `days, for ${due} at standard prices. ${available} is available.`,
    addFunds: 'Add money',
    expires: (domain: string, distance: string) => `${domain} expires ${distance}`,
    expiresText: 'It does not renew automatically.',
    expired: (domain: string) => `${domain} has expired`,
    expiredText: 'Renew it before it is deleted.',
    redemption: (domain: string) => `${domain} is in redemption`,
    redemptionText: 'It was deleted, and can only be restored for an extra fee.',
    renew: 'Review',
    transfer: (domain: string, registrar: string) => `${registrar} asks to transfer ${domain} away`,
    anotherRegistrar: 'Another registrar',
    transferText: (day: string) => `It moves on ${day} unless you answer.`,
    answer: 'Answer',
    order: (type: keyof typeof orders, domain: string) => `${orders[type]} of ${domain}`,
    orderText:
      'The registry is processing it. It completes automatically; the money is held until then.',
    orderUnknown:
      'The registry has not answered yet. The money is held; we keep asking, and complete the ' +
      'order automatically.',
    look: 'Details',
    kinds: {
      funds: 'Balance',
      expiry: 'Expiry',
      expired: 'Expired',
      transfer: 'Transfer',
      order: 'Open order',
    },
  },
  start: {
    title: 'Get started',
    text: 'Four steps to your first domain.',
    money: 'Add money to the balance',
    moneySandbox: 'In the sandbox it is simulated, and available at once.',
    moneyText: 'Purchases are paid from it.',
    contact: 'Add a contact',
    contactText: 'Each domain has a registrant: the person or company that holds it.',
    agent: 'Connect an agent',
    agentText: 'By logging in, or with an API key. You can also do everything here yourself.',
    buy: 'Buy your first domain',
    buyText: 'Search for a name, see its price, and buy it.',
    done: 'done',
    curl: 'Buy a domain by curl',
  },
  balance: {
    title: 'Balance',
    available: 'Available',
    held: (amount: string) => `${amount} held for open orders`,
    noneHeld: 'Nothing is held',
    link: 'Statement',
  },
  domains: 'Domains',
  allDomains: 'All domains',
  noneRenewing: 'None renews automatically',
  renewing: (count: number, all: number) =>
    count === all ? 'All renew automatically' : `${count.toLocaleString()} renew automatically`,
  chart: {
    title: 'Expiries by month',
    none: 'No domain expires in the next 12 months.',
    first: (day: string) => `The first expires on ${day}.`,
    month: 'Month',
    auto: 'Renew automatically',
    manual: 'Do not renew automatically',
    table: 'Show as a table',
    alt: (count: number) =>
      `${count === 1 ? '1 domain expires' : `${count} domains expire`} in the next 12 months.`,
  },
  activity: {
    title: 'Agent activity',
    all: 'Audit log',
    none: 'No agent has acted yet',
    noneText: 'Connect an agent, or give it an API key. Each of its actions appears here.',
    connect: 'Connect an agent',
  },
} as const
