// Password reset, first step. The response and the work are the same whether or not an account has
// the address: it is not looked up here, but by the job (send-resets.job.ts).
import Type from 'typebox'
import { anyone, operation, Reply } from '../../../app.ts'
import { FieldReader } from '../../../kit/field-reader.ts'
import { newId } from '../../../kit/random.ts'
import { dateTime } from '../../../kit/schema.ts'
import { admit } from '../../../rate-limits/leaky-buckets.ts'
import { resend_s, resetBuckets } from '../brute-force-limits.ts'
import { tooManyTries } from '../faults.ts'
import { emailField } from '../schemas.ts'
import { rememberRequest } from '../sessions/mailbox-cookie.ts'
import { insertReset, notifyLinks } from './links.sql.ts'
import { reset_ms } from './links.ts'

export const requestPasswordReset = operation({
  name: 'request_password_reset',
  does: 'Request a mail with a code and a link to set a new password.',
  more:
    'The answer is the same whether or not an account has that address. The code is valid for ' +
    'this request only, for ten minutes and five attempts. An account gets ten mails at once and ' +
    'a few an hour, whatever their origin.',
  at: 'POST /v1/dashboard/password-reset',
  area: 'Dashboard',
  who: anyone(),
  takes: Type.Object({ email: emailField }, { title: 'DashboardPasswordResetRequest' }),
  gives: Type.Object(
    {
      reset_id: Type.String({
        description: 'The id of the request, which is sent with the code to confirm it.',
      }),
      email: Type.String({
        description: 'The address that the mail goes to, if an account has it.',
      }),
      expires_at: dateTime('When the code and the link expire.'),
      resend_after: dateTime('When another mail may be requested.'),
    },
    { title: 'DashboardPasswordResetRequestResponse' },
  ),
  fails: [tooManyTries],
  effect: 'transaction',
  target: (_input, output) => ({
    target_type: 'password_link',
    target: output?.reset_id ?? null,
    // The row is in no customer's audit log, since the caller is anonymous and the address is not
    // looked up here.
    customer_id: null,
  }),
  async run(input, call, app) {
    const reading = new FieldReader()
    const email = reading.email('email', input.email)
    reading.finish()
    const key = email.toLowerCase()
    const { address } = call
    const { wait_s } = await admit(call.sql, resetBuckets({ email: key, address }))
    if (wait_s > 0) throw tooManyTries({ retry_after_s: wait_s })
    const now = app.clock.now()
    const after = (ms: number) => new Date(now.getTime() + ms)
    const reset_id = newId('pwl', now.getTime())
    const expires_at = after(reset_ms)
    await call.sql.count(insertReset, {
      id: reset_id,
      email: key,
      created_at: now,
      expires_at,
      address,
    })
    await call.sql.one(notifyLinks)
    const resend_after = after(resend_s * 1_000).toISOString()
    const body = { reset_id, email, expires_at: expires_at.toISOString(), resend_after }
    return new Reply(body, rememberRequest(app, call, reset_id))
  },
})
