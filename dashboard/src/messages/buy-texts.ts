// Texts of the search for domains and of their purchase.
import { pageNames } from './page-names.ts'

export const buyTexts = {
  title: pageNames.buy,
  subtitle: 'Search for a name under every TLD sold here, and see its renewal price.',
  name: 'Name or words to search for',
  placeholder: 'my-agent or my-agent.com',
  hint: 'You can also check several full names at once, separated by spaces.',
  submit: 'Search',
  currency: 'Currency',
  results: (asked: string) => `Results for ${asked}`,
  answered: (answered: number, all: number, free: number) => {
    const available = `${free} available`
    return answered < all ? `${answered} of ${all} checked, ${available}` : `${available} of ${all}`
  },
  columns: { name: 'Name', first: 'First year', renewal: 'Each further year' },
  checking: 'Asking the registry',
  states: {
    available: 'Available',
    premium: 'Premium',
    no_price: 'Price unknown',
    registered: 'Taken',
    reserved: 'Reserved',
    unknown: 'No answer',
    invalid: 'Not a valid name',
    not_sold: 'Not sold here',
    owned: 'Yours',
  },
  unknownText: 'The registry did not answer, so it may or may not be available.',
  reservedText: 'The registry has reserved this name.',
  noPriceText: 'It is available, but its price is unknown, so it cannot be bought yet.',
  askAgain: 'Ask again',
  buy: 'Buy',
  buyName: (domain: string) => `Buy ${domain}`,
  manage: 'Manage',
  nothing: {
    title: 'Search for a name',
    text:
      'All registries are asked at once, and each answer appears as it arrives. An agent can do ' +
      'the same through the API:',
  },
  prices: {
    title: 'TLDs and prices',
    text: 'Standard prices for one year. Premium names cost more.',
    tld: 'TLD',
    register: 'First year',
    renew: 'Each further year',
    transfer: 'Transfer in',
    unknown: 'Unknown',
  },
  close: 'Close',
  checkout: {
    title: (domain: string) => `Buy ${domain}`,
    description: 'Nothing is paid until you press the button with the price.',
    period: 'Period',
    years: (count: number) => (count === 1 ? '1 year' : `${count} years`),
    aLabel: 'Name in the DNS',
    price: 'Price',
    renewal: 'Each further year',
    registrant: 'Registrant',
    nameOf: (name: string, handle: string) => `${name} (${handle})`,
    settings:
      'Automatic renewal and the transfer lock are off at first. You can turn on both right ' +
      'after the purchase.',
    nameservers: 'Name servers',
    balance: 'Available balance',
    submit: (amount: string) => `Buy for ${amount}`,
  },
  order: {
    doneTitle: (domain: string) => `${domain} is yours`,
    done: (until: string) => `It is paid until ${until}.`,
    doneHint: 'Name servers, DNS and the details of its contacts can be changed at any time.',
    autoRenew: 'Renew automatically from the balance',
    lock: 'Lock against transfers to another registrar',
    another: 'Search for another',
    manage: 'Manage the domain',
    waitingTitle: 'The registry has not answered yet',
    waiting: (amount: string) =>
      `${amount} is held for this order. We keep asking the registry, and complete the order ` +
      'automatically: either you get the domain, or the money becomes available again. You can ' +
      'close this page.',
    waitingState: 'Waiting for the registry',
    attempts: (count: number) =>
      count === 1 ? 'Sent to the registry once' : `Sent to the registry ${count} times`,
    failedTitle: (domain: string) => `${domain} was not bought`,
    failed: (amount: string) => `Nothing was paid: ${amount} is available again.`,
    operation: 'Operation',
  },
} as const
