// All that a zone is to say, as PowerDNS keeps it: in its own canonical text.
import Type, { type Static } from 'typebox'
import { absolute } from '../../../dns/name.ts'
import { writeRdata } from '../../../dns/rdata/rdata.ts'
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

export function writtenSetsOf(zone: ZoneContent, glue: Glue): WrittenSet[] {
  // Where an A or a CNAME is stored, it is served instead.
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
    ...zone.sets.map((set) => written(set.name, set)),
  ]
}

function written(name: string, { type, ttl, rdata }: RecordSet): WrittenSet {
  const records = rdata.map((one) => ({ content: writeRdata(type, one), disabled: false }))
  return { name: absolute(name), type: fileTypeName(type), ttl, records }
}
