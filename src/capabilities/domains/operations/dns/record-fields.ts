// Fields and faults that requests about the record sets of a domain share.
import Type from 'typebox'
import { withDefault } from '../../../../kit/schema.ts'
import { freshLogInNeeded } from '../../../account/index.ts'
import { dnsRecordNotAllowed } from '../../../limits/index.ts'
import { least_ttl, longest_ttl, most_sets, most_values } from '../../dns/record-sets/record-set.ts'
import { preconditionFailed } from '../../dns/records/preconditions.ts'
import { dnsChangeUnconfirmed } from '../../dns/unconfirmed/confirmation.ts'
import { dnsUnreachable, dnsZoneFull } from '../../dns/zone-faults.ts'
import { domainNotFound, domainPending } from '../../faults.ts'
import { approvalFaults } from '../domain-operation.ts'

export const hostField = Type.String({
  minLength: 1,
  maxLength: 253,
  description: 'The host relative to the domain: "www", "_dmarc", "*", or "@" (itself).',
  examples: ['www'],
})
export const typeField = Type.String({
  minLength: 1,
  maxLength: 10,
  description:
    'The type: A, AAAA, CNAME, MX, TXT, SRV, CAA, NS, TLSA, SSHFP, HTTPS, SVCB, DS or TYPEn.',
  examples: ['MX'],
})
export const ttlField = Type.Optional(
  Type.Integer({
    minimum: least_ttl,
    maximum: longest_ttl,
    description: 'The seconds of all values of the set, by default as they are, or 3600.',
  }),
)
const value = Type.String({
  minLength: 1,
  maxLength: 65_535,
  description: 'The value as in a zone file: "10 mail.example.com.".',
  examples: ['10 mail.example.com.'],
})
export const valuesField = Type.Array(value, {
  maxItems: most_values,
  description: 'All values of the set; without any it is deleted.',
})

export const setField = Type.Object(
  { host: hostField, type: typeField, ttl: ttlField, values: valuesField },
  { additionalProperties: false, title: 'DnsRecordsGiven' },
)
export const valueField = Type.Object(
  { host: hostField, type: typeField, ttl: ttlField, value },
  { additionalProperties: false, title: 'DnsValueGiven' },
)
const removedField = Type.Object(
  { host: hostField, type: typeField, value },
  { additionalProperties: false, title: 'DnsValueRemoved' },
)

export const setsField = Type.Array(setField, {
  maxItems: most_sets,
  description: 'Whole sets, each of which replaces the one of its host and type.',
})
export const addField = Type.Array(valueField, {
  maxItems: most_sets,
  description: 'Single values to add; one that exists already stays.',
})
export const removeField = Type.Array(removedField, {
  maxItems: most_sets,
  description: 'Single values to delete; the set is deleted with its last value.',
})

export const ifMatchField = (of: string) =>
  Type.String({ minLength: 1, maxLength: 255, description: `The etag of ${of} that you read.` })

export const dryRunField = withDefault(
  Type.Boolean({
    description: 'Whether to return the difference and the warnings and change nothing.',
  }),
  false,
)

export const revertAfterField = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 32,
    description:
      'An ISO 8601 duration from PT1M to PT24H: without confirm_dns_change by then, the change ' +
      'is reverted, set by set. Meanwhile the TTL of the changed sets is at most 60 s.',
    examples: ['PT10M'],
  }),
)

export const revertNameserversAfterField = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 32,
    description:
      'An ISO 8601 duration from PT1M to PT24H: without confirm_dns_change by then, the former ' +
      'name servers are restored. Resolvers keep a delegation for up to two days.',
    examples: ['PT1H'],
  }),
)

/** The faults of every change of records. */
export const changeFaults = [
  dnsChangeUnconfirmed,
  ...[domainNotFound, domainPending, freshLogInNeeded, dnsRecordNotAllowed],
  ...[dnsZoneFull, dnsUnreachable, preconditionFailed, ...approvalFaults],
]
