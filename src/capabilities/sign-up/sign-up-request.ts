// The request of a sign-up for its mail: whether the service takes sign-ups, times, and the
// response, which is the same for every address.
import Type, { type Static } from 'typebox'
import type { App } from '../../app.ts'
import { dateTime } from '../../kit/schema.ts'
import { resend_s } from '../sign-in/index.ts'
import { invitationNeeded, signUpClosed } from './faults.ts'

const minute_ms = 60_000
/** A code can be guessed, so it is valid for ten minutes, as is the link beside it. */
export const code_ms = 10 * minute_ms
/** How long another mail may be requested. */
export const open_ms = 24 * 60 * minute_ms

export const signUpStart = Type.Object(
  {
    signup_id: Type.String({ description: 'Send it with the code to verify.' }),
    email: Type.String({ description: 'Where the mail goes.' }),
    expires_at: dateTime('When the code and the link of the mail expire.'),
    resend_after: dateTime('When another mail may be requested.'),
  },
  { title: 'DashboardSignupStartResponse' },
)

/** The response to a request of this moment. */
export function startOf(
  { id, email }: { id: string; email: string },
  now: Date,
): Static<typeof signUpStart> {
  const after = (ms: number) => new Date(now.getTime() + ms).toISOString()
  const resend_after = after(resend_s * 1_000)
  return { signup_id: id, email, expires_at: after(code_ms), resend_after }
}

export const signUpId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'As the sign-up returned it.',
})

/** Throws signUpClosed or invitationNeeded where people may not sign up. */
export function requireSignUp({ settings }: Pick<App, 'settings'>): void {
  if (settings.sign_up === 'closed') throw signUpClosed()
  if (settings.sign_up === 'invite') throw invitationNeeded()
}
