// Everything that a zone is to contain, in PowerDNS's own canonical text.
import Type, { type Static } from 'typebox'
import { absolute } from '../../../dns/name.ts'
import { writeNamed, writeRdata } from '../../../dns/rdata/rdata.ts'
import { fileTypeName, rrType } from '../../../dns/types.ts'
import type { Glue, RecordSet, ZoneContent } from '../port.ts'
import { glueAt, gluedWithin, nameserversOf, soaOf } from '../zone-defaults.ts'

export const writtenSet = Type.Object({
  name: Type.String(),
  type: Type.String(),
  ttl: Type.Integer(),
  records: Type.Array(Type.Object({ content: Type.String(), disabled: Type.Boolean() })),
})
export type WrittenSet = Static<typeof writtenSet>

/** SOA and NS of the zone, and the addresses of our name servers within it. */
export function managedSetsOf(zone: ZoneContent, glue: Glue): WrittenSet[] {
  // If an A or a CNAME is stored there, that is served instead.
  const instead = zone.sets.filter(({ type }) => type === rrType.a || type === rrType.cname)
  const taken = new Set(instead.map(({ name }) => name))
  const glued = gluedWithin(zone, glue).filter((name) => !taken.has(name))
  return [
    written(zone.name, soaOf(zone)),
    written(zone.name, nameserversOf(zone)),
    ...glued.flatMap((name) => {
      const set = glueAt(name, glue)
      return set ? [written(name, set)] : []
    }),
  ]
}

export function storedSetsOf({ sets }: ZoneContent): WrittenSet[] {
  return sets.map((set) => written(set.name, set))
}

/** X25, RT and PX are types of RFC 1183 and 2163 that PowerDNS does not know by name. */
const unnamed: readonly number[] = [19, 21, 26]

/**
 * PowerDNS accepts a type that it knows by name only in its own form, never in that of RFC 3597.
 */
export function written(name: string, { type, ttl, rdata }: RecordSet): WrittenSet {
  const forms = rdata.map((one) => {
    if (unnamed.includes(type)) return { type: fileTypeName(type), text: writeRdata(type, one) }
    const form = writeNamed(type, one)
    // Its own text for RDATA without octets ends in a space.
    return form.text === '\\# 0' ? { ...form, text: '\\# 0 ' } : form
  })
  const records = forms.map(({ text }) => ({ content: text, disabled: false }))
  return { name: absolute(name), type: forms[0]?.type ?? fileTypeName(type), ttl, records }
}
