// The verdict without the fenced re-send: "read back, not there, release the hold".
import {
  type Bought,
  judgeAnswer as judge,
  type Verdict,
} from '../../../src/capabilities/domains/verdict.ts'
import type { Outcome } from '../../../src/outside/registry/port.ts'

export * from '../../../src/capabilities/domains/verdict.ts'

export function judgeAnswer(outcome: Outcome<Bought>, attempt: number): Verdict {
  if (outcome.kind !== 'unknown') return judge(outcome, attempt)
  return { do: 'read', refused: { reason: 'policy', message: outcome.message } }
}
