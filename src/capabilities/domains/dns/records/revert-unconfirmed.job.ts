// Reverts changes of records that were not confirmed in time.
import { job } from '../../../../app.ts'
import { workTasks } from '../../../../tasks/index.ts'
import { revertUnconfirmedTask } from '../unconfirmed/revert-task.ts'
import { revertUnconfirmed } from './revert-unconfirmed.ts'

const limit = 10

export const revertUnconfirmedDnsChanges = job({
  name: 'revert_unconfirmed_dns_changes',
  does: 'Reverts changes of DNS records that were not confirmed in time.',
  every_ms: 5_000,
  per_node: true,
  task_kind: revertUnconfirmedTask.kind,
  run: async (app) => ({
    more:
      (await workTasks(app, revertUnconfirmedTask, {
        limit,
        handle: ({ payload }) => revertUnconfirmed(app, payload.change_id),
      })) === limit,
  }),
})
