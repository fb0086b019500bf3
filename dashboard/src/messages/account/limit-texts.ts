// Texts of the limits of API keys and connected apps: their form, and how they are shown.
/** The allowed hosts and types, each null if all are allowed. */
type Dns = { hosts: string | null; types: string | null }
type Spend = { spent: string; amount: string; left: string }

export const limitTexts = {
  label: 'Limits',
  change: 'Change limits',
  changeOf: (name: string) => `Change limits of ${name}`,
  changeText:
    'They apply to every purchase and request from now on. An empty field means no limit.',
  save: 'Save limits',
  saved: (name: string) => `The limits of ${name} are saved`,
  shown: {
    spent: ({ spent, amount, left }: Spend) => `${spent} of ${amount} spent, ${left} left`,
    resets: {
      day: (time: string) => `today, resets at ${time}`,
      month: (day: string) => `this month, resets on ${day}`,
      total: () => 'in total',
    },
    price: (amount: string) => `At most ${amount} for one purchase`,
    asks: (amount: string) => `Asks you above ${amount}`,
    asksOutside: 'Asks you before buying other names',
    tlds: (list: string) => `Buys only under ${list}`,
    domains: (list: string) => `Sees and buys only ${list}`,
    ips: (list: string) => `Only from ${list}`,
    dns: ({ hosts, types }: Dns) =>
      `Changes only ${types ?? 'DNS'} records${hosts === null ? '' : ` at ${hosts}`}`,
    more: (count: number) => `and ${count} more`,
    none: 'No spending limit: it may spend your whole balance.',
    ofKey: (name: string) => `The limits of ${name}, which created it, apply too:`,
    ofApp: 'The limits of the connected app that created it apply too:',
    ofUnknownApp: 'The limits of the connected app that created it, if it has any, apply too.',
  },
  form: {
    open: 'Limits and expiry',
    none: 'None',
    spend: 'Spending limit',
    spendHint:
      'It can then buy in this currency only. Held money counts as spent until it is released.',
    presets: 'Common spending limits',
    noLimit: 'No limit',
    currency: 'Currency',
    window: 'Time',
    windows: { day: 'a day', month: 'a month', total: 'in total' },
    price: 'Highest price of one purchase',
    priceCurrency: 'Currency of the highest price',
    ask: 'Ask me above',
    askHint: 'A purchase above this amount waits for your approval under Approvals.',
    outside: 'Names outside these',
    outsides: { refuse: 'Refuse', ask: 'Ask me' },
    tlds: 'TLDs',
    tldsHint: 'Where it may buy, renew and transfer, such as “com, net”. Empty: all.',
    domains: 'Only these domains',
    domainsHint:
      'The only ones that it sees, changes and buys. “*” stands for any part of the name before ' +
      'the TLD: shop-*.com. Empty: all.',
    ips: 'Addresses and networks',
    ipsHint: 'Where it may be used from, such as 192.0.2.0/24. Empty: anywhere.',
    dnsHosts: 'DNS records only at these hosts',
    dnsHostsHint:
      'Relative to the domain: www, or @ for the domain itself. “*” stands for any text: ' +
      '_acme-challenge*. Empty: all.',
    dnsTypes: 'DNS records only of these types',
    dnsTypesHint: 'Such as “TXT, CAA”. Empty: all.',
    item: (item: string, problem: string) => `${item}: ${problem}`,
    expiry: 'Expires',
    day: 'Last day',
    expiries: {
      never: 'Never',
      30: 'In 30 days',
      90: 'In 90 days',
      365: 'In a year',
      day: 'On a day…',
    },
    kept: (moment: string) => `Unchanged: ${moment}`,
    spends: (limit: string) => `This key can spend up to ${limit}, without asking you again.`,
    asks: (limit: string | null, above: string) =>
      `This key can spend up to ${limit ?? 'your full account balance'}. It asks you before each ` +
      `purchase above ${above}.`,
    asksAbove: (above: string) => `asks above ${above}`,
  },
} as const
