// Control: a sender that was stopped sends however late it is.
import { swap } from './swap.ts'

swap('kit/crash.ts', new URL('./freeze.crash.ts', import.meta.url).href)
swap(
  'capabilities/domains/orders/handlers/order-handler.ts',
  new URL('./send-late.sale.ts', import.meta.url).href,
)
