// Emails of support: a customer's messages for the operators, and unread replies for an owner.
// Pure.
import type { CustomerId } from '../../../kit/random.ts'
import { button, type EmailMessage, paragraph, quoteLines, words } from '../../mail/index.ts'

type Owner = { id: string; customer_id: CustomerId; name: string; email: string }
type Written = { shown: readonly { body: string }[]; more: number }

/**
 * The mail for the operators' address. `shown` are the oldest messages, and `more` is the number of
 * the others.
 */
export function customerMessagesEmail(newest: Owner, { shown, more }: Written): EmailMessage {
  const { id, customer_id, name, email } = newest
  const count = shown.length + more
  return {
    kind: 'support_message',
    dedupe_key: `support_message:${id}`,
    subject: words`Support: ${name}`,
    happened: [
      count === 1
        ? words`${name} (${email}, ${customer_id}) wrote to support:`
        : words`${name} (${email}, ${customer_id}) wrote ${count} messages to support:`,
      ...shown.map(({ body }) => quoteLines(body)),
      ...(more > 0 ? [words`There are ${more} more.`] : []),
    ],
    todo: [
      paragraph(
        words`Reply by POST /v1/internal/support/messages with this customer_id.`,
        words`A reply to this mail does not reach the customer.`,
      ),
    ],
  }
}

type Unread = { id: string; body: string }

/**
 * The mail for the owner. `messages` are the oldest unread ones, and `more` is the number of the
 * others.
 */
export function unreadReplyEmail(
  messages: readonly Unread[],
  { more, dashboard_url }: { more: number; dashboard_url: string },
): EmailMessage {
  const newest = messages.at(-1)
  const one = messages.length + more === 1
  return {
    kind: 'support_reply',
    dedupe_key: `support_reply:${newest?.id}`,
    subject: one ? words`Support has replied` : words`Support has sent you messages`,
    happened: [
      one
        ? words`An operator of this service has replied to you:`
        : words`Operators of this service have sent you ${messages.length + more} messages:`,
      ...messages.map(({ body }) => quoteLines(body)),
      ...(more > 0 ? [words`There are ${more} more.`] : []),
    ],
    todo: [button(words`Open the conversation`, `${dashboard_url}/support`)],
  }
}
