// Control: a stopped sender sends, however late.
import './freeze.ts'
import { swap } from './swap.ts'

swap(
  'capabilities/domains/orders/attempt.ts',
  new URL('./send-late.attempt.ts', import.meta.url).href,
)
