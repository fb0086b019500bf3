// Control: a stopped sender sends, however late.
import { swap } from './swap.ts'

swap('kit/crash.ts', new URL('./freeze.crash.ts', import.meta.url).href)
swap(
  'capabilities/domains/orders/attempt.ts',
  new URL('./send-late.attempt.ts', import.meta.url).href,
)
