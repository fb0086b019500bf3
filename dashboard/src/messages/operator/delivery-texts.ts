// Texts of the operators' page of deliveries to webhooks that were given up.
import { operatorTexts } from './operator-texts.ts'

export const deliveryTexts = {
  title: operatorTexts.pages.deliveries,
  subtitle:
    'Events that a customer’s endpoint did not accept in eight attempts. The owner sees them too.',
  empty: {
    title: 'No failed webhooks',
    text: 'Every event was delivered, or is still being retried.',
  },
  customer: 'Customer',
  webhook: 'Webhook',
  event: 'Event',
  attempts: 'Attempts',
  status: 'Response',
  noResponse: 'None',
  http: (status: number) => `HTTP ${status}`,
  last: 'Last attempt',
  created: 'First sent',
  never: 'Never',
  disabled: {
    owner: 'Turned off by its owner',
    gone: 'Disabled: it answered 410',
    failing: 'Disabled after three days of failures',
    maker_ended: 'Ended with its API key or app',
  },
  redeliver: 'Send again',
  redeliverOf: (type: string, host: string) => `Send ${type} to ${host} again?`,
  redeliverText: 'It is sent at once, and retried as often as a new event.',
  redeliverDone: 'The event is on its way',
} as const
