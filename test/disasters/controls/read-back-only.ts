// Control: silence is decided by one read; what is not there now was not bought.
import { swap } from './swap.ts'

const reconcile = new URL('./read-back-only.reconcile.ts', import.meta.url)
swap('capabilities/domains/orders/reconcile/reconcile.ts', reconcile.href)
