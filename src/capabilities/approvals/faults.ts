// Errors of approvals.

import Type from 'typebox'
import { fault } from '../../kit/fault.ts'
import { dateTime } from '../../kit/schema.ts'
import { approvalFact } from '../limits/index.ts'

export const approvalNotFound = fault('approval_not_found', 'absent', {
  sentence: 'There is no approval with this id.',
  hint: 'List the approvals that were requested.',
})
export const approvalDeclined = fault('approval_declined', 'forbidden', {
  sentence: 'The owner declined this request.',
  hint: 'Do not repeat it; "approval" may have the owner\'s "note". Nothing was charged.',
  next: 'ask_owner',
  page: '/approvals',
  facts: { approval: approvalFact },
})
export const approvalDecided = fault('approval_decided', 'conflict', {
  sentence: 'The request is no longer waiting for an answer.',
  hint: 'Read it: "state" says how it ended.',
  facts: { approval: Type.Object({ id: Type.String(), state: Type.String() }) },
})
export const tooManyApprovals = fault('too_many_approvals', 'conflict', {
  sentence: 'Too many requests are waiting for the owner, or were made today.',
  hint:
    'Where "until" is given, ask again after that time; otherwise ask the owner to answer those ' +
    'at "url" first. Nothing was charged.',
  next: 'ask_owner',
  page: '/approvals',
  facts: { until: dateTime('The time from which more can be asked for.') },
})
export const requestChanged = fault('request_changed', 'conflict', {
  sentence: 'The order differs from the request that the owner approved.',
  hint: 'Ask for approval again: send the request as it is now.',
})
export const pushSubscriptionNotFound = fault('push_subscription_not_found', 'absent', {
  sentence: 'There is no push subscription with this id.',
  hint: 'List the subscriptions; this one may have ended with its session.',
})
