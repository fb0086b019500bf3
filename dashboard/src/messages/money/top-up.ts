// Texts of top-ups: the amount and method, and the course of a payment.

/** "Base" for base: names of networks are lower case in the API. */
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
    otherHint: 'With two decimals at most, such as 25 or 25.50.',
    invalid: 'Enter an amount such as 25 or 25.50.',
    belowLeast: (least: string) => `The least amount is ${least}.`,
    aboveMost: (most: string) => `The most that can be paid at once is ${most}.`,
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
      'The amount is fixed until then. A later payment is credited at the rate of its time.',
    over: 'The time to pay has ended',
    paid: 'Paid already?',
    paidText: 'Payments are found by themselves. The transaction’s id only makes it quicker.',
    transaction: 'Id of the transaction',
    report: 'Look for it',
    reported: 'It was looked for: a payment shows here once the network has it.',
    steps: ['Send the payment', 'Confirmations', 'Credited'],
    stepWords: { current: 'current step', done: 'done' },
    confirmations: (done: number, required: number) =>
      `${Math.min(done, required)} of ${required} confirmations`,
    transactions: 'Payments to this address',
    columns: { transaction: 'Transaction', amount: 'Amount', state: 'State', credited: 'Credited' },
    states: {
      seen: 'Seen',
      confirmed: 'Confirmed',
      orphaned: 'Not on the network any more',
    },
    parked: (reason: string) => `${reason}: an operator decides`,
    otherReason: 'It needs a decision',
    reasons: {
      wrong_asset: 'Another asset or network',
      other_currency: 'Valued in another currency',
      off_peg: 'The stablecoin is off its peg',
      facts_changed: 'It changed after it was seen',
      credited_elsewhere: 'It was credited before',
      too_large: 'Too large to be credited by itself',
    },
    kept: 'Worth less than a cent',
    late: (state: string) => `${state}, late`,
  },
  ends: {
    paid: (amount: string) => `${amount} added to the balance`,
    paidText: 'The invoice is there, too.',
    underpaid: 'Less was paid than the amount',
    underpaidText: (credited: string, asked: string) =>
      `${credited} of ${asked} are on the balance. Make another top-up for the rest.`,
    partly: 'A part was paid',
    partlyText: (credited: string, asked: string) =>
      `${credited} of ${asked} are on the balance. Send the rest to the same address.`,
    expired: 'No payment came in time',
    expiredText:
      'Nothing is lost: a payment that still comes is credited, at the rate of its time. ' +
      'Start a new one to see a current amount.',
    failed: 'The payment failed',
    failedText: 'It is not on the network any more, or its processor refused it.',
    again: 'Start another top-up',
    buy: 'Buy a domain',
    invoices: 'Open the invoices',
  },
  card: {
    waiting: 'Waiting for the card payment',
    waitingText: 'As soon as the processor confirms it, the amount is on the balance.',
    pay: "Open the processor's page",
    cancelled: 'Nothing is charged until it is paid there.',
    opening: 'The page of the processor is being opened',
    processing: 'The bank is working on it',
    processingText: 'A bank debit takes some days. It is credited when the money is there.',
    parked: 'An operator looks at this payment',
    parkedText: 'The processor shows other facts than were asked for. Nothing is lost.',
  },
} as const
