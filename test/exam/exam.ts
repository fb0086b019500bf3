// The exam: an agent that knows the base URL, and its owner's order, goes from the first request to
// domains that work, through ten faults.
import { scopes } from '../../src/app.ts'
import { sellElsewhere } from '../support/other-registrar.ts'
import { newOwner, type Owner } from '../support/owner.ts'
import type { TestService } from '../support/service.ts'
import { openAgent } from './agent.ts'
import { connect, find } from './connecting.ts'
import type { Examined } from './examined.ts'
import { openFaults } from './faults.ts'
import { openKnowledge } from './knowledge.ts'
import { buyUpToTheCap, prepareMoney, renewAndRepair } from './ordinary-work.ts'
import { openPerson } from './owner.ts'
import { recover } from './recovering.ts'
import { openTranscript, type Transcript } from './transcript.ts'

export type ExamPlace = {
  /** The service at the address that the agent knows. */
  node: TestService
  names: string[]
} & Pick<Examined, 'stopNode' | 'raisePrices'> & {
    expireTokens: (owner: Owner, token: string) => Promise<void>
    fillWaits: (owner: Owner) => Promise<void>
  }

export async function takeExam({ node, names, ...place }: ExamPlace): Promise<Transcript> {
  const transcript = openTranscript()
  const owner = await newOwner(node, { funds_cents: 0, scopes: [...scopes] })
  const agent = openAgent(openKnowledge(node.url, transcript), transcript)
  const examined: Examined = {
    agent,
    person: openPerson(node, owner, transcript),
    transcript,
    faults: openFaults(node),
    names,
    sellElsewhere: (domain) => sellElsewhere(node, domain),
    stopNode: place.stopNode,
    raisePrices: place.raisePrices,
    expireTokens: () => place.expireTokens(owner, agent.memory.token),
    fillWaits: () => place.fillWaits(owner),
  }
  await find(examined, node.url)
  await connect(examined)
  await prepareMoney(examined)
  await buyUpToTheCap(examined)
  await renewAndRepair(examined)
  await recover(examined)
  return transcript
}
