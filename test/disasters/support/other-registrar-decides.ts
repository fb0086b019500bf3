// The other registrar, when one of its names is asked for.
import { attempt } from '../../../src/adapters/registry/fixtures/sandbox.ts'
import type { Case } from '../matrix/cases.ts'
import type { DisasterSetup } from './disaster-setup.ts'
import type { Actors } from './prepare.ts'

/** What the other registrar says to a transfer that is pending; it may also say nothing. */
export async function decide(setup: DisasterSetup, actors: Actors, one: Case): Promise<void> {
  const { domain, decision } = one
  if (!setup.sandbox.lookup(domain)?.epp_statuses.includes('pendingTransfer')) return
  const { rival } = actors.of(domain)
  if (decision === 'reject') await rival.transferReject(domain, attempt())
  else await rival.transferApprove(domain, attempt())
}
