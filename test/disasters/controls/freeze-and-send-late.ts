// Control: a sender that was stopped sends however late it is.
import { swap } from './swap.ts'

swap('kit/crash.ts', new URL('./freeze.crash.ts', import.meta.url).href)
swap(
  'capabilities/domains/orders/handlers/send-attempt.ts',
  new URL('./send-late.attempt.ts', import.meta.url).href,
)
