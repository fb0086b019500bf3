// Emails to owners about their password. Pure.
import type { CustomerId } from '../../kit/random.ts'
import { button, code, type EmailMessage, link, paragraph, words } from '../mail/index.ts'

type SetupFacts = { id: string; url: string }

/** Sends the link to set a password, on behalf of an operator. */
export function setupEmail({ id, url }: SetupFacts): EmailMessage {
  return {
    kind: 'password_setup',
    dedupe_key: `password_setup:${id}`,
    subject: words`Set your password`,
    happened: [
      words`An operator of this service sent you a link to set the password of your account.`,
      button(words`Set your password`, url),
      words`The link works once, for 24 hours. Earlier links no longer work.`,
    ],
    todo: [
      words`If you did not expect this mail, ignore it. Nothing changes unless you open the link.`,
    ],
  }
}

type ResetFacts = SetupFacts & { code: string }

/** Sends the code and the link for a password reset. */
export function resetEmail({ id, url, code: value }: ResetFacts): EmailMessage {
  return {
    kind: 'password_reset',
    dedupe_key: `password_reset:${id}`,
    request_id: id,
    subject: words`Reset your password`,
    happened: [
      paragraph(
        words`We received a request to reset the password of your account.`,
        words`Enter this code on the page where you asked for it, or open the link below it.`,
      ),
      code(value),
      button(words`Reset your password`, url),
      words`The code and the link work once, for ten minutes.`,
    ],
    todo: [
      paragraph(
        words`If you did not ask for it, you can ignore this mail. Nothing changes.`,
        words`Never share the code.`,
      ),
    ],
  }
}

type ChangedFacts = { customer_id: CustomerId; at: Date; base_url: string; site_url: string }

/** Confirms every password change. */
export function changedEmail({ customer_id, at, base_url, site_url }: ChangedFacts): EmailMessage {
  const when = at.toISOString()
  return {
    kind: 'password_changed',
    dedupe_key: `password_changed:${customer_id}:${when}`,
    subject: words`Your password was changed`,
    happened: [
      words`The password of your account was changed at ${timeOf(at)}.`,
      paragraph(
        words`Other sessions have ended, and connected programs no longer have access.`,
        words`API keys still work.`,
      ),
    ],
    todo: [
      words`If this was you, you do not need to do anything.`,
      paragraph(
        words`If this was not you, reset your password now.`,
        words`Then revoke your API keys and contact us: ${link(site_url)}`,
      ),
      button(words`Reset your password`, `${base_url}/password/forgotten`),
    ],
  }
}

type PasskeyFacts = {
  id: bigint
  at: Date
  done: 'added' | 'removed'
  settings: { base_url: string; site_url: string }
}

/** Notifies the owner of a passkey that was registered or removed. */
export function passkeyEmail({ id, at, done, settings }: PasskeyFacts): EmailMessage {
  const { base_url, site_url } = settings
  return {
    kind: `passkey_${done}`,
    dedupe_key: `passkey_${done}:${id}`,
    subject: done === 'added' ? words`A passkey was added` : words`A passkey was removed`,
    happened: [
      done === 'added'
        ? words`A passkey was added to your account at ${timeOf(at)}. It can be used to log in.`
        : words`A passkey was removed from your account at ${timeOf(at)}.`,
    ],
    todo: [
      words`If this was you, you do not need to do anything.`,
      paragraph(
        words`If this was not you, reset your password now.`,
        words`Then remove passkeys that you do not recognize, and contact us: ${link(site_url)}`,
      ),
      button(words`Reset your password`, `${base_url}/password/forgotten`),
    ],
  }
}

/** The time to the minute, as people read it. */
function timeOf(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
