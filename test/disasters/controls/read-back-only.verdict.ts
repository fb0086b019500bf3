// The verdict without the fenced re-send: "read back, not there, release the hold".

import type { Outcome } from '../../../src/adapters/registry/port.ts'
import {
  type Bought,
  judgeAnswer as judge,
  type Verdict,
} from '../../../src/capabilities/domains/orders/reconcile/reconcile.ts'

export * from '../../../src/capabilities/domains/orders/reconcile/reconcile.ts'

export function judgeAnswer(outcome: Outcome<Bought>, attempt: number): Verdict {
  if (outcome.kind !== 'unknown') return judge(outcome, attempt)
  return { do: 'read', refused: { reason: 'policy', message: outcome.message } }
}
