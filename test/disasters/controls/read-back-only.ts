// Control: silence is decided by one read; what is not there now was not bought.
import { swap } from './swap.ts'

const verdict = new URL('./read-back-only.verdict.ts', import.meta.url)
swap('capabilities/domains/orders/reconcile/reconcile.ts', verdict.href)
