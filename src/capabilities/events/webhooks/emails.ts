// Emails to an owner about webhooks. Pure.
import type { Static } from 'typebox'
import { button, type EmailMessage, paragraph, words } from '../../mail/index.ts'
import type { webhook } from './webhook.ts'

type Webhook = Pick<Static<typeof webhook>, 'id' | 'url'>

const hostOf = ({ url }: Webhook) => URL.parse(url)?.host ?? ''

/** A webhook gets the account's events, so the owner is notified of each. */
export function webhookCreatedEmail(made: Webhook, dashboard_url: string): EmailMessage {
  return {
    kind: 'webhook_created',
    dedupe_key: `webhook_created:${made.id}`,
    subject: words`A webhook was added to your account`,
    happened: [words`From now on, events of your account are sent to ${hostOf(made)}.`],
    todo: [
      words`If you or one of your apps added it, you do not need to do anything.`,
      words`If not, delete the webhook, and revoke the API key that added it.`,
      button(words`Open webhooks`, `${dashboard_url}/webhooks`),
    ],
  }
}

/** Notifies the owner of another URL, which gets the account's events instead. */
export function webhookUrlChangedEmail(
  changed: Webhook & { updated_at: string },
  dashboard_url: string,
): EmailMessage {
  return {
    kind: 'webhook_url_changed',
    dedupe_key: `webhook_url_changed:${changed.id}:${changed.updated_at}`,
    subject: words`The URL of one of your webhooks was changed`,
    happened: [words`From now on, events of your account are sent to ${hostOf(changed)}.`],
    todo: [
      words`If you or one of your apps changed it, you do not need to do anything.`,
      words`If not, delete the webhook, and revoke the API key that changed it.`,
      button(words`Open webhooks`, `${dashboard_url}/webhooks`),
    ],
  }
}

type Disabled = Webhook & { because: 'gone' | 'failing'; at: Date }

export function webhookDisabledEmail(disabled: Disabled, dashboard_url: string): EmailMessage {
  const { id, because, at } = disabled
  return {
    kind: 'webhook_disabled',
    dedupe_key: `webhook_disabled:${id}:${at.toISOString()}`,
    subject: words`Your webhook at ${hostOf(disabled)} was turned off`,
    happened: [
      because === 'gone'
        ? words`It answered with status 410 (gone), so no more events are sent to it.`
        : words`No delivery to it succeeded for three days, so no more events are sent to it.`,
    ],
    todo: [
      paragraph(
        words`Once it works again, enable it. You can then send the failed deliveries again;`,
        words`the list of events has all events meanwhile.`,
      ),
      button(words`Open webhooks`, `${dashboard_url}/webhooks`),
    ],
  }
}
