// Control: decides an unanswered command by one read; a missing name was not bought.
import { swap } from './swap.ts'

const reconcile = new URL('./read-back-only.reconcile.ts', import.meta.url)
swap('capabilities/domains/orders/reconcile/reconcile.ts', reconcile.href)
