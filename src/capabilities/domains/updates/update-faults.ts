// Faults of domain updates.

import Type from 'typebox'
import { fault } from '../../../kit/fault.ts'
import { nullable } from '../../../kit/schema.ts'
import { domainStatus, registryStatuses } from '../schemas.ts'

export const notChangeable = fault('not_changeable', 'conflict', {
  sentence: 'The domain cannot be changed in its current status; nothing was sent.',
  hint:
    'Read the domain: its statuses show what prevents the change, and next_actions what is ' +
    'possible.',
  facts: { holding: domainStatus, ...registryStatuses },
})
/** For a status that is the registrar's own, and that we did not set. */
export const unlockFirst =
  'unlock_domain: POST /v1/domains/{domain}/unlock takes the status off; then send this again.'
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
export const glueRequired = fault('glue_required', 'conflict', {
  sentence: 'Name servers within the domain itself need addresses, and the registry knows none.',
  hint: 'Send "nameservers", and "glue" with the addresses of each host in "hosts".',
  next: 'fix_request',
  facts: { hosts: Type.Array(Type.String(), { description: 'Those without a known address.' }) },
})
