// The verdict without "exists may be our own success".

import {
  type Bought,
  judgeAnswer as judge,
  type Verdict,
} from '../../../src/capabilities/domains/verdict.ts'
import type { Outcome } from '../../../src/outside/registry/port.ts'

export * from '../../../src/capabilities/domains/verdict.ts'

export function judgeAnswer(outcome: Outcome<Bought>): Verdict {
  return judge(outcome, 1)
}
