// Control: a refusal of any attempt releases the hold, also 2302 of a second one.
import { swap } from './swap.ts'

const reconcile = new URL('./refusal-is-final.reconcile.ts', import.meta.url)
swap('capabilities/domains/orders/reconcile/reconcile.ts', reconcile.href)
