// Control: a refusal of any attempt releases, 2302 of a second one too.
import { swap } from './swap.ts'

const verdict = new URL('./refusal-is-final.verdict.ts', import.meta.url)
swap('capabilities/domains/orders/reconcile/reconcile.ts', verdict.href)
