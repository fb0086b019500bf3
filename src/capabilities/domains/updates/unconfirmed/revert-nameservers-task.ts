// The task that reverts an unconfirmed change of name servers, enqueued before the change is sent.
import Type from 'typebox'
import { taskKind } from '../../../../tasks/index.ts'

/** Its key is the change's id, and its bulkhead is the registry. */
export const revertNameserversTask = taskKind({
  kind: 'revert_nameservers',
  payload: Type.Object({ change_id: Type.String() }),
  backoff: { first_ms: 2_000, longest_ms: 300_000 },
  most_attempts: null,
})
