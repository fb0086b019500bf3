// Reconciliation without "exists may be our own success".

import type { Outcome } from '../../../src/adapters/registry/port.ts'
import {
  type Decision,
  reconcileAnswer as decide,
  type Purchased,
} from '../../../src/capabilities/domains/orders/reconcile/reconcile.ts'

export * from '../../../src/capabilities/domains/orders/reconcile/reconcile.ts'

export function reconcileAnswer(outcome: Outcome<Purchased>): Decision {
  return decide(outcome, 1)
}
