// The parts of an exam: the agent, its owner, the order, and the faults.
import type { ExamAgent } from './agent.ts'
import type { openFaults } from './faults.ts'
import type { openPerson } from './owner.ts'
import type { Transcript } from './transcript.ts'

export type Examined = {
  agent: ExamAgent
  person: ReturnType<typeof openPerson>
  transcript: Transcript
  faults: ReturnType<typeof openFaults>
  /** The names of the order: 50 free names, each bought at most once. */
  names: string[]
  /** Another company buys it. */
  sellElsewhere: (domain: string) => Promise<void>
  /** Stops the node, and returns a function that starts another at the same address. */
  stopNode: () => Promise<() => Promise<void>>
  expireTokens: () => Promise<void>
  /** Uses up the waiting calls of the account for a while. */
  fillWaits: () => Promise<void>
  raisePrices: () => Promise<void>
}
