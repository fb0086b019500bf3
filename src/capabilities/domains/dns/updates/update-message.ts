// The records of an update as sets of its zone, and whether the message is well-formed (RFC 2136
// 3.2 and 3.4.1).
import type { SignedUpdate } from '../../../../adapters/dns/port.ts'
import { rcodes } from '../../../../adapters/dns/rcodes.ts'
import { isWithin } from '../../../../dns/name.ts'
import { Fault, InvalidInput } from '../../../../kit/fault.ts'
import type { DomainName } from '../../../../kit/random.ts'

/** The answer of an update that is not carried out, and a word for the audit log. */
export class UpdateRefused extends Error {
  readonly rcode: number
  readonly code: string

  constructor(rcode: keyof typeof rcodes, code: string) {
    super(`The update was answered with ${rcode.toUpperCase()}: ${code}`)
    this.name = 'UpdateRefused'
    this.rcode = rcodes[rcode]
    this.code = code
  }
}

/** The code that an error is answered with, which is SERVFAIL unless the client caused it. */
export function rcodeOf(error: unknown): number {
  if (error instanceof UpdateRefused) return error.rcode
  if (error instanceof Fault) return error.status >= 500 ? rcodes.servfail : rcodes.refused
  return error instanceof InvalidInput ? rcodes.refused : rcodes.servfail
}

export type MessageRecord = SignedUpdate['updates'][number]
/**
 * `host` is relative to the zone. `rdata` is empty in the class ANY, and in NONE of prerequisites.
 */
export type ZoneRecord = { host: string; type: number; class: number; ttl: number; rdata: Buffer }

/** Throws FORMERR for malformed data anywhere, because such a message cannot be read. */
export function requireReadable(records: readonly MessageRecord[]): void {
  if (records.some(({ value }) => 'problem' in value))
    throw new UpdateRefused('formerr', 'dns_value_malformed')
}

/** Returns a record with its host in the zone; throws NOTZONE for a name outside of it. */
export function zoneRecordOf(record: MessageRecord, domain: DomainName): ZoneRecord {
  const { name, type, ttl, value } = record
  if (!isWithin(name, domain)) throw new UpdateRefused('notzone', 'dns_name_not_in_zone')
  const host = name === domain ? '@' : name.slice(0, -domain.length - 1)
  const rdata = 'rdata' in value ? value.rdata : Buffer.of()
  return { host, type, class: record.class, ttl, rdata }
}

export function malformed(): UpdateRefused {
  return new UpdateRefused('formerr', 'dns_update_malformed')
}
