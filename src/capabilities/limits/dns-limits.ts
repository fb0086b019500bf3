// The hosts and types of DNS records to which the owner's limits bind a key or an app.
import Type from 'typebox'
import type { Caller, CallerLimits, DnsLimit } from '../../app.ts'
import { typeName } from '../../dns/types.ts'
import { fault } from '../../kit/fault.ts'
import { pageOfApps } from './faults.ts'
import { isNarrowPattern, matchesHost } from './host-patterns.ts'

export const dnsRecordNotAllowed = fault('dns_record_not_allowed', 'forbidden', {
  sentence: 'The limits of this key or app do not allow this DNS record.',
  hint: 'Ask the owner to change its limits for DNS records, or to set the record.',
  next: 'ask_owner',
  page: '/api-keys',
  facts: {
    host: Type.String({ description: 'The host of the first record that is not allowed.' }),
    record_type: Type.String({ description: 'The type of that record.' }),
  },
})

type Record = { host: string; type: number }

/**
 * Throws dnsRecordNotAllowed for the first record outside a limit of the caller. `host`: relative
 * to the domain, in lower case with A-labels, "@" for the domain itself. `beside`: one more limit.
 */
export function requireRecordsAllowed(
  caller: Caller,
  records: readonly Record[],
  beside?: DnsLimit,
): void {
  const limits = [...(limitsOf(caller)?.dns ?? []), ...(beside ? [beside] : [])]
  const refused = records.find((one) => !isAllowedRecord(limits, one))
  if (!refused) return
  const { host, type } = refused
  throw dnsRecordNotAllowed({
    ...(caller.kind === 'oauth_client' && { page: pageOfApps }),
    detail: `The limits of this key or app do not allow ${typeName(type)} records at "${host}".`,
    facts: { host, record_type: typeName(type) },
  })
}

/**
 * Whether a protected domain asks for no approval of a change of records by this caller: a limit of
 * its chain, which its owner set in a session, has hosts that are written out, or are below
 * _acme-challenge.
 */
export function recordsNeedNoApproval(caller: Caller): boolean {
  const dns = limitsOf(caller)?.dns ?? []
  return dns.some(({ hosts, in_person }) => in_person && hosts?.every(isNarrowPattern) === true)
}

function limitsOf(caller: Caller): CallerLimits | null {
  return 'limits' in caller ? caller.limits : null
}

/** Whether all limits of the chain allow records of this type at this host. */
function isAllowedRecord(limits: readonly DnsLimit[], { host, type }: Record): boolean {
  return limits.every(
    ({ hosts, types }) =>
      (hosts === null || hosts.some((pattern) => matchesHost(pattern, host))) &&
      (types === null || types.includes(type)),
  )
}
