// Emails about the status of an account, pure.
import { type EmailMessage, link, paragraph, words } from '../mail/index.ts'

type About = { id: string; at: Date; site_url: string }

const key = (kind: string, { id, at }: About) => `${kind}:${id}:${at.toISOString()}`

export function suspendedEmail(about: About, reason: string): EmailMessage {
  return {
    kind: 'account_suspended',
    dedupe_key: key('account_suspended', about),
    subject: words`Your account is suspended`,
    happened: [
      words`An operator of this service suspended your account. The reason it gave: ${reason}`,
      paragraph(
        words`You can still log in, read everything and export your data.`,
        words`Nothing can be bought or changed.`,
        words`Your domains keep working, and automatic renewals continue from your balance.`,
      ),
    ],
    todo: [words`Contact support, who can resume it: ${link(about.site_url)}`],
  }
}

export function resumedEmail(about: About, was: 'suspended' | 'closed'): EmailMessage {
  const again = words`Your account is active again, and everything works as before.`
  return {
    kind: 'account_resumed',
    dedupe_key: key('account_resumed', about),
    subject: words`Your account is active again`,
    happened: [
      was === 'suspended'
        ? again
        : words`Your account is open again. Its API keys and connected apps stay revoked.`,
    ],
    todo: [words`Log in as before: ${link(about.site_url)}`],
  }
}

export function closedEmail(about: About, by: 'owner' | 'operator'): EmailMessage {
  return {
    kind: 'account_closed',
    dedupe_key: key('account_closed', about),
    subject: words`Your account is closed`,
    happened: [
      by === 'owner'
        ? words`You closed your account.`
        : words`An operator of this service closed your account.`,
      words`Sessions, API keys and connected apps of the account no longer work.`,
      words`Invoices and the audit log are kept for as long as the law requires.`,
    ],
    todo: [
      words`If this is a mistake, write to us, and we can open it again: ${link(about.site_url)}`,
    ],
  }
}
