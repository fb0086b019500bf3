// Refuses a change that the domain's state forbids, before anything is sent.

import type { RegistryDomain } from '../../../adapters/registry/port.ts'
import type { App } from '../../../app.ts'
import type { Holding } from '../holdings/domain-presenter.ts'
import { lifeStatus } from '../holdings/lifecycle.ts'
import { situationOf } from '../holdings/situation.ts'
import { type DomainAction, refusalOf } from '../holdings/state-rules.ts'
import { obstacleOf } from './update-diff.ts'
import { notChangeable } from './update-faults.ts'

type Asked = { holding: Holding; action: DomainAction }
type Shown = Pick<RegistryDomain, 'epp_statuses' | 'rgp_statuses'>

/** Throws what the table of states says, by what the registry says now. */
export function refuseSituation(app: App, { holding, action }: Asked): void {
  const now = app.calendar.now()
  const { epp_statuses, rgp_statuses } = holding
  const refusal = refusalOf(situationOf(holding, now), action)
  if (!refusal) return
  throw refusal({ facts: { domain_status: lifeStatus(holding, now), epp_statuses, rgp_statuses } })
}

/**
 * Throws what the table of states says, by what the registry says now; 409 not_changeable, too,
 * under a status of the registry that is no state of ours (a server's update lock, say).
 */
export function refuseObstacle(
  app: App,
  { holding, action }: Asked,
  { epp_statuses, rgp_statuses }: Shown,
): void {
  const now = app.calendar.now()
  const facts = { ...holding, epp_statuses, rgp_statuses }
  const obstacle = obstacleOf({ epp_statuses, rgp_statuses })
  const refusal = refusalOf(situationOf(facts, now), action) ?? (obstacle && notChangeable)
  if (!refusal) return
  throw refusal({
    detail: `The status ${obstacle ?? 'pendingDelete'} stands against it; nothing was sent.`,
    facts: { domain_status: lifeStatus(facts, now), epp_statuses, rgp_statuses },
  })
}
