// Settings of support: notification of operators, event streams, and retention.
import { mailAddress, type Reader, SettingError, whole } from './readers.ts'
import { setting } from './setting.ts'

// The URL is never in the message, because it is all that posting needs.
const webhookUrl: Reader<string | null> = (value, name) => {
  if (value === '') return null
  const url = URL.canParse(value) ? new URL(value) : null
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.hash) return value
  throw new SettingError(name, 'must be an https URL, as the chat shows it for a webhook')
}

export function supportSettings() {
  return {
    support_email: setting('SUPPORT_EMAIL', mailAddress, {
      preset: '',
      meaning:
        "Address of the operators, which gets each customer's message to support; in the sandbox " +
        'without SMTP_URL, support@agent-registrar.example.',
    }),
    support_webhook_url: setting('SUPPORT_WEBHOOK_URL', webhookUrl, {
      preset: '',
      meaning:
        'Incoming webhook of a Slack-compatible chat, which gets the same. A secret: it ' +
        'suffices for posting there.',
    }),
    support_messages_per_hour: setting('SUPPORT_MESSAGES_PER_HOUR', whole(1, 1_000_000), {
      preset: '60',
      meaning: 'Messages of an account to support in an hour; so many may come at once.',
    }),
    support_streams: setting('SUPPORT_STREAMS', whole(1, 100_000), {
      preset: '2000',
      meaning: 'Event streams of support that one node holds open.',
    }),
    support_kept_days: setting('SUPPORT_KEPT_DAYS', whole(1, 36_500), {
      preset: '1095',
      meaning: 'Days to keep a conversation with support after its last message.',
    }),
  }
}

type Related = {
  environment: 'sandbox' | 'production'
  smtp_url: string | null
  support_email: string | null
  support_webhook_url: string | null
}

/**
 * The operators' address, which in the sandbox can be any because the mailbox accepts all. Throws
 * SettingError for a webhook that would send customers' texts unencrypted.
 */
export function supportAddress(all: Related): string | null {
  const url = all.support_webhook_url === null ? null : new URL(all.support_webhook_url)
  if (all.environment === 'production' && url?.protocol === 'http:')
    throw new SettingError('SUPPORT_WEBHOOK_URL', 'must be https in production')
  const has_mailbox = all.environment === 'sandbox' && all.smtp_url === null
  return all.support_email ?? (has_mailbox ? 'support@agent-registrar.example' : null)
}
