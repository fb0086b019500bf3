// Emails about sign-ups, pure. Those to an unverified address have no text of the caller's.
import { type EmailMessage, paragraph, words } from '../mail/index.ts'

type SignUpFacts = { id: string; expires_at: Date }

/** Code and link that verify the address. */
export function verificationEmail(
  { id, expires_at }: SignUpFacts,
  { code, url }: { code: string; url: string },
): EmailMessage {
  return {
    kind: 'sign_up',
    dedupe_key: `sign_up:${id}:${expires_at.toISOString()}`,
    subject: words`Verify your e-mail address`,
    happened: [
      words`Somebody signed up here with this e-mail address. The code to create the account is`,
      words`${code}`,
      words`Or open this link:`,
      words`${url}`,
      words`They work once, for ten minutes. Another mail replaces them.`,
    ],
    todo: [
      paragraph(
        words`If this was not you, do not open the link: no account is created then.`,
        words`Never share the code.`,
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
    subject: words`You already have an account`,
    happened: [
      words`Somebody tried to sign up with your e-mail address, which has an account already.`,
    ],
    todo: [
      paragraph(
        words`If this was you, log in. If you have no password, or do not remember it, set one:`,
        words`${base_url}/password/forgotten`,
      ),
      words`If this was not you, ignore this mail: nothing has changed.`,
    ],
  }
}
