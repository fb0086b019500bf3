// Settings of events, webhooks, web push and approvals.
import { pushSettings } from './push-settings.ts'
import { flag, whole } from './readers.ts'
import { setting } from './setting.ts'

export function eventSettings() {
  return {
    ...pushSettings(),
    events_kept_days: setting('EVENTS_KEPT_DAYS', whole(1, 36_500), {
      preset: '90',
      meaning: 'Days to keep an event.',
    }),
    deliveries_kept_days: setting('DELIVERIES_KEPT_DAYS', whole(2, 36_500), {
      preset: '30',
      meaning: 'Days to keep a delivery to a webhook; no longer than events are kept.',
    }),
    approvals_kept_days: setting('APPROVALS_KEPT_DAYS', whole(1, 36_500), {
      preset: '365',
      meaning: 'Days to keep a request for approval after its end.',
    }),
    allow_loopback_webhooks: setting('ALLOW_LOOPBACK_WEBHOOKS', flag, {
      preset: 'false',
      meaning:
        'Let webhooks and push services be at http://127.0.0.1 and http://localhost, to try them ' +
        'out (sandbox environment only).',
    }),
  }
}
