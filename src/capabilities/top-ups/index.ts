// The top-ups module: credits payments to balances.
import { creditProcessorTopUp } from './credit-payment.ts'
import { simulateTopUp } from './simulate-payment.ts'

export { depositPath, usedDepositPaths } from './deposit-paths.ts'

export const operations = [creditProcessorTopUp]
export const sandboxOperations = [simulateTopUp]
