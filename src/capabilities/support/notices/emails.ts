// Emails of support, pure: a customer's message for the operators, and unread replies for an owner.
import { button, type EmailMessage, paragraph, quoteLines, words } from '../../mail/index.ts'

type Message = {
  id: string
  customer_id: string
  name: string
  email: string
  body: string
}

/** For the operators' address. */
export function customerMessageEmail(message: Message): EmailMessage {
  const { id, customer_id, name, email, body } = message
  return {
    kind: 'support_message',
    dedupe_key: `support_message:${id}`,
    subject: words`Support: ${name}`,
    happened: [words`${name} (${email}, ${customer_id}) wrote to support:`, quoteLines(body)],
    todo: [
      paragraph(
        words`Reply by POST /v1/internal/support/messages with this customer_id:`,
        words`a reply to this mail does not reach the customer.`,
      ),
    ],
  }
}

type Unread = { id: string; body: string }

/** For the owner; `messages` are the oldest unread ones, `more` how many are not among them. */
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
      ...(more > 0 ? [words`And ${more} more.`] : []),
    ],
    todo: [button(words`Open the conversation`, `${dashboard_url}/support`)],
  }
}
