// Refuses a change that the domain's statuses forbid, before anything is sent.
import type { App } from '../../app.ts'
import type { RegistryDomain } from '../../outside/registry/port.ts'
import { notChangeable } from './change-faults.ts'
import { obstacleOf } from './change-plan.ts'
import type { Holding } from './holding.ts'
import { lifeStatus } from './life.ts'

type Statuses = Pick<RegistryDomain, 'epp_statuses' | 'rgp_statuses'>

/** Throws 409 not_changeable; `shown` is what the registry says now. */
export function refuseObstacle(
  app: App,
  holding: Holding,
  { epp_statuses, rgp_statuses }: Statuses,
): void {
  const stands = obstacleOf({ epp_statuses, rgp_statuses })
  const obstacle = holding.deletion_at ? 'pendingDelete' : stands
  if (obstacle === undefined) return
  const status = lifeStatus({ ...holding, epp_statuses, rgp_statuses }, app.calendar.now())
  throw notChangeable({
    detail: `The status ${obstacle} stands against it; nothing was sent.`,
    facts: { domain_status: status, epp_statuses, rgp_statuses },
  })
}
