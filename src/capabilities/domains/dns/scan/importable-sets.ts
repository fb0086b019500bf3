// The sets of a scanned zone that can be taken over as they are. Sets that the service manages,
// refuses or cannot read are left out, with the reason.
import type { FoundSet } from '../../../../adapters/dns/scan/found-sets.ts'
import { writeRdata } from '../../../../dns/rdata/rdata.ts'
import { fileTypeName, rrType, typeName } from '../../../../dns/types.ts'
import { InvalidInput } from '../../../../kit/fault.ts'
import { FieldReader } from '../../../../kit/field-reader.ts'
import type { DomainName } from '../../../../kit/random.ts'
import { planRecords, type WantedSet } from '../record-sets/plan-records.ts'
import { typeProblem } from '../record-sets/read-sets.ts'
import { readRecordHost } from '../record-sets/record-host.ts'
import {
  least_ttl,
  longest_ttl,
  most_sets,
  most_zone_octets,
  octetsOf,
  type RecordSet,
  sortedRdata,
} from '../record-sets/record-set.ts'
import type { Warning } from '../record-sets/warnings.ts'

/** `values` are some of its values, in presentation form. */
type LeftOutSet = { host: string; type: string; values: string[]; reason: string }
type Importable = { sets: RecordSet[]; left_out: LeftOutSet[]; warnings: Warning[] }

export function importableSets(found: readonly FoundSet[], domain: DomainName): Importable {
  const left_out: LeftOutSet[] = []
  const warnings: Warning[] = []
  const sets: RecordSet[] = []
  let octets = 0
  for (const { name, type, ttl: found_ttl, rdata } of found) {
    const host = hostIn(name, domain)
    const leave = (reason: string) => left_out.push(leftOut({ host, type, rdata }, reason))
    const problem = problemOf(host, type, domain)
    octets += octetsOf({ rdata })
    if (problem !== null) leave(problem)
    else if (sets.length === most_sets || octets > most_zone_octets)
      leave('The zone has more records than a domain may have here.')
    else {
      const ttl = Math.min(Math.max(found_ttl, least_ttl), longest_ttl)
      sets.push({ host, type, ttl, rdata: sortedRdata(rdata) })
      if (ttl === found_ttl) continue
      const message = `The TTL of ${found_ttl} s was set to ${ttl} s, the nearest here.`
      warnings.push({ code: 'ttl_set', host, type: typeName(type), message })
    }
  }
  const { kept, broken } = byZoneRules(sets, domain)
  left_out.push(...broken)
  const isKept = new Set(kept.map(({ host, type }) => `${host} ${typeName(type)}`))
  return {
    sets: kept,
    left_out,
    warnings: warnings.filter(({ host, type }) => isKept.has(`${host} ${type}`)),
  }
}

const most_values_shown = 10

function leftOut({ host, type, rdata }: Omit<RecordSet, 'ttl'>, reason: string): LeftOutSet {
  return { host, type: fileTypeName(type), values: shownValues(type, rdata), reason }
}

export function shownValues(type: number, rdata: readonly Buffer[]): string[] {
  return rdata
    .slice(0, most_values_shown)
    .map((one) => writeRdata(type, one))
    .sort()
}

export function hostIn(name: string, domain: DomainName): string {
  return name === domain ? '@' : name.slice(0, -domain.length - 1)
}

function problemOf(host: string, type: number, domain: DomainName): string | null {
  if (type === rrType.ds && host === '@')
    return 'The DS records of the domain itself belong to its registry, not into its zone.'
  const problem = typeProblem(host, type)
  if (problem !== null) return `${problem}.`
  const read = readRecordHost(host, domain)
  return 'problem' in read ? `The host ${read.problem}.` : null
}

const most_rounds = 10

/** Leaves out sets by the rules of a zone as a whole; without one set another may break a rule. */
function byZoneRules(sets: readonly RecordSet[], domain: DomainName) {
  let kept = [...sets]
  const broken: LeftOutSet[] = []
  for (let round = 0; round < most_rounds; round += 1) {
    const problems = blamedFirst(kept, problemsIn(kept, domain))
    if (problems.size === 0) return { kept, broken }
    for (const [at, reason] of problems) {
      const set = kept[at]
      if (set) broken.push(leftOut(set, reason))
    }
    kept = kept.filter((_, at) => !problems.has(at))
  }
  return { kept, broken }
}

/**
 * If two sets conflict, both have a problem. A server answers a delegation and an alias before the
 * sets beside and below them, so the delegation and the alias stay.
 */
function blamedFirst(
  sets: readonly RecordSet[],
  problems: ReadonlyMap<number, string>,
): ReadonlyMap<number, string> {
  const isStrong = (at: number) => strong.includes(sets[at]?.type ?? 0)
  const weak = [...problems].filter(([at]) => !isStrong(at))
  return weak.length > 0 ? new Map(weak) : problems
}
const strong: readonly number[] = [rrType.ns, rrType.cname]

/** The problems by the places of their sets. */
function problemsIn(sets: readonly RecordSet[], domain: DomainName): Map<number, string> {
  const reader = new FieldReader()
  const wanted = sets.map((set, at): WantedSet => ({ ...set, loc: ['sets', at] }))
  planRecords(reader, { domain, before: new Map(), edits: { sets: wanted } })
  try {
    reader.finish()
    return new Map()
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    return new Map(error.fields.map(({ path, msg }) => [Number(path[1]), `${msg}.`]))
  }
}
