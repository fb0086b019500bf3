// The top-ups module: credits payments to balances, and takes them back.
import { creditProcessorTopUp } from './card/credit-top-up.ts'
import { createCardCheckout } from './card/open-checkout.ts'
import { readCardCheckouts, readCardRefunds } from './card/read-card-payments.job.ts'
import { getCardCheckout, listCardCheckouts } from './card/read-checkouts.ts'
import { receiveProcessorEvent } from './card/receive-event.ts'
import { reversePaymentByOperator } from './payments/reverse-payment.ts'
import { simulateTopUp } from './simulate-payment.ts'

export { depositPath, usedDepositPaths } from './gateway/deposit-paths.ts'

export const operations = [
  createCardCheckout,
  listCardCheckouts,
  getCardCheckout,
  receiveProcessorEvent,
  creditProcessorTopUp,
  reversePaymentByOperator,
]
export const jobs = [readCardCheckouts, readCardRefunds]
export const sandboxOperations = [simulateTopUp]
