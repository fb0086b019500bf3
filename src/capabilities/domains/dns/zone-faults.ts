// Faults of changes of records.
import Type from 'typebox'
import { fault } from '../../../kit/fault.ts'
import { nullable } from '../../../kit/schema.ts'

export const dnsZoneFull = fault('dns_zone_full', 'conflict', {
  sentence: 'The domain has the maximum number of records.',
  hint: 'Set a wildcard ("*"), or delete records that are no longer needed.',
  next: 'fix_request',
  facts: { records: Type.Integer({ minimum: 0, description: 'How many sets the zone has.' }) },
})
export const dnsUnreachable = fault('dns_unreachable', 'unavailable', {
  sentence: 'The change is stored, but could not be pushed to the name servers yet.',
  hint: 'The push is repeated until they have it. Sending the same again is harmless.',
  facts: {
    host: Type.String(),
    value: Type.String(),
    serial: Type.Integer({ description: 'The serial of the zone that is served later.' }),
    change_id: nullable(
      Type.String({
        description: 'The stored change, or null if an earlier one is not served yet.',
      }),
    ),
  },
})
