// Texts of the search for domains and of their purchase.
import { pageNames } from './page-names.ts'

export const buyTexts = {
  title: pageNames.buy,
  subtitle: 'Search a name under every ending sold here, with the price of each further year.',
  name: 'Name or words to search',
  placeholder: 'my-agent or my-agent.com',
  hint: 'Several full names are checked as they are, separated by spaces.',
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
    no_price: 'No price known',
    registered: 'Taken',
    reserved: 'Reserved',
    unknown: 'Could not ask',
    invalid: 'Not a valid name',
    not_sold: 'Not sold here',
    owned: 'Yours',
  },
  unknownText: 'The registry did not answer, so it may be available or not.',
  reservedText: 'The registry keeps this name back.',
  noPriceText: 'It is available, but its price is not known now, so it cannot be bought yet.',
  askAgain: 'Ask again',
  buy: 'Buy',
  buyName: (domain: string) => `Buy ${domain}`,
  manage: 'Manage',
  nothing: {
    title: 'Search for a name',
    text:
      'All registries are asked at the same time, and each answer appears as it comes. An agent ' +
      'asks the same through the API:',
  },
  prices: {
    title: 'Endings and prices',
    text: 'Standard prices of one year. Premium names cost more.',
    tld: 'Ending',
    register: 'First year',
    renew: 'Each further year',
    transfer: 'Transfer in',
    unknown: 'Not known',
  },
  close: 'Close',
  checkout: {
    title: (domain: string) => `Buy ${domain}`,
    description: 'Nothing is paid before you press the button with the price.',
    period: 'Period',
    years: (count: number) => (count === 1 ? '1 year' : `${count} years`),
    aLabel: 'Name in the DNS',
    price: 'Price',
    renewal: 'Each further year',
    registrant: 'Registrant',
    nameOf: (name: string, handle: string) => `${name} (${handle})`,
    settings:
      'The domain begins without automatic renewal and without a transfer lock. You can turn on ' +
      'both right after the purchase.',
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
      `${amount} are held for this order. We keep asking the registry and finish by ourselves: ` +
      'either the domain is yours, or the money is available again. You can close this page.',
    waitingState: 'Waiting for the registry',
    attempts: (count: number) =>
      count === 1 ? 'Sent to the registry once' : `Sent to the registry ${count} times`,
    failedTitle: (domain: string) => `${domain} was not bought`,
    failed: (amount: string) => `Nothing was paid: ${amount} are available again.`,
    operation: 'Operation',
  },
} as const
