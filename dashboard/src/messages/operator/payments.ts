// Texts of the operators' page of parked payments: cryptocurrencies, checkouts by card, reversals.
import { operatorTexts } from './shell.ts'

export const paymentsTexts = {
  title: operatorTexts.pages.payments,
  subtitle: 'Payments that could not be credited or taken back automatically.',
  kinds: 'Kinds of payments',
  crypto: 'Crypto',
  checkouts: 'Card checkouts',
  reversals: 'Card reversals',
  customer: 'Customer',
  reason: 'Reason',
  reasonHint: 'For the audit log.',
  amountHint: (currency: string) => `In ${currency}, such as 10.50`,
  dismiss: 'Dismiss',
} as const

export const cryptoTexts = {
  text: 'Payments to checkouts that do not fit them.',
  empty: { title: 'No parked payments', text: 'Every payment could be credited.' },
  checkout: 'Checkout',
  transaction: 'Transaction',
  came: 'Received',
  credited: 'Credited so far',
  state: 'State',
  credit: 'Credit',
  creditOf: (amount: string) => `Credit the payment of ${amount}?`,
  creditText: 'The amount that you enter is credited to the customer, who gets an invoice.',
  creditDone: 'The payment is credited',
  amount: 'Amount to credit',
  dismissOf: (amount: string) => `Dismiss the payment of ${amount}?`,
  dismissText: 'It stays uncredited for good, as when you have sent it back.',
  dismissDone: 'The payment is dismissed',
} as const

export const cardCheckoutTexts = {
  text: 'The processor shows another payment than was asked for, so nothing is credited.',
  empty: { title: 'No parked checkouts', text: 'Every payment by card fits its checkout.' },
  asked: 'Asked for',
  checkout: 'Checkout',
  session: 'Session at the processor',
  none: 'None',
  created: 'Created',
  credit: 'Credit',
  creditOf: (amount: string) => `Credit the checkout of ${amount}?`,
  creditText:
    'Enter the amount that the processor shows as paid; it is read there again. Where it is not ' +
    'the amount that was asked for, dismiss the checkout afterwards.',
  creditDone: 'The payment is credited',
  amount: 'Amount to credit',
  dismissOf: (amount: string) => `Dismiss the checkout of ${amount}?`,
  dismissText: 'It stays uncredited for good. Refund its payment at the processor first.',
  dismissDone: 'The checkout is dismissed',
} as const

export const cardReversalTexts = {
  text:
    'More was refunded or disputed than the payment was, or in another currency. What fits was ' +
    'taken back; the rest waits here.',
  empty: { title: 'No parked reversals', text: 'Every refund and dispute fits its payment.' },
  payment: 'Payment',
  paid: 'Paid',
  rest: 'Not taken back',
  cameBack: 'Came back since it was dismissed',
  adjust: 'Adjust the balance',
  takeOf: (amount: string) => `Take the ${amount} that were refunded?`,
  giveOf: (amount: string) => `Give the ${amount} that came back?`,
  takeText:
    'The amount that you enter is taken from the available balance. The customer reads the ' +
    'reason on the statement. Dismiss the reversal afterwards.',
  giveText:
    'The amount that you enter is added to the balance. The customer reads the reason on the ' +
    'statement. Dismiss the reversal afterwards.',
  toTake: 'Amount to take',
  toGive: 'Amount to give',
  adjustHint: 'On the customer’s statement, and in the audit log.',
  adjustDone: 'The balance is adjusted',
  dismissOf: (amount: string) => `Dismiss the rest of ${amount}?`,
  dismissText: 'It is off the list and moves no money. A later refund or dispute is listed again.',
  dismissDone: 'The reversal is dismissed',
} as const
