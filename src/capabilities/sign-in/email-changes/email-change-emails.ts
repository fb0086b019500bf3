// Emails about a change of the email address. Pure.
import { button, type EmailMessage, link, paragraph, words } from '../../mail/index.ts'

/** Sends the new address the link that verifies it. */
export function verifyAddressEmail({ id, url }: { id: string; url: string }): EmailMessage {
  return {
    kind: 'email_change',
    dedupe_key: `email_change:${id}`,
    request_id: id,
    subject: words`Verify your new email address`,
    happened: [
      words`This email address was entered as the new address of an account.`,
      button(words`Verify this address`, url),
      paragraph(
        words`The link works once, for 24 hours.`,
        words`Open it in the browser in which you are logged in.`,
      ),
    ],
    todo: [words`If you did not ask for this, you can ignore this mail. Nothing changes.`],
  }
}

/** Sent to the same address in place of the link, if another account has it. */
export function addressTakenEmail(id: string): EmailMessage {
  return {
    kind: 'email_change_taken',
    dedupe_key: `email_change:${id}`,
    request_id: id,
    subject: words`This email address already has an account`,
    happened: [
      paragraph(
        words`Someone asked to use this email address for another account,`,
        words`but it already has an account.`,
      ),
    ],
    todo: [
      words`If this was you, log in to the account with this address, or choose another address.`,
      words`If this was not you, you can ignore this mail. Nothing has changed.`,
    ],
  }
}

type ChangeFacts = { id: string; email: string; base_url: string; site_url: string }

/** Sent to the address of the account when a change was requested. */
export function changeRequestedEmail(facts: ChangeFacts): EmailMessage {
  return {
    kind: 'email_change_requested',
    dedupe_key: `email_change_requested:${facts.id}`,
    subject: words`Your email address is about to change`,
    happened: [
      paragraph(
        words`Someone asked to change the email address of your account to ${facts.email}.`,
        words`The change takes effect once the new address has been verified.`,
      ),
    ],
    todo: ifNotYou(facts),
  }
}

/** Sent to the old address once the new one has replaced it. */
export function addressChangedEmail(facts: ChangeFacts): EmailMessage {
  return {
    kind: 'email_changed',
    dedupe_key: `email_changed:${facts.id}`,
    subject: words`Your email address was changed`,
    happened: [
      paragraph(
        words`The email address of your account is now ${facts.email}.`,
        words`This is the last mail to the old one.`,
      ),
    ],
    todo: [
      words`If this was you, you do not need to do anything.`,
      words`If this was not you, contact us immediately: ${link(facts.site_url)}`,
    ],
  }
}

function ifNotYou({ base_url, site_url }: ChangeFacts) {
  return [
    words`If this was you, you do not need to do anything here.`,
    paragraph(
      words`If this was not you, reset your password now. That ends all sessions and`,
      words`cancels the change. Then contact us: ${link(site_url)}`,
    ),
    button(words`Reset your password`, `${base_url}/password/forgotten`),
  ]
}
