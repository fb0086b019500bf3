// Control: any date that a registry shows is what was bought.
import { swap } from './swap.ts'

swap(
  'capabilities/domains/orders/reconcile/term-verification.ts',
  new URL('./believe-dates.term.ts', import.meta.url).href,
)
