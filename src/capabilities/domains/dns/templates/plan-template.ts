// The sets that a template makes of the present ones, and the records that conflict with it:
// another mail host, another sender policy (a name has one, RFC 7208 3.2), an alias beside other
// records (RFC 1034 3.6.2), an address elsewhere. Pure.

import { readRdata } from '../../../../dns/rdata/rdata.ts'
import { rrType, typeNumber } from '../../../../dns/types.ts'
import type { DomainName } from '../../../../kit/random.ts'
import type { WantedSet } from '../record-sets/plan-records.ts'
import { type RecordSet, type RecordSets, setKey, sortedRdata } from '../record-sets/record-set.ts'
import type { TemplateRecord } from './template-data.ts'

type Loc = readonly (string | number)[]
type Planned = {
  /** The sets as they will be; one without values is deleted. */
  sets: WantedSet[]
  /** The present values that the template deletes. */
  against: RecordSet[]
}
type Filled = Pick<RecordSet, 'host' | 'type' | 'rdata'> & { against: readonly number[] }

/** `params` were checked before. Throws if a template is no record, which is a bug in the data. */
export function fillRecords(
  records: readonly TemplateRecord[],
  params: Readonly<Record<string, string>>,
  domain: DomainName,
): Filled[] {
  return records.map(({ host, type: name, values, against = [] }) => {
    const type = numberOf(name)
    const rdata = values.map((value) => {
      const text = value.replaceAll(/\{([a-z_]+)\}/g, (_, param: string) => params[param] ?? '')
      const read = readRdata(type, text, { names: 'api', origin: domain })
      if ('problem' in read) throw new Error(`The template has no ${name} value: ${read.problem}`)
      return read.rdata
    })
    return { host, type, rdata: sortedRdata(rdata), against: against.map(numberOf) }
  })
}

function numberOf(name: string): number {
  const type = typeNumber(name)
  if (type === undefined) throw new Error(`The template has the type ${name}`)
  return type
}

export function planTemplate(present: RecordSets, filled: readonly Filled[], loc: Loc): Planned {
  const own = new Set(filled.map(setKey))
  const sets = new Map<string, WantedSet>()
  const against = new Map<string, RecordSet>()
  for (const one of filled) {
    const now = present.get(setKey(one))
    const kept = keptBeside(one, now)
    const lost = (now?.rdata ?? []).filter((value) => !has([...kept, ...one.rdata], value))
    if (now && lost.length > 0) against.set(setKey(now), { ...now, rdata: lost })
    const { host, type } = one
    const rdata = sortedRdata([...kept, ...one.rdata])
    sets.set(setKey(one), { host, type, ttl: null, rdata, loc })
    for (const other of present.values()) {
      if (own.has(setKey(other)) || !standsAgainst(other, one)) continue
      against.set(setKey(other), other)
      sets.set(setKey(other), { ...other, ttl: null, rdata: [], loc })
    }
  }
  return { sets: [...sets.values()], against: [...against.values()] }
}

/** The texts of other purposes, which stay beside that of the template. */
function keptBeside({ type, rdata }: Filled, now: RecordSet | undefined): readonly Buffer[] {
  if (type !== rrType.txt) return []
  const purposes = rdata.map(purposeOf)
  return (now?.rdata ?? []).filter((value) => !purposes.includes(purposeOf(value)))
}

/** The first word of the first character-string, such as "v=spf1" of a policy. */
function purposeOf(rdata: Buffer): string {
  const text = rdata.toString('latin1', 1, 1 + (rdata[0] ?? 0))
  return (/^[^\s;]*/.exec(text)?.[0] ?? '').toLowerCase()
}

function standsAgainst(other: RecordSet, { host, type, against }: Filled): boolean {
  if (other.host !== host) return false
  const isAlias = type === rrType.cname || other.type === rrType.cname
  return isAlias || against.includes(other.type)
}

function has(values: readonly Buffer[], value: Buffer): boolean {
  return values.some((one) => one.equals(value))
}
