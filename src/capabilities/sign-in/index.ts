// The sign-in room: how owners show who they are, and what others may use of it.
import { answerResetRequests } from './answer-requests.job.ts'
import { changePassword } from './change-password.ts'
import { confirmPasswordReset } from './confirm-reset.ts'
import { endSession } from './end-session.ts'
import { flushSessionUsesJob } from './flush-uses.job.ts'
import { forgetSignIns } from './forget.job.ts'
import { listSessions } from './list-sessions.ts'
import { logIn } from './log-in.ts'
import { logOut } from './log-out.ts'
import { requestPasswordReset } from './request-reset.ts'
import { sendPasswordSetup } from './send-setup.ts'

export { type Checked, type CheckParts, checkPassword, type Tried } from './check-password.ts'
export { type OpenLink, openLink } from './links.ts'
export {
  longest as longestPassword,
  passwordProblem,
  shortest as shortestPassword,
} from './password.ts'
export { recogniseSessions } from './recognise.ts'
export { beginSession, sessionPrefix } from './sessions.ts'
export { hashPassword } from './set-password.ts'

export const operations = [
  logIn,
  logOut,
  requestPasswordReset,
  confirmPasswordReset,
  listSessions,
  endSession,
  changePassword,
  sendPasswordSetup,
]
/** What the pages call that a password is set with. */
export { confirmPasswordReset, requestPasswordReset }
export const jobs = [answerResetRequests, flushSessionUsesJob, forgetSignIns]
