// The verdict without "exists may be our own success".

import type { Outcome } from '../../../src/adapters/registry/port.ts'
import {
  type Bought,
  judgeAnswer as judge,
  type Verdict,
} from '../../../src/capabilities/domains/orders/reconcile/reconcile.ts'

export * from '../../../src/capabilities/domains/orders/reconcile/reconcile.ts'

export function judgeAnswer(outcome: Outcome<Bought>): Verdict {
  return judge(outcome, 1)
}
