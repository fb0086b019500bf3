// Sign-in: passwords, sessions and password resets of account owners.

import { changePassword } from './passwords/change-password.ts'
import { confirmPasswordReset } from './resets/confirm-reset.ts'
import { requestPasswordReset } from './resets/request-reset.ts'
import { answerResetRequests } from './resets/send-resets.job.ts'
import { sendPasswordSetup } from './resets/send-setup.ts'
import { endSession, logOut } from './sessions/end-session.ts'
import { flushSessionUsesJob } from './sessions/flush-session-uses.job.ts'
import { listSessions } from './sessions/list-sessions.ts'
import { logIn } from './sessions/log-in.ts'

export {
  type Checked,
  type CheckParts,
  checkPassword,
  type Tried,
} from './passwords/check-password.ts'
export { PasswordHasher } from './passwords/hashing.ts'
export {
  longest as longestPassword,
  passwordProblem,
  shortest as shortestPassword,
} from './passwords/password.ts'
export { type OpenLink, openLink } from './resets/links.ts'
export { authenticateSessions } from './sessions/authenticate-session.ts'
export { sessionCookieName } from './sessions/session-cookie.ts'
export { beginSession, sessionPrefix } from './sessions/sessions.ts'

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
/** Operations that the password pages call. */
export { confirmPasswordReset, requestPasswordReset }
export const jobs = [answerResetRequests, flushSessionUsesJob]
