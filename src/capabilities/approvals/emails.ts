// Email to an owner about a request that waits for approval. Pure.
import type { CustomerId } from '../../kit/random.ts'
import { button, type EmailMessage, paragraph, words } from '../mail/index.ts'
import type { Approval } from './approval.ts'

const actionWords: Readonly<Record<string, string>> = {
  register_domain: 'register',
  renew_domain: 'renew',
  transfer_domain: 'transfer to this account',
  restore_domain: 'restore',
}

const verbOf = (action: string) => actionWords[action] ?? action.replaceAll('_', ' ')

/** The title of the mail, and of the notification in a browser. */
export function requestTitle({ action, domain }: Pick<Approval, 'action' | 'domain'>) {
  return words`Approve or decline: ${verbOf(action)} ${domain}`
}

/**
 * The mail only links to the request in the dashboard; nothing can be approved by the mail itself.
 */
export function approvalRequestEmail(approval: Approval): EmailMessage {
  const { id, action, domain, highest_price, asked_by, expires_at, url } = approval
  const verb = verbOf(action)
  const price = highest_price && `${highest_price.amount} ${highest_price.currency}`
  return {
    kind: 'approval_requested',
    dedupe_key: `approval_requested:${id}`,
    subject: requestTitle(approval),
    happened: [
      paragraph(
        words`${asked_by.of === 'app' ? 'The app' : 'The API key'} "${asked_by.name}" asks`,
        words`for your approval to ${verb} ${domain}.`,
        ...(price ? [words`It would cost at most ${price}.`] : []),
      ),
    ],
    todo: [
      button(words`Open the request`, url),
      paragraph(
        words`Nothing happens until you approve it there, in your own session.`,
        words`If it is not answered, it expires on ${expires_at.slice(0, 10)}.`,
      ),
    ],
  }
}

type SettingsChanged = {
  customer_id: CustomerId
  at: Date
  above: { amount: string; currency: string } | null
}

/** A session that was found open could approve more after it, so the owner is notified. */
export function settingsChangedEmail(changed: SettingsChanged, dashboard: string): EmailMessage {
  const { customer_id, at, above } = changed
  const when = at.toISOString()
  return {
    kind: 'approval_settings_changed',
    dedupe_key: `approval_settings_changed:${customer_id}:${when}`,
    subject: words`The amount above which approving needs a fresh log-in was changed`,
    happened: [
      above === null
        ? words`From now on, approving a request with a price never needs a fresh log-in.`
        : paragraph(
            words`From now on, approving a request above ${above.amount} ${above.currency},`,
            words`or in another currency, needs a fresh log-in.`,
          ),
      words`The rule was changed at ${when.slice(0, 16).replace('T', ' ')} UTC.`,
    ],
    todo: [
      words`If this was you, you do not need to do anything.`,
      words`If not, change your password, which ends all other sessions, and set the amount again.`,
      button(words`Open the approval settings`, `${dashboard}/approvals/settings`),
    ],
  }
}
