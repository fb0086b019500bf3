// Emails about sign-ups, pure. Those to an unverified address have no text of the caller's.
import { button, code, type EmailMessage, paragraph, words } from '../mail/index.ts'

type SignUpFacts = { id: string; expires_at: Date }

/** Code and link that verify the address. */
export function verificationEmail(
  { id, expires_at }: SignUpFacts,
  secrets: { code: string; url: string },
): EmailMessage {
  return {
    kind: 'sign_up',
    dedupe_key: `sign_up:${id}:${expires_at.toISOString()}`,
    request_id: id,
    subject: words`Verify your email address`,
    happened: [
      paragraph(
        words`To create your account, enter this code on the sign-up page,`,
        words`or open the link below it.`,
      ),
      code(secrets.code),
      button(words`Verify your email address`, secrets.url),
      paragraph(
        words`The code and the link work once, for ten minutes.`,
        words`If you ask for another mail, use the newest one.`,
      ),
    ],
    todo: [
      paragraph(
        words`If you did not sign up, ignore this mail and do not open the link:`,
        words`no account is created then. Never share the code.`,
      ),
    ],
  }
}

/** To the owner of the account that has the address already. */
export function accountExistsEmail(
  { id, expires_at }: SignUpFacts,
  base_url: string,
): EmailMessage {
  return {
    kind: 'sign_up_known',
    dedupe_key: `sign_up:${id}:${expires_at.toISOString()}`,
    request_id: id,
    subject: words`You already have an account`,
    happened: [words`Somebody signed up with your email address, which already has an account.`],
    todo: [
      paragraph(
        words`If this was you, log in as usual.`,
        words`If you have no password, or do not remember it, set a new one.`,
      ),
      button(words`Set a new password`, `${base_url}/password/forgotten`),
      words`If this was not you, ignore this mail: nothing has changed.`,
    ],
  }
}
