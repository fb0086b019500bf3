// Emails about sign-ups. Pure. Mails to an unverified address contain no text of the caller.
import { button, code, type EmailMessage, paragraph, words } from '../mail/index.ts'

type SignUpFacts = { id: string; expires_at: Date }

/** Sends the code and the link that verify the address. */
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
        words`If you did not sign up, ignore this mail and do not open the link. No account is`,
        words`created then. Never share the code.`,
      ),
    ],
  }
}

/** Notifies the owner of the account that already has the address. */
export function accountExistsEmail(
  { id, expires_at }: SignUpFacts,
  base_url: string,
): EmailMessage {
  return {
    kind: 'sign_up_known',
    dedupe_key: `sign_up:${id}:${expires_at.toISOString()}`,
    request_id: id,
    subject: words`You already have an account`,
    happened: [words`Someone signed up with your email address, which already has an account.`],
    todo: [
      paragraph(
        words`If this was you, log in as usual.`,
        words`If you have no password or have forgotten it, set a new one.`,
      ),
      button(words`Set a new password`, `${base_url}/password/forgotten`),
      words`If this was not you, you can ignore this mail. Nothing has changed.`,
    ],
  }
}
