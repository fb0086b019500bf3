// The match of a question in a zone (RFC 1034 4.3.2, and RFC 4592 for wildcards). It is pure,
// because the names were looked up before.

import { rrType } from '../../../dns/types.ts'
import type { Found, Glue, NameFound, RecordSet, Zone } from '../port.ts'
import { glueAt, gluedWithin, isWithin, nameserversOf, soaOf } from '../zone-defaults.ts'

type Match =
  | { kind: 'set'; set: RecordSet }
  | { kind: 'alias'; set: RecordSet }
  | { kind: 'referral'; cut: string; set: RecordSet }
  | { kind: 'nodata' }
  | { kind: 'nxdomain' }

/** The match of the first of the names that were found, which is the name of the question. */
export function matchOf({ zone, names }: Found, type: number, glue: Glue): Match {
  const [own] = names
  // The topmost delegation counts: everything below it, including further delegations, belongs to
  // another zone.
  const cut = names.findLast((one) => one.name !== zone.name && setOf(one.sets, rrType.ns))
  const delegation = cut && setOf(cut.sets, rrType.ns)
  // Only the DS records of a delegation are ours (RFC 4035 3.1.4.1).
  if (cut && delegation && !(cut === own && type === rrType.ds))
    return { kind: 'referral', cut: cut.name, set: delegation }
  // The closest encloser (RFC 4592 3.3.1): only the wildcard directly below it may answer in its
  // place.
  const closest = names.find((one) => isThere(one, zone, glue))
  if (!own || !closest) return { kind: 'nxdomain' }
  if (closest === own) return matchIn(ownSets(own, zone, glue), type)
  return closest.wildcard ? matchIn(closest.wildcard, type) : { kind: 'nxdomain' }
}

export function setOf(sets: readonly RecordSet[], type: number): RecordSet | undefined {
  return sets.find((one) => one.type === type)
}

function isThere(one: NameFound, zone: Zone, glue: Glue): boolean {
  return (
    one.name === zone.name ||
    one.exists ||
    one.has_below ||
    gluedWithin(zone, glue).some((name) => isWithin(name, one.name))
  )
}

/**
 * The sets of the name, with those that every zone has: SOA and NS of its own name, and the
 * addresses of our name servers.
 */
function ownSets({ name, sets }: NameFound, zone: Zone, glue: Glue): readonly RecordSet[] {
  const stored = name === zone.name ? sets.filter(({ type }) => !isManaged(type)) : sets
  const managed = name === zone.name ? [nameserversOf(zone), soaOf(zone)] : []
  const address =
    setOf(sets, rrType.a) || setOf(sets, rrType.cname) ? undefined : glueAt(name, glue)
  return [...stored, ...managed, ...(address ? [address] : [])]
}

const isManaged = (type: number) => type === rrType.soa || type === rrType.ns

function matchIn(sets: readonly RecordSet[], type: number): Match {
  // One set is enough for ANY (RFC 8482 4.1), so it is that of the lowest type.
  const [first] = [...sets].sort((a, b) => a.type - b.type)
  const set = type === rrType.any ? first : setOf(sets, type)
  if (set) return { kind: 'set', set }
  const alias = setOf(sets, rrType.cname)
  return alias ? { kind: 'alias', set: alias } : { kind: 'nodata' }
}
