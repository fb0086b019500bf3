// Sign-up: accounts that people create by verifying an e-mail address, and the dashboard's facts.
import { answerSignUps } from './answer-sign-ups.job.ts'
import { getDashboardConfig, rotateDashboardKey } from './dashboard-config.ts'
import { readSignUpLink } from './read-link.ts'
import { resendSignUp } from './resend.ts'
import { signUp } from './sign-up.ts'
import { getSignUpConfig } from './sign-up-config.ts'
import { verifySignUp } from './verify.ts'

export { createAccount, dashboardRegisterResponse } from './create-account.ts'
export { accountExists, codeNotValid, invitationNeeded, signUpClosed } from './faults.ts'
export { code_ms, requireSignUp } from './sign-up-request.ts'
/** Operations that pages without scripts call. */
export { resendSignUp, signUp, verifySignUp }

export const operations = [
  getSignUpConfig,
  signUp,
  resendSignUp,
  readSignUpLink,
  verifySignUp,
  getDashboardConfig,
  rotateDashboardKey,
]
export const jobs = [answerSignUps]
