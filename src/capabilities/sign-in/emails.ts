// What owners are told about their password, pure.
import { type EmailMessage, paragraph, words } from '../mail/index.ts'

type SetupFacts = { id: string; url: string }

/** The way to the first password, or to a new one, which an operator started. */
export function setupEmail({ id, url }: SetupFacts): EmailMessage {
  return {
    kind: 'password_setup',
    dedupe_key: `password_setup:${id}`,
    subject: words`Set the password of your account`,
    happened: [
      words`An operator of this service sends you a link to set the password of your account:`,
      words`${url}`,
      words`It works once, and for 24 hours. An earlier link of this kind works no more.`,
    ],
    todo: [words`If you expect no such mail, do nothing: without the link nothing changes.`],
  }
}

type ResetFacts = SetupFacts & { code: string }

/** Code and link to whoever asked for a new password. */
export function resetEmail({ id, url, code }: ResetFacts): EmailMessage {
  return {
    kind: 'password_reset',
    dedupe_key: `password_reset:${id}`,
    subject: words`Your code for a new password`,
    happened: [
      words`Somebody asked for a new password for your account. The code is`,
      words`${code}`,
      words`Or open this link:`,
      words`${url}`,
      words`Both work for ten minutes, and one of them once.`,
    ],
    todo: [
      words`If it was not you, do nothing: your password stays as it is. Give the code to nobody.`,
    ],
  }
}

type ChangedFacts = { customer_id: string; at: Date; base_url: string; site_url: string }

/** After each change, whoever made it. */
export function changedEmail({ customer_id, at, base_url, site_url }: ChangedFacts): EmailMessage {
  const when = at.toISOString()
  return {
    kind: 'password_changed',
    dedupe_key: `password_changed:${customer_id}:${when}`,
    subject: words`The password of your account was changed`,
    happened: [
      words`The password of your account was set at ${when}.`,
      paragraph(
        words`Other log-ins have ended, and so has the access of programs that you connected.`,
        words`API keys go on working.`,
      ),
    ],
    todo: [
      paragraph(
        words`If it was not you, set a new password at once:`,
        words`${base_url}/password/forgotten`,
      ),
      words`Then revoke your API keys, and tell us: ${site_url}`,
    ],
  }
}
