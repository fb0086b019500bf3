// Control: believes any date of a registry.
import { swap } from './swap.ts'

swap(
  'capabilities/domains/orders/reconcile/term-verification.ts',
  new URL('./believe-dates.term.ts', import.meta.url).href,
)
