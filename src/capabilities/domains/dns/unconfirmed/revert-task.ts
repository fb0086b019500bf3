// The task that reverts an unconfirmed change of records, which is enqueued with the change.
import Type from 'typebox'
import { taskKind } from '../../../../tasks/index.ts'

/** Its key is the change's id. It ends with the confirmation, or with the change itself. */
export const revertUnconfirmedTask = taskKind({
  kind: 'revert_dns_change',
  payload: Type.Object({ change_id: Type.String() }),
  backoff: { first_ms: 1_000, longest_ms: 300_000 },
  most_attempts: null,
})
