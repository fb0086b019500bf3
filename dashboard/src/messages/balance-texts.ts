// Texts of the balance, its statement and top-ups.
import { pageNames } from './page-names.ts'

export const balanceTexts = {
  title: pageNames.balance,
  subtitle: 'Prepaid money for registrations, renewals and transfers.',
  currency: 'Currency',
  available: 'Available',
  availableNote: 'Can be spent now',
  held: 'Held',
  heldNote: 'Set aside for open orders',
  noneHeld: 'No order is open',
  total: 'Total',
  totalNote: 'Available plus held',
  totalWithReserve: (reserved: string) => `Including ${reserved} kept for renewals`,
  addMoney: 'Add money',
  owed: (amount: string) => `You owe ${amount}`,
  owedText:
    'A payment was reversed after its money had been spent. Your next payment covers this ' +
    'first; until then nothing can be bought.',
  reserve: {
    title: 'Kept for renewals',
    text:
      'Agents cannot spend this money. Renewals of the domains that you choose, on their pages, ' +
      'draw on it first. Set it to zero to make it available again.',
    amount: (currency: string) => `Amount in ${currency}`,
    submit: 'Keep this amount',
    done: (amount: string) => `${amount} is kept for renewals`,
  },
  topUp: {
    title: 'Add simulated money',
    text: 'This is the sandbox: the money is simulated, and is added at once.',
    amount: 'Amount',
    submit: (amount: string) => `Add ${amount}`,
    done: (amount: string) => `${amount} added`,
    doneText: (available: string) => `${available} available`,
    failed: 'No money was added',
  },
  statement: {
    title: 'Statement',
    text:
      'Each line shows the available and the held amount after it. The price of a purchase is ' +
      'set aside first, and paid once the domain is yours: that is one line, which unfolds.',
    heldFirst: (amount: string) => `${amount} was held first`,
    afterHold: (available: string, held: string) => `${available} available, ${held} held.`,
    type: 'Type',
    anyType: 'All types',
    download: 'Download CSV',
    downloadFailed: 'The statement could not be downloaded',
    receipt: 'Receipt',
    receiptOf: (domain: string) => `Download the receipt of ${domain} as PDF`,
    receiptFailed: 'The receipt could not be downloaded',
    columns: {
      date: 'Date',
      description: 'Description',
      amount: 'Amount',
      available: 'Available after',
      held: 'Held after',
    },
    more: 'Show older transactions',
    loading: 'Loading older transactions',
    shown: (count: number) => (count === 1 ? '1 line' : `${count.toLocaleString()} lines`),
    found: (count: number, all: number) =>
      `${count.toLocaleString()} of the latest ${all.toLocaleString()} lines`,
    nothing: 'No transaction of this type',
    nothingText: (all: number) =>
      all === 1
        ? 'The only line has another type.'
        : `All ${all.toLocaleString()} lines have another type.`,
    nothingYet: (all: number) =>
      `None of the latest ${all.toLocaleString()} lines has this type. Older ones have ` +
      'not been searched yet.',
    clear: 'Show all types',
    types: {
      top_up: 'Top-up',
      hold: 'Hold',
      capture: 'Payment',
      release: 'Release',
      refund: 'Refund',
      reversal: 'Reversal',
      adjustment: 'Adjustment',
      reserve: 'Reserve',
    },
    meanings: {
      top_up: 'Money was added to the balance.',
      hold: 'Set aside, not paid: moved from available to held until the order ends.',
      capture: 'Paid with the money that was set aside; nothing more was taken.',
      release: 'The order ended without a purchase: moved from held back to available.',
      refund: 'Money was returned to the balance.',
      reversal: 'A payment to the balance was reversed.',
      adjustment: 'Corrected by an operator.',
      reserve: 'Moved to or from the money that is kept for renewals.',
    },
  },
  empty: {
    title: 'No transactions yet',
    text: 'Add money to the balance, then buy a domain. Every movement is listed here.',
    sandbox: 'Add simulated money above, then buy a domain. Every movement is listed here.',
  },
} as const
