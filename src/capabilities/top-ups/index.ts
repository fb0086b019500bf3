// The top-ups module: credits payments to balances, and takes them back.
import { creditProcessorTopUp } from './card/credit-top-up.ts'
import { reversePaymentByOperator } from './payments/reverse-payment.ts'
import { simulateTopUp } from './simulate-payment.ts'

export { depositPath, usedDepositPaths } from './gateway/deposit-paths.ts'

export const operations = [creditProcessorTopUp, reversePaymentByOperator]
export const sandboxOperations = [simulateTopUp]
