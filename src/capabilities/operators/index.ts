// Operators: their keys by name, the sessions of their browsers, and their daily work.
import {
  createOperatorKey,
  listOperatorKeys,
  revokeOperatorKey,
  rotateOperatorKey,
} from './keys/manage-keys.ts'
import { getOperatorSession, logOutOperator } from './sessions/current-session.ts'
import { logInOperator } from './sessions/log-in.ts'
import { listDeadTasks, retryDeadTask } from './work/dead-tasks.ts'
import { listFailedMails, resendMail } from './work/failed-mails.ts'
import { listHolds } from './work/holds.ts'
import { getOperatorOverview } from './work/overview.ts'

export { authenticateOperators } from './keys/authenticate-key.ts'
export { operatorKeysCommand } from './keys/keys-command.ts'
export { ensureOperatorKey, operatorKeyPrefix } from './keys/operator-key.ts'
export { authenticateOperatorSessions } from './sessions/authenticate-session.ts'
export { operatorCookieName } from './sessions/session-cookie.ts'

export const operations = [
  logInOperator,
  getOperatorSession,
  logOutOperator,
  createOperatorKey,
  listOperatorKeys,
  rotateOperatorKey,
  revokeOperatorKey,
  getOperatorOverview,
  listHolds,
  listFailedMails,
  resendMail,
  listDeadTasks,
  retryDeadTask,
]
