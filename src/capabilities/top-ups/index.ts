// The top-ups room: money comes in.
import { creditProcessorTopUp } from './credit-payment.ts'

export const operations = [creditProcessorTopUp]
