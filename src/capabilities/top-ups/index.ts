// The top-ups module: credits payments to balances.
import { creditProcessorTopUp } from './credit-payment.ts'

export const operations = [creditProcessorTopUp]
