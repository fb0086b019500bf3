// Emails to owners about linked identities. Pure.
import { type EmailMessage, paragraph, words } from '../mail/index.ts'

type Roots = { base_url: string; site_url: string }
type IdentityFacts = {
  id: bigint
  provider_name: string
  done: 'linked' | 'removed'
  at: Date
  settings: Roots
}

/** Notifies the owner of an identity that was linked or removed. */
export function identityEmail({ id, provider_name, done, at, settings }: IdentityFacts) {
  const { base_url, site_url } = settings
  const when = at.toISOString()
  const message: EmailMessage = {
    kind: `identity_${done}`,
    dedupe_key: `identity_${done}:${id}`,
    subject:
      done === 'linked'
        ? words`${provider_name} can log in to your account`
        : words`${provider_name} was removed from your account`,
    happened: [
      done === 'linked'
        ? paragraph(
            words`An account at ${provider_name} was linked to yours at ${when}.`,
            words`It can be used to log in.`,
          )
        : words`An account at ${provider_name} was removed from yours at ${when}.`,
    ],
    todo: [
      paragraph(
        words`If this was not you, reset your password now:`,
        words`${base_url}/password/forgotten`,
      ),
      words`Then remove identities that you do not recognize, and contact us: ${site_url}`,
    ],
  }
  return message
}

type CodeFacts = { id: string; code: string; provider_name: string; expires_at: Date }

/** Sends the code that links an identity to the account. */
export function linkCodeEmail({ id, code, provider_name, expires_at }: CodeFacts): EmailMessage {
  return {
    kind: 'identity_code',
    dedupe_key: `identity_code:${id}:${expires_at.toISOString()}`,
    request_id: id,
    subject: words`Link ${provider_name} to your account`,
    happened: [
      words`Someone logged in at ${provider_name} with your email address. To link that`,
      words`account to yours, so that it can log in here, enter this code:`,
      words`${code}`,
      words`The code works once, for ten minutes.`,
    ],
    todo: [words`If this was not you, ignore this mail. Nothing is linked. Never share the code.`],
  }
}
