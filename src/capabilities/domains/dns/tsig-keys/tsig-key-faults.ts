// Faults of TSIG keys.
import Type from 'typebox'
import { fault } from '../../../../kit/fault.ts'

export const tooManyTsigKeys = fault('too_many_tsig_keys', 'conflict', {
  sentence: 'The domain has the maximum number of TSIG keys.',
  hint: 'Delete one that is no longer used (DELETE /v1/domains/{domain}/tsig-keys/{id}).',
  next: 'fix_request',
  facts: { limit: Type.Integer({ description: 'The most keys of one domain.' }) },
})
export const tsigKeyNotFound = fault('tsig_key_not_found', 'absent', {
  sentence: 'The domain has no such TSIG key.',
  hint: 'GET /v1/domains/{domain}/tsig-keys lists them.',
})
