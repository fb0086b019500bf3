// Sign-up, second step: creates the account with the code or the link's token, and logs its owner
// in.
import Type, { type Static } from 'typebox'
import { type App, anyone, type Call, operation } from '../../app.ts'
import { InvalidInput } from '../../kit/fault.ts'
import { hashSecret, isWellFormedSecret } from '../../kit/random.ts'
import { giveBack, take } from '../../rate-limits/leaky-buckets.ts'
import { isCode, macOf, sessionField, signUpCodeBuckets, tooManyTries } from '../sign-in/index.ts'
import { signUpTokenPrefix } from './answer-sign-ups.job.ts'
import { createAccount, dashboardRegisterResponse } from './create-account.ts'
import { accountExists, codeNotValid, invitationNeeded, signUpClosed } from './faults.ts'
import { requireSignUp, signUpId } from './sign-up-request.ts'
import { signUpOfToken, takeSignUpTryBack, trySignUpCode, useSignUp } from './sign-ups.sql.ts'

const takes = Type.Object({
  signup_id: Type.Optional(signUpId),
  code: Type.Optional(
    Type.String({ pattern: '^[0-9]{6}$', description: 'The six digits of its mail.' }),
  ),
  token: Type.Optional(
    Type.String({
      minLength: 20,
      maxLength: 512,
      description: 'The token of the mailed link, in place of both.',
    }),
  ),
  ...sessionField.takes,
})
type Input = Static<typeof takes>

export const verifySignUp = operation({
  name: 'verify_sign_up',
  does: 'Create the account of a sign-up with the mailed code or link, and log in.',
  more:
    'Either "signup_id" and "code", or "token". If the response is lost, send it again: 409 ' +
    'account_exists says that the account is there. Log in with the password of the sign-up then.',
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
    const shown = shownOf(input)
    const found =
      'token' in shown ? await signUpOfLink(app, shown.token) : await tried(app, call, shown)
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

type Shown = { token: string } | { id: string; code: string }
type Found = { id: string; used_at: Date | null }

/** Throws InvalidInput unless exactly one of the two ways is given, complete. */
function shownOf({ token, signup_id, code }: Input): Shown {
  if (token !== undefined && signup_id === undefined && code === undefined) return { token }
  if (token === undefined && signup_id !== undefined && code !== undefined)
    return { id: signup_id, code }
  const msg = 'Either "token", or both "signup_id" and "code" are needed'
  throw new InvalidInput([{ path: [], msg, type: 'value_error' }])
}

export async function signUpOfLink({ db, clock }: Pick<App, 'db' | 'clock'>, token: string) {
  if (!isWellFormedSecret(signUpTokenPrefix, token)) return undefined
  return db.maybe(signUpOfToken, { token_hash: hashSecret(token), now: clock.now() })
}

/**
 * The sign-up that the code belongs to. Counted before it is checked, and alike for one whose
 * address has an account. Throws tooManyTries.
 */
async function tried(
  app: App,
  { address }: Call,
  { id, code }: { id: string; code: string },
): Promise<Found | undefined> {
  const found = await app.db.maybe(trySignUpCode, { id, now: app.clock.now() })
  const mac = macOf(app, { id, code })
  if (!found) return undefined
  const buckets = signUpCodeBuckets({ email: found.email, address })
  const wait_s = await take(app.db, buckets)
  if (wait_s > 0) {
    await app.db.count(takeSignUpTryBack, { id })
    throw tooManyTries({ retry_after_s: wait_s })
  }
  if (!isCode(found.code_mac, mac)) return undefined
  await giveBack(app.db, buckets)
  await app.db.count(takeSignUpTryBack, { id })
  return found
}
