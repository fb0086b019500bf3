// Texts of the operators' page of parked payments: cryptocurrencies, checkouts by card, reversals.
import { operatorTexts } from './operator-texts.ts'

export const paymentsTexts = {
  title: operatorTexts.pages.payments,
  subtitle: 'Payments that could not be credited or reversed automatically.',
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
  text: 'Payments that do not match their checkout.',
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
  dismissText: 'It will never be credited. Do this, for example, after refunding it.',
  dismissDone: 'The payment is dismissed',
} as const

export const cardCheckoutTexts = {
  text: 'The processor shows a different payment than requested, so nothing is credited.',
  empty: { title: 'No parked checkouts', text: 'Every card payment matches its checkout.' },
  asked: 'Requested',
  checkout: 'Checkout',
  session: 'Session at the processor',
  none: 'None',
  created: 'Created',
  credit: 'Credit',
  creditOf: (amount: string) => `Credit the checkout of ${amount}?`,
  creditText:
    'Enter the amount that the processor shows as paid; it is read there again. If it is not ' +
    'the requested amount, dismiss the checkout afterwards.',
  creditDone: 'The payment is credited',
  amount: 'Amount to credit',
  dismissOf: (amount: string) => `Dismiss the checkout of ${amount}?`,
  dismissText: 'It will never be credited. Refund its payment at the processor first.',
  dismissDone: 'The checkout is dismissed',
} as const

export const cardReversalTexts = {
  text:
    'The refunds and disputes exceed the payment, or are in another currency. The matching part ' +
    'has been reversed; the rest waits here.',
  empty: { title: 'No parked reversals', text: 'Every refund and dispute matches its payment.' },
  payment: 'Payment',
  paid: 'Paid',
  rest: 'Not reversed',
  cameBack: 'Came back after it was dismissed',
  adjust: 'Adjust the balance',
  takeOf: (amount: string) => `Take back the ${amount} that was refunded?`,
  giveOf: (amount: string) => `Credit the ${amount} that was returned?`,
  takeText:
    'The amount that you enter is taken from the available balance. The customer sees the ' +
    'reason on the statement. Dismiss the reversal afterwards.',
  giveText:
    'The amount that you enter is added to the balance. The customer sees the reason on the ' +
    'statement. Dismiss the reversal afterwards.',
  toTake: 'Amount to take',
  toGive: 'Amount to give',
  adjustHint: 'On the customer’s statement, and in the audit log.',
  adjustDone: 'The balance is adjusted',
  dismissOf: (amount: string) => `Dismiss the rest of ${amount}?`,
  dismissText:
    'It is removed from the list; no money moves. A later refund or dispute is listed again.',
  dismissDone: 'The reversal is dismissed',
} as const
