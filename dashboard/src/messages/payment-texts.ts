// Texts of paid requests: the balance that pays, the price, and the obstacles.
export const paymentTexts = {
  payFrom: 'Pay from',
  balance: (available: string) => `Balance ${available}`,
  available: 'Available balance',
  manage: 'Manage the domain',
  submitting: 'Paying',
  inFlight: 'The order was sent. Closing this does not cancel it: it may still be carried out.',
  closed: 'The order was sent and may still be carried out',
  closedText: 'Your domains and your balance show it when it is.',
  unanswered: 'The service cannot be reached. The order may have been carried out.',
  unansweredText:
    'Check your connection, then try again: it is the same order, so nothing is paid twice. Your ' +
    'domains and your balance show what was done.',
  guarantee: (amount: string) => `You pay at most ${amount}: a higher price is refused.`,
  changed: (old: string, now: string) => `The price is now ${now}. It was ${old}.`,
  changedText: 'Nothing was paid. Confirm the new price to continue.',
  premium: 'This is a premium name. It costs more than the standard price, including at renewal.',
  missing: {
    registrant: 'A registrant is missing',
    registrantText:
      'Every domain is held by a person or an organization. Fill this in once: it becomes ' +
      'the default for all your domains.',
    registrantSubmit: 'Save and continue',
    funds: 'The balance is too low',
    fundsText: (price: string, balance: string, missing: string) =>
      `The price is ${price}, and ${balance} is available: you need ${missing} more.`,
    owed: (amount: string) =>
      `A payment was reversed after ${amount} of it had been spent. Nothing can be bought until ` +
      'that is paid back.',
    other: (available: string, currency: string) =>
      `${available} is available in ${currency}: choose that currency to pay with it.`,
    addMoney: 'Add money',
  },
} as const
