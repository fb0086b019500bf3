// Sign-in: passwords, sessions and password resets of account owners.

import { updateAccount } from './email-changes/update-account.ts'
import { verifyNewEmail } from './email-changes/verify-email.ts'
import { listPasskeys, removePasskey } from './passkeys/manage-passkeys.ts'
import { beginPasskeyLogIn, logInWithPasskey } from './passkeys/passkey-log-in.ts'
import { beginPasskeyRegistration, registerPasskey } from './passkeys/register-passkey.ts'
import { changePassword } from './password-changes/change-password.ts'
import { confirmPasswordReset } from './password-changes/confirm-reset.ts'
import { requestPasswordReset } from './password-changes/request-reset.ts'
import { answerResetRequests } from './password-changes/send-resets.job.ts'
import { sendPasswordSetup } from './password-changes/send-setup.ts'
import { endSession, logOut } from './sessions/end-session.ts'
import { listSessions } from './sessions/list-sessions.ts'
import { logIn } from './sessions/log-in.ts'

export {
  linkCodeBuckets,
  linkMailBuckets,
  operatorLogInBuckets,
  resend_s,
  signUpBuckets,
  signUpCodeBuckets,
  signUpMailBuckets,
  ssoStartBuckets,
} from './brute-force-limits.ts'
export {
  accountClosed,
  lastLogIn,
  signInBusy,
  tooManyTries,
  wrongPassword,
} from './faults.ts'
export { mailRequestJob } from './mail-requests.ts'
export {
  codeOrToken,
  codeOrTokenFields,
  macOf,
  mailedCode,
  newCode,
  requestOfCode,
} from './mailed-codes.ts'
export { type OpenLink, openLink } from './password-changes/links.ts'
export { hashForNetwork, putFirstPassword, putKnownPlace } from './password-changes/set-password.ts'
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
export { emailField, givenPassword, newPassword, requireAcceptablePassword } from './schemas.ts'
export { authenticateSessions, explainSessions } from './sessions/authenticate-session.ts'
export { logInReply } from './sessions/log-in-reply.ts'
export {
  hasBrowserMailbox,
  rememberRequest,
  requestsOfBrowser,
} from './sessions/mailbox-cookie.ts'
export { removingCredential } from './sessions/removing-credential.ts'
export {
  consentCookies,
  giveSession,
  hostCookieName,
  loggedOutReply,
  sessionCookieName,
  sessionField,
  sessionGiven,
} from './sessions/session-cookie.ts'
export { beginSession, endSessions, sessionPrefix } from './sessions/sessions.ts'

export const operations = [
  logIn,
  logOut,
  requestPasswordReset,
  confirmPasswordReset,
  listSessions,
  endSession,
  changePassword,
  updateAccount,
  verifyNewEmail,
  sendPasswordSetup,
  beginPasskeyLogIn,
  logInWithPasskey,
  beginPasskeyRegistration,
  registerPasskey,
  listPasskeys,
  removePasskey,
]
/** Operations that pages without scripts call. */
export { confirmPasswordReset, logIn, logInWithPasskey, requestPasswordReset }
export const jobs = [answerResetRequests]
