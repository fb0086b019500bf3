// Approvals: requests of keys and apps that wait for their owner (decision 68).
import type { Job, Operation } from '../../app.ts'
import { getApprovalSettings, updateApprovalSettings } from './approval-settings.ts'
import { approveRequest, declineRequest } from './decide-approval.ts'
import { expireApprovalsJob } from './expire-approvals.job.ts'
import { pushApprovals } from './push/push-approvals.job.ts'
import {
  createPushSubscription,
  deletePushSubscription,
  listPushSubscriptions,
} from './push/subscriptions.ts'
import { getApproval, listApprovals, waitForApproval } from './read-approvals.ts'

export { runApprovalTask } from './approval-task.ts'
export {
  approvalToRun,
  approvedById,
  endApproval,
  grantOfApproval,
  keyOfApproval,
  voidOlderChanges,
} from './approvals.sql.ts'
export { type ApprovalRequest, askApproval, takeApproval } from './ask-approval.ts'
export { approvalDeclined, requestChanged, tooManyApprovals } from './faults.ts'

export const operations: Operation[] = [
  listApprovals,
  getApproval,
  waitForApproval,
  approveRequest,
  declineRequest,
  getApprovalSettings,
  updateApprovalSettings,
  listPushSubscriptions,
  createPushSubscription,
  deletePushSubscription,
]
export const jobs: Job[] = [expireApprovalsJob, pushApprovals]
