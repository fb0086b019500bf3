// Texts of top-ups: the amount and method, and the progress of a payment.

/** The name of a network with a capital letter: "Base", since the API has "base". */
const named = (network: string) => network.charAt(0).toUpperCase() + network.slice(1)

export const topUpTexts = {
  title: 'Add money',
  subtitle: 'Add money to the balance, by card or in a cryptocurrency.',
  balance: 'Back to the balance',
  form: {
    title: 'Amount',
    currency: 'Currency',
    amount: 'Amount',
    other: 'Another amount',
    otherHint: 'With at most two decimals, such as 25 or 25.50.',
    invalid: 'Enter an amount such as 25 or 25.50.',
    belowLeast: (least: string) => `The minimum amount is ${least}.`,
    aboveMost: (most: string) => `The maximum amount is ${most}.`,
    method: 'Pay with',
    card: 'Card',
    cardText: 'On the page of our card processor. Credited as soon as it is paid.',
    cardSubmit: (amount: string) => `Pay ${amount} by card`,
    asset: (asset: string, network: string) => `${asset} on ${named(network)}`,
    confirmations: (count: number) =>
      count === 1 ? 'Credited after 1 confirmation' : `Credited after ${count} confirmations`,
    submit: (amount: string, asset: string) => `Pay ${amount} in ${asset}`,
    amountFirst: 'Choose an amount',
    none: 'Top-ups are not set up here',
    noneText: 'This service has neither a payment gateway nor a card processor yet.',
  },
  pending: {
    title: 'Open top-ups',
    open: 'Open',
    openOf: (amount: string) => `Open the top-up of ${amount}`,
    card: 'Card',
    chosen: 'No asset chosen yet',
  },
  statuses: {
    created: 'Not started',
    awaiting_payment: 'Waiting for payment',
    confirming: 'Confirming',
    paid: 'Paid',
    underpaid: 'Underpaid',
    expired: 'Expired',
    failed: 'Failed',
  },
  pay: {
    title: (amount: string) => `Top-up of ${amount}`,
    network: (asset: string, network: string) =>
      `Send only ${asset} on the ${named(network)} network`,
    networkText:
      'Another asset, or the same one on another network, arrives at an address that is not ' +
      'watched for it, and can only be credited by hand.',
    scan: (asset: string, network: string) =>
      `QR code of the payment in ${asset} on ${named(network)}`,
    exact: 'Send exactly',
    rest: 'Send the rest',
    address: 'To this address',
    uri: 'Open in a wallet on this device',
    page: "Open the gateway's payment page",
    left: (minutes: string) => `${minutes} left`,
    leftHint:
      'The amount is fixed until then. A later payment is credited at the exchange rate at the ' +
      'time of its confirmation.',
    over: 'The time to pay is over',
    paid: 'Already paid?',
    paidText:
      'Payments are detected automatically. Entering the transaction id only speeds this up.',
    transaction: 'Transaction id',
    report: 'Check now',
    reported: 'Checked. The payment appears here once the network has it.',
    steps: ['Send the payment', 'Confirmations', 'Credited'],
    stepWords: { current: 'current step', done: 'done' },
    confirmations: (done: number, required: number) =>
      `${Math.min(done, required)} of ${required} confirmations`,
    confirmationsText: 'Then it is on your balance. You can leave this page.',
    transactions: 'Payments to this address',
    columns: { transaction: 'Transaction', amount: 'Amount', state: 'State', credited: 'Credited' },
    states: {
      seen: 'Seen',
      confirmed: 'Confirmed',
      orphaned: 'No longer on the network',
    },
    parked: (reason: string) => `${reason}: an operator will decide`,
    otherReason: 'It needs a decision',
    reasons: {
      wrong_asset: 'Another asset or network',
      other_currency: 'Valued in another currency',
      off_peg: 'The stablecoin is off its peg',
      facts_changed: 'It changed after it was seen',
      credited_elsewhere: 'Already credited',
      too_large: 'Too large to be credited automatically',
    },
    kept: 'Worth less than a cent',
    late: (state: string) => `${state}, late`,
  },
  ends: {
    paid: (amount: string) => `${amount} added to the balance`,
    paidText: 'The invoice is available, too.',
    underpaid: 'Less than the full amount was paid',
    underpaidText: (credited: string, asked: string) =>
      `${credited} of ${asked} is on the balance. Make another top-up for the rest.`,
    partly: 'Part of the amount was paid',
    partlyText: (credited: string, asked: string) =>
      `${credited} of ${asked} is on the balance. Send the rest to the same address.`,
    expired: 'No payment arrived in time',
    expiredText:
      'Nothing is lost: a payment that still arrives is credited, at the exchange rate at the ' +
      'time of its confirmation. Start another top-up for a current amount.',
    failed: 'The payment failed',
    failedText: 'It is no longer on the network, or its processor refused it.',
    again: 'Start another top-up',
    buy: 'Buy a domain',
    invoices: 'Open the invoices',
  },
  card: {
    waiting: 'Waiting for the card payment',
    waitingText: 'The amount is added to the balance as soon as the processor confirms it.',
    pay: "Open the processor's page",
    cancelled: 'Nothing is charged until it is paid there.',
    opening: 'Opening the processor’s page',
    processing: 'The bank is processing it',
    processingText: 'A bank debit takes a few days. It is credited when the money arrives.',
    parked: 'An operator is reviewing this payment',
    parkedText: 'The processor reports different payment details than requested. Nothing is lost.',
  },
} as const
