// Reverts changes of name servers that were not confirmed in time.
import { job } from '../../../../app.ts'
import { workTasks } from '../../../../tasks/index.ts'
import { byRegistry } from '../../per-registry.ts'
import { revertNameservers } from './revert-nameservers.ts'
import { revertNameserversTask } from './revert-nameservers-task.ts'

const pace = { at_once: 8, every_ms: 5_000 }

export const revertUnconfirmedNameservers = job({
  name: 'revert_unconfirmed_nameservers',
  does: 'Reverts changes of name servers that were not confirmed in time.',
  every_ms: pace.every_ms,
  per_node: true,
  task_kind: revertNameserversTask.kind,
  run: (app) =>
    byRegistry(app, pace, ({ name, limit }) =>
      workTasks(app, revertNameserversTask, {
        bulkhead: name,
        limit: Number(limit),
        handle: ({ payload, attempts }) =>
          revertNameservers(app, { change_id: payload.change_id, tries: attempts + 1 }),
      }),
    ),
})
