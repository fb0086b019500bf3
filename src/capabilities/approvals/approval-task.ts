// The task that runs an approved request (domains/approved-requests), enqueued with the decision.

import Type from 'typebox'
import type { ApprovalId } from '../../kit/random.ts'
import { stringOf } from '../../kit/schema.ts'
import { taskKind } from '../../tasks/index.ts'

/**
 * The task names the approval by its id. It ends with the approval, at the latest when that
 * expires.
 */
export const runApprovalTask = taskKind({
  kind: 'run_approval',
  payload: Type.Object({ approval_id: stringOf<ApprovalId>() }),
  backoff: { first_ms: 1_000, longest_ms: 300_000 },
  most_attempts: null,
})
