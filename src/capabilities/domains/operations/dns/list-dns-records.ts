// Lists the record sets of a domain on our name servers, as the database serves them: GET
// /v1/domains/{domain}/dns-records.

import Type from 'typebox'
import type { DomainName } from '../../../../kit/random.ts'
import { dateTime, oneOf, stringOf } from '../../../../kit/schema.ts'
import { listRecords, readHosting } from '../../dns/zones.sql.ts'
import { domainNotFound, domainPending } from '../../faults.ts'
import { hostOf } from '../../names.ts'
import { domainOperation, requireHolding } from '../domain-operation.ts'

const dnsRecordSet = Type.Object(
  {
    type: oneOf(['A'] as const),
    host: Type.String({ description: 'Relative to the domain; "@" is the domain itself.' }),
    value: Type.String({ description: 'The IPv4 address.' }),
    ttl: Type.Integer({ description: 'How many seconds resolvers keep it.' }),
    updated_at: dateTime('When it was last set.'),
  },
  { title: 'DnsRecordSet' },
)

export const listDnsRecords = domainOperation({
  name: 'list_dns_records',
  does: 'List the A records of one of your domains on our name servers, by host.',
  more: 'list_record_sets lists the records of all types.',
  at: 'GET /v1/domains/{domain}/dns-records',
  scope: 'domains:read',
  gives: Type.Object(
    {
      domain: stringOf<DomainName>({ description: 'Lower-case A-labels.' }),
      hosted: Type.Boolean({
        description:
          'Whether all name servers of the domain are ours; else its records are kept without ' +
          'being served, and none can be set.',
      }),
      records: Type.Array(dnsRecordSet),
    },
    { title: 'ListDnsRecordsResponse' },
  ),
  fails: [domainNotFound, domainPending],
  effect: 'none',
  async run(input, call) {
    const domain = hostOf(input.domain)
    const { id, customer_id } = await requireHolding(call, domain, 'list_dns_records')
    const [hosting, records] = await Promise.all([
      call.sql.maybe(readHosting, { id, customer_id }),
      call.sql.run(listRecords, { id, customer_id }),
    ])
    // The holding may have ended since it was found.
    if (!hosting) throw domainNotFound()
    return {
      domain,
      hosted: hosting.hosted,
      records: records.map(({ host, value, ttl, updated_at }) => {
        return { type: 'A' as const, host, value, ttl, updated_at: updated_at.toISOString() }
      }),
    }
  },
})
