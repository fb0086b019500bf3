// Prerequisites of an update (RFC 2136 2.4 and 3.2): the names and sets that must or must not exist
// for it to be carried out. Pure.
import { rrClass } from '../../../../dns/message/read-message.ts'
import { rrType } from '../../../../dns/types.ts'
import type { DomainName } from '../../../../kit/random.ts'
import { type RecordSet, setKey, sortedRdata } from '../record-sets/record-set.ts'
import {
  type MessageRecord,
  malformed,
  UpdateRefused,
  type ZoneRecord,
  zoneRecordOf,
} from './update-message.ts'

/** All sets of the zone, including those that the service keeps (its SOA and NS). */
type Sets = ReadonlyMap<string, Pick<RecordSet, 'host' | 'rdata'>>
type Zone = { domain: DomainName; sets: Sets }

/** Throws the UpdateRefused of the first unmet prerequisite, in the order of RFC 2136 3.2.5. */
export function requirePrerequisites(
  wanted: readonly MessageRecord[],
  { domain, sets }: Zone,
): void {
  const used = new Set([...sets.values()].map(({ host }) => host))
  const values = new Map<string, Buffer[]>()
  for (const one of wanted) {
    if (one.ttl !== 0) throw malformed()
    const record = zoneRecordOf(one, domain)
    if (record.class === rrClass.in) keepValue(values, record)
    else requirePresence(record, { sets, used })
  }
  for (const [key, rdata] of values) if (!isSame(sets.get(key)?.rdata, rdata)) throw noSuchSet()
}

function keepValue(values: Map<string, Buffer[]>, record: ZoneRecord): void {
  if (record.type === rrType.any) throw malformed()
  const key = setKey(record)
  const known = values.get(key)
  if (known) known.push(record.rdata)
  else values.set(key, [record.rdata])
}

/** A prerequisite without values: a name or a set exists, or, in the class NONE, it does not. */
function requirePresence(
  record: ZoneRecord,
  { sets, used }: { sets: Sets; used: ReadonlySet<string> },
): void {
  if (record.rdata.length > 0) throw malformed()
  const isName = record.type === rrType.any
  const is_there = isName ? used.has(record.host) : sets.has(setKey(record))
  if (record.class === rrClass.any && !is_there)
    throw isName ? new UpdateRefused('nxdomain', 'dns_name_not_in_use') : noSuchSet()
  if (record.class === rrClass.none && is_there)
    throw isName
      ? new UpdateRefused('yxdomain', 'dns_name_in_use')
      : new UpdateRefused('yxrrset', 'dns_set_exists')
  if (record.class !== rrClass.any && record.class !== rrClass.none) throw malformed()
}

function noSuchSet(): UpdateRefused {
  return new UpdateRefused('nxrrset', 'dns_set_differs')
}

function isSame(there: readonly Buffer[] | undefined, wanted: readonly Buffer[]): boolean {
  const [one, other] = [sortedRdata(there ?? []), sortedRdata(wanted)]
  return one.length === other.length && one.every((value, at) => other[at]?.equals(value))
}
