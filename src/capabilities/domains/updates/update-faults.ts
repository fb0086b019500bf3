// Faults of domain updates.

import Type from 'typebox'
import { fault } from '../../../kit/fault.ts'
import { nullable } from '../../../kit/schema.ts'

export const changeUnderWay = fault('change_under_way', 'conflict', {
  sentence: 'Another change of this domain is in progress.',
  hint: 'Wait a moment and send the request again.',
  next: 'wait_and_retry',
  retryable: true,
})
export const changeRefused = fault('change_refused', 'conflict', {
  sentence: 'The registry refused the change.',
  hint: 'Its message is in "detail"; read the domain to see its state.',
  next: 'fix_request',
  facts: { epp_code: nullable(Type.Integer({ description: 'The result code of the registry.' })) },
})
export const changeUnconfirmed = fault('change_unconfirmed', 'unavailable', {
  sentence: 'The registry did not confirm the change: it may have happened, or may still happen.',
  hint: 'Send the request again after Retry-After: nothing is done twice.',
})
