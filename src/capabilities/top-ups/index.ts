// The top-ups room: money comes in.
import { creditProcessorTopUp } from './processor.ts'

export const operations = [creditProcessorTopUp]
