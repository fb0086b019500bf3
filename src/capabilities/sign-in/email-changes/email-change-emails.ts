// Emails about a change of the e-mail address, pure.
import { type EmailMessage, paragraph, words } from '../../mail/index.ts'

/** To the new address: the link that verifies it. */
export function verifyAddressEmail({ id, url }: { id: string; url: string }): EmailMessage {
  return {
    kind: 'email_change',
    dedupe_key: `email_change:${id}`,
    subject: words`Verify your new e-mail address`,
    happened: [
      words`An account here is to use this e-mail address. To verify it, open this link:`,
      words`${url}`,
      words`It works once, for 24 hours, while the account's owner is logged in.`,
    ],
    todo: [words`If this was not you, ignore this mail: nothing will change.`],
  }
}

/** To the same address, where another account has it. */
export function addressTakenEmail(id: string): EmailMessage {
  return {
    kind: 'email_change_taken',
    dedupe_key: `email_change:${id}`,
    subject: words`This e-mail address has an account already`,
    happened: [
      words`Another account here was to use this e-mail address, which has an account already.`,
    ],
    todo: [
      words`If this was you, log in to that account, or choose another address.`,
      words`If this was not you, ignore this mail: nothing has changed.`,
    ],
  }
}

type ChangeFacts = { id: string; email: string; base_url: string; site_url: string }

/** To the address of the account, when a change was requested. */
export function changeRequestedEmail(facts: ChangeFacts): EmailMessage {
  return {
    kind: 'email_change_requested',
    dedupe_key: `email_change_requested:${facts.id}`,
    subject: words`Your e-mail address is to be changed`,
    happened: [
      words`The e-mail address of your account is to be changed to ${facts.email}.`,
      words`It changes once the new address has been verified.`,
    ],
    todo: [ifNotYou(facts)],
  }
}

/** To the old address, when the new one counts. */
export function addressChangedEmail(facts: ChangeFacts): EmailMessage {
  return {
    kind: 'email_changed',
    dedupe_key: `email_changed:${facts.id}`,
    subject: words`Your e-mail address was changed`,
    happened: [
      words`The e-mail address of your account is now ${facts.email}.`,
      words`This is the last mail to the old one.`,
    ],
    todo: [words`If this was not you, contact us at once: ${facts.site_url}`],
  }
}

function ifNotYou({ base_url, site_url }: ChangeFacts) {
  return paragraph(
    words`If this was not you, reset your password now, which ends all sessions and this change:`,
    words`${base_url}/password/forgotten`,
    words`Then contact us: ${site_url}`,
  )
}
