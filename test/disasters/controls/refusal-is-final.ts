// Control: a refusal of any attempt releases, 2302 of a second one too.
import { swap } from './swap.ts'

const reconcile = new URL('./refusal-is-final.reconcile.ts', import.meta.url)
swap('capabilities/domains/orders/reconcile/reconcile.ts', reconcile.href)
