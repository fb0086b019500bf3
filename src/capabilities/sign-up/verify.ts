// Sign-up, second step: creates the account with the code or the link's token, and logs its owner
// in.
import Type from 'typebox'
import { type App, anyone, type Call, operation } from '../../app.ts'
import { hashSecret, isWellFormedSecret } from '../../kit/random.ts'
import {
  codeOrToken,
  codeOrTokenFields,
  requestOfCode,
  sessionField,
  signUpCodeBuckets,
  tooManyTries,
} from '../sign-in/index.ts'
import { signUpTokenPrefix } from './answer-sign-ups.job.ts'
import { createAccount, dashboardRegisterResponse } from './create-account.ts'
import { accountExists, codeNotValid, invitationNeeded, signUpClosed } from './faults.ts'
import { requireSignUp, signUpId } from './sign-up-request.ts'
import { signUpOfToken, trySignUpCode, uncountSignUpAttempt, useSignUp } from './sign-ups.sql.ts'

const takes = Type.Object(
  {
    signup_id: Type.Optional(signUpId),
    ...codeOrTokenFields,
    ...sessionField.takes,
  },
  { title: 'DashboardSignupVerifyRequest' },
)

export const verifySignUp = operation({
  name: 'verify_sign_up',
  does: 'Create the account of a sign-up with the mailed code or link, and log in.',
  more:
    'Send either "signup_id" and "code", or "token". If the response is lost, send it again: 409 ' +
    'account_exists means that the account exists. Log in with the password of the sign-up ' +
    'then.',
  at: 'POST /v1/dashboard/register/verify',
  area: 'Dashboard',
  who: anyone(),
  takes,
  in: sessionField.in,
  gives: dashboardRegisterResponse,
  status: 201,
  fails: [signUpClosed, invitationNeeded, codeNotValid, accountExists, tooManyTries],
  effect: 'own',
  async run(input, call, app) {
    requireSignUp(app)
    const shown = codeOrToken({ ...input, id: input.signup_id }, 'signup_id')
    const found =
      'token' in shown ? await signUpOfLink(app, shown.token) : await signUpOfCode(app, call, shown)
    if (!found) throw codeNotValid()
    if (found.used_at !== null) throw accountExists()
    const by = 'token' in shown ? 'link' : 'mailed_digits'
    return app.db.transaction(async (sql) => {
      const used = await sql.maybe(useSignUp, { id: found.id, used_at: app.clock.now() })
      if (!used?.password_hash) throw accountExists()
      const { password_hash } = used
      const audit = { action: 'verify_sign_up', status_code: 201, metadata: { by } }
      const account = { ...used, password_hash, x_session: input.x_session, audit }
      const made = await createAccount(app, { ...call, sql }, account)
      // Another sign-up or an operator was faster; the caller has proven the address.
      if (!made) throw accountExists()
      return made.reply
    })
  },
})

export async function signUpOfLink({ db, clock }: Pick<App, 'db' | 'clock'>, token: string) {
  if (!isWellFormedSecret(signUpTokenPrefix, token)) return undefined
  return db.maybe(signUpOfToken, { token_hash: hashSecret(token), now: clock.now() })
}

/** Fails in the same way for a sign-up whose address has an account. */
function signUpOfCode(app: App, { address }: Call, shown: { id: string; code: string }) {
  const { id } = shown
  return requestOfCode(app, shown, {
    count: () => app.db.maybe(trySignUpCode, { id, now: app.clock.now() }),
    uncount: () => app.db.count(uncountSignUpAttempt, { id }),
    bucketsOf: ({ email }) => signUpCodeBuckets({ email, address }),
  })
}
