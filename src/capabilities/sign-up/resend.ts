// Requests another mail of a sign-up, with a new code and link.
import Type from 'typebox'
import { anyone, operation } from '../../app.ts'
import { admit } from '../../rate-limits/leaky-buckets.ts'
import { signUpBuckets, tooManyTries } from '../sign-in/index.ts'
import { invitationNeeded, signUpClosed, signUpNotFound } from './faults.ts'
import { open_ms, requireSignUp, signUpId, signUpStart, startOf } from './sign-up-request.ts'
import { notifySignUps, openSignUp, requestAnotherMail } from './sign-ups.sql.ts'

export const resendSignUp = operation({
  name: 'resend_sign_up',
  does: 'Request another mail of a sign-up.',
  more:
    'Its code and link replace the earlier ones. An address gets ten mails at once and a few an ' +
    'hour, whatever their origin; beyond that the earlier mail stays valid. A sign-up can be ' +
    'resent for a day.',
  at: 'POST /v1/dashboard/register/resend',
  area: 'Dashboard',
  who: anyone(),
  takes: Type.Object({ signup_id: signUpId }, { title: 'DashboardSignupResendRequest' }),
  gives: signUpStart,
  status: 202,
  fails: [signUpClosed, invitationNeeded, signUpNotFound, tooManyTries],
  effect: 'transaction',
  target: ({ signup_id }) => ({
    target_type: 'sign_up',
    target: signup_id,
    // The row is in no customer's audit log, since the caller is anonymous.
    customer_id: null,
  }),
  async run({ signup_id }, { sql, address }, app) {
    requireSignUp(app)
    const now = app.clock.now()
    const since = new Date(now.getTime() - open_ms)
    const open = await sql.maybe(openSignUp, { id: signup_id, since })
    if (!open) throw signUpNotFound()
    const { email } = open
    const { wait_s } = await admit(sql, signUpBuckets({ email, address }))
    if (wait_s > 0) throw tooManyTries({ retry_after_s: wait_s })
    const start = startOf({ id: signup_id, email }, now)
    const expires_at = new Date(start.expires_at)
    const requested = await sql.count(requestAnotherMail, { id: signup_id, expires_at, address })
    // The sign-up was verified meanwhile.
    if (requested === 0) throw signUpNotFound()
    await sql.one(notifySignUps)
    return start
  },
})
