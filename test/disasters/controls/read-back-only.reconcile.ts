// Reconciliation without the fenced re-send: "read back, not there, release the hold".

import type { Outcome } from '../../../src/adapters/registry/port.ts'
import {
  type Decision,
  reconcileAnswer as decide,
  type Purchased,
} from '../../../src/capabilities/domains/orders/reconcile/reconcile.ts'

export * from '../../../src/capabilities/domains/orders/reconcile/reconcile.ts'

export function reconcileAnswer(outcome: Outcome<Purchased>, attempt: number): Decision {
  if (outcome.kind !== 'unknown') return decide(outcome, attempt)
  return { do: 'read', refused: { reason: 'policy', message: outcome.message } }
}
