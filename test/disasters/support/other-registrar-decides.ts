// The other registrar's part in a transfer of one of its names.
import { attempt } from '../../../src/adapters/registry/fixtures/sandbox.ts'
import type { Case } from '../matrix/cases.ts'
import type { DisasterSetup } from './disaster-setup.ts'
import type { Actors } from './prepare.ts'

/** The other registrar's decision about a pending transfer; it may also not answer. */
export async function decide(setup: DisasterSetup, actors: Actors, one: Case): Promise<void> {
  const { domain, decision } = one
  if (!setup.sandbox.lookup(domain)?.epp_statuses.includes('pendingTransfer')) return
  const { rival } = actors.of(domain)
  if (decision === 'reject') await rival.transferReject(domain, attempt())
  else await rival.transferApprove(domain, attempt())
}
