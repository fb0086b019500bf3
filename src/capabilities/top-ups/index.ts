// The top-ups module: credits payments to balances, and takes them back.
import { getCardConfig } from './card/card-config.ts'
import { creditProcessorTopUp } from './card/credit-top-up.ts'
import { createCardCheckout } from './card/open-checkout.ts'
import { dismissParkedCardCheckout, listParkedCardCheckouts } from './card/parked-card-payments.ts'
import { dismissParkedCardReversal, listParkedCardReversals } from './card/parked-card-reversals.ts'
import { readCardCheckouts, readCardRefunds } from './card/read-card-payments.job.ts'
import { getCardCheckout, listCardCheckouts } from './card/read-checkouts.ts'
import { receiveProcessorEvent } from './card/receive-event.ts'
import { checkPayments, reportTopUp } from './gateway/operations/check-payments.ts'
import { createTopUp } from './gateway/operations/create-top-up.ts'
import {
  creditParkedPayment,
  dismissParkedPayment,
  listParkedPayments,
} from './gateway/operations/parked-payments.ts'
import { getTopUp, getTopUpConfig, listTopUps } from './gateway/operations/read-top-ups.ts'
import { receiveGatewayWebhook } from './gateway/operations/receive-webhook.ts'
import { getTopUpAssets, startTopUp } from './gateway/operations/start-top-up.ts'
import { compareBalances } from './gateway/watching/compare-balances.job.ts'
import { settleCheckouts } from './gateway/watching/settle-checkouts.job.ts'
import { watchCheckouts } from './gateway/watching/watch-checkouts.job.ts'
import { reversePaymentByOperator } from './payments/reverse-payment.ts'
import { simulateTopUp } from './simulate-payment.ts'
import { settleX402Payments } from './x402/settle-x402.job.ts'
import { topUpByX402 } from './x402/top-up-by-x402.ts'

export { depositPath, usedDepositPaths } from './gateway/deposit-paths.ts'
export { CheckoutObservations } from './gateway/watching/observe-checkout.ts'

export const operations = [
  getTopUpConfig,
  createTopUp,
  listTopUps,
  getTopUp,
  getTopUpAssets,
  startTopUp,
  reportTopUp,
  receiveGatewayWebhook,
  checkPayments,
  topUpByX402,
  getCardConfig,
  listParkedPayments,
  creditParkedPayment,
  dismissParkedPayment,
  listParkedCardCheckouts,
  dismissParkedCardCheckout,
  listParkedCardReversals,
  dismissParkedCardReversal,
  createCardCheckout,
  listCardCheckouts,
  getCardCheckout,
  receiveProcessorEvent,
  creditProcessorTopUp,
  reversePaymentByOperator,
]
export const jobs = [
  settleCheckouts,
  watchCheckouts,
  compareBalances,
  settleX402Payments,
  readCardCheckouts,
  readCardRefunds,
]
export const sandboxOperations = [simulateTopUp]
