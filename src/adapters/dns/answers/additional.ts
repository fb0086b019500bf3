// Addresses for the additional section: those of targets within the zone, and of our own name
// servers (RFC 1034 4.3.2 step 6).

import { nameToWire } from '../../../dns/name.ts'
import { targetsOf } from '../../../dns/rdata/rdata.ts'
import { rrType } from '../../../dns/types.ts'
import type { Glue, RecordSet, Zone, ZoneStore } from '../port.ts'
import { isIn, nameOf } from '../stored-names.ts'
import { glueAt } from '../zone-defaults.ts'
import type { OwnedSet } from './reply.ts'
import { setOf } from './zone-match.ts'

/** RFC 1035 3.3.9 and 3.3.11, RFC 2782, RFC 9460 4.1. */
const pointing: ReadonlySet<number> = new Set([
  rrType.ns,
  rrType.mx,
  rrType.srv,
  rrType.svcb,
  rrType.https,
])

/** The names that the records of a set point to. */
export function targetsIn({ name, type, rdata }: OwnedSet): Buffer[] {
  if (!pointing.has(type)) return []
  return rdata.flatMap((one) => {
    const targets = targetsOf(type, one)
    // "." stands for the owner itself in ServiceMode (RFC 9460 2.5.2), and for nothing elsewhere.
    const isService = (type === rrType.svcb || type === rrType.https) && one.readUInt16BE(0) > 0
    return targets.length === 0 && isService ? [name] : targets.map(nameToWire)
  })
}

type Places = { zone: Zone; store: ZoneStore; glue: Glue }

/** The A and AAAA sets of each of the names, each set once, if we have them. */
export async function addressesOf(
  targets: readonly Buffer[],
  { zone, store, glue }: Places,
): Promise<OwnedSet[]> {
  const wires = new Map(targets.map((wire) => [nameOf(wire), wire]))
  const within = [...wires].flatMap(([name, wire]) => (isIn(wire, zone.name) ? [name] : []))
  const stored = within.length > 0 ? await store.addresses(zone, within) : []
  const found = new Map(stored.map(({ name, sets }) => [name, sets]))
  return [...wires].flatMap(([name, wire]) =>
    withGlue(found.get(name) ?? [], glueAt(name, glue)).map((set) => ({ ...set, name: wire })),
  )
}

function withGlue(sets: readonly RecordSet[], own: RecordSet | undefined): readonly RecordSet[] {
  return own && !setOf(sets, rrType.a) ? [own, ...sets] : sets
}
