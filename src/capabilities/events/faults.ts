// Faults of events and webhooks.
import Type from 'typebox'
import { fault } from '../../kit/fault.ts'

export const tooManyWaits = fault('too_many_waits', 'limited', {
  sentence: 'This account has reached its limit of waiting calls.',
  hint: 'Use one waiting call for all events, or try again after Retry-After.',
})
export const eventsGone = fault('events_gone', 'conflict', {
  sentence: 'Events after this cursor are no longer kept, or the cursor is unknown.',
  hint:
    'Read the state again (domains, balance, keys), then call without a cursor for the events ' +
    'that are kept, or with "start": "now" for those to come.',
})
export const webhookNotFound = fault('webhook_not_found', 'absent', {
  sentence: 'There is no such webhook in this account.',
  hint: 'List the webhooks of the account for their ids.',
})
export const deliveryNotFound = fault('delivery_not_found', 'absent', {
  sentence: 'There is no such delivery of this webhook, or it is no longer kept.',
  hint: 'List the deliveries of the webhook for their ids.',
})
export const tooManyWebhooks = fault('too_many_webhooks', 'conflict', {
  sentence: 'The account has reached its limit of webhooks.',
  hint: 'Delete one that is not needed, or add event types to an existing one.',
  next: 'fix_request',
})
export const webhookDisabled = fault('webhook_disabled', 'conflict', {
  sentence: 'The webhook is disabled: nothing is sent to it.',
  hint: 'Enable it by PATCH with "enabled": true, then try again.',
  next: 'fix_request',
})
export const failedDeliveryNotFound = fault('failed_delivery_not_found', 'absent', {
  sentence: 'There is no failed delivery with this id, or its webhook is deleted.',
  hint: 'List the failed deliveries: it may already be queued again.',
})
export const webhookOfCustomerDisabled = fault('customers_webhook_disabled', 'conflict', {
  sentence: 'The webhook is disabled: nothing is sent to it.',
  hint: 'Its owner enables it once the endpoint works again; the event can then be sent again.',
  next: 'choose_alternative',
})
export const eventScopeMissing = fault('event_scope_missing', 'forbidden', {
  sentence: 'The token may not see all of the events that this webhook gets.',
  hint: 'Name only types that the token may see, or use a token that also has "required_scope".',
  next: 'add_scope',
  page: '/api-keys',
  facts: { required_scope: Type.String({ description: 'The scope that is missing.' }) },
})
export const webhookNotOwn = fault('webhook_not_own', 'forbidden', {
  sentence: 'A key or an app changes only webhooks that it, or a key of its own, made.',
  hint: 'Create a webhook of your own, or ask the owner, who changes any in the dashboard.',
  page: '/webhooks',
})
