// The task that takes an unconfirmed change of name servers back, enqueued before it is sent.
import Type from 'typebox'
import { taskKind } from '../../../../tasks/index.ts'

/** By the change's id; the bulkhead is the registry. */
export const revertNameserversTask = taskKind({
  kind: 'revert_nameservers',
  payload: Type.Object({ change_id: Type.String() }),
  backoff: { first_ms: 2_000, longest_ms: 300_000 },
  most_attempts: null,
})
