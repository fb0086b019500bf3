// Texts of the page of parked orders.
import { operatorTexts } from './operator-texts.ts'

export const parkedOrderTexts = {
  title: operatorTexts.pages.orders,
  subtitle:
    'Orders whose outcome the service could not verify. Their money is held until you decide.',
  withAlarms: 'Include orders with an alarm that are still being executed',
  empty: { title: 'No parked orders', text: 'Every order could be settled automatically.' },
  more: 'Show more',
  types: {
    register: 'Registration',
    renew: 'Renewal',
    transfer: 'Transfer in',
    restore: 'Restoration',
  },
  held: 'Held',
  registry: 'Registry',
  ordered: 'Ordered',
  attempts: 'Attempts',
  customer: 'Customer',
  order: 'Order',
  shows: 'The registry shows:',
  states: {
    ours: 'Ours',
    theirs: 'Another registrar’s',
    absent: 'Not registered',
    silent: 'Holder not known',
  },
  asBought: 'As ordered',
  billed: 'Billed to us',
  expires: (moment: string) => `Expires ${moment}`,
  settle: 'Settle',
  settleOf: (domain: string) => `Settle the order of ${domain}?`,
  settleText:
    'The customer pays the held amount, and holds the domain as the registry shows it. The ' +
    'registry is asked first, and must show the domain as ours.',
  settled: (domain: string) => `The order of ${domain} is settled`,
  forceSettle: 'Even if the domain does not match the order',
  release: 'Release',
  releaseOf: (domain: string) => `Release the order of ${domain}?`,
  releaseText:
    'The held amount becomes available to the customer again. A transfer is canceled at the ' +
    'registry first.',
  released: (domain: string) => `The order of ${domain} is released`,
  forceRelease: 'Even if the registry shows the order as completed, or no holder',
  reason: 'Reason',
  reasonHint: 'Shown to the customer as the error of the order.',
} as const
