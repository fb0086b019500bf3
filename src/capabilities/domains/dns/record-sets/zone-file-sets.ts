// The record sets of a zone file (RFC 1035 part 5) that is imported, without those that the service
// manages, and with times to live within the bounds of a set.
import Type, { type Static } from 'typebox'
import { quoted } from '../../../../dns/problem.ts'
import { dnssecTypes, fileTypeName, rrType, typeName } from '../../../../dns/types.ts'
import { readZoneFile } from '../../../../dns/zonefile/read-zone-file.ts'
import type { FieldReader } from '../../../../kit/field-reader.ts'
import type { DomainName } from '../../../../kit/random.ts'
import type { WantedSet } from './plan-records.ts'
import { typeProblem } from './read-sets.ts'
import { readRecordHost } from './record-host.ts'
import {
  default_ttl,
  least_ttl,
  longest_ttl,
  octetsKey,
  setKey,
  sortedRdata,
} from './record-set.ts'
import type { Warning } from './warnings.ts'

export const leftOutShape = Type.Object(
  {
    line: Type.Integer({ description: 'The line in the file, from 1.' }),
    type: Type.String({ description: 'The type of the record, such as "SOA".' }),
  },
  { title: 'DnsRecordLeftOut' },
)
type LeftOut = Static<typeof leftOutShape>

type FileSets = {
  sets: WantedSet[]
  /** The records that were left out, in the order of their lines. */
  left_out: LeftOut[]
  warnings: Warning[]
}
type FileRecord = {
  line: number
  host: string
  type: number
  ttl: number
  rdata: Buffer
}

const loc = ['zonefile']

/** Notes each problem with its line at "zonefile" of the reader; then there are no sets. */
export function zoneFileSets(reader: FieldReader, text: string, domain: DomainName): FileSets {
  const read = readZoneFile(text.replace(/^\uFEFF/, ''), { origin: domain, default_ttl })
  const left_out: LeftOut[] = []
  const refuse = (line: number, problem: string) =>
    reader.refuse(loc, `Line ${line}: ${problem}`, 'dns_zone_file')
  if ('problems' in read) {
    for (const { line, problem } of read.problems) refuse(line, problem)
    return { sets: [], left_out, warnings: [] }
  }
  left_out.push(...read.left_out)
  const records: FileRecord[] = []
  for (const { line, name, type, ttl, rdata } of read.records) {
    const host = name === domain ? '@' : name.slice(0, -domain.length - 1)
    if (isManaged(host, type)) {
      left_out.push({ line, type: fileTypeName(type) })
      continue
    }
    const placed = readRecordHost(host, domain)
    const problem =
      'problem' in placed ? `${quoted(host)} ${placed.problem}` : typeProblem(host, type)
    if (problem) refuse(line, problem)
    else records.push({ line, host, type, ttl, rdata })
  }
  left_out.sort((one, other) => one.line - other.line)
  const sets = [...grouped(records)].map((group) => setOf(group))
  return {
    left_out,
    sets: sets.map(({ set }) => set),
    warnings: sets.flatMap(({ warnings }) => warnings),
  }
}

/** Whether it is the SOA, NS or DS of the domain itself, or a record that the signer makes anew. */
function isManaged(host: string, type: number): boolean {
  const atApex = host === '@' && (type === rrType.ns || type === rrType.ds)
  return atApex || type === rrType.soa || dnssecTypes.has(type)
}

type Group = [FileRecord, ...FileRecord[]]

function grouped(records: readonly FileRecord[]): Iterable<Group> {
  const groups = new Map<string, Group>()
  for (const one of records) {
    const group = groups.get(setKey(one))
    if (group) group.push(one)
    else groups.set(setKey(one), [one])
  }
  return groups.values()
}

/** A set has one TTL (RFC 2181 5.2): the least of its records, within the bounds of a set. */
function setOf(records: Group): { set: WantedSet; warnings: Warning[] } {
  const [{ host, type, line }] = records
  const ttls = records.map((one) => one.ttl)
  const least = Math.min(...ttls)
  const ttl = Math.min(Math.max(least, least_ttl), longest_ttl)
  const about = { host, type: typeName(type) }
  const warnings: Warning[] = []
  if (least !== Math.max(...ttls)) {
    const message = `Line ${line}: a set has one TTL; it takes the least, ${least} s.`
    warnings.push({ code: 'ttls_differed', ...about, message })
  }
  if (ttl !== least) {
    const message = `Line ${line}: the TTL of ${least} s was set to ${ttl} s, the nearest here.`
    warnings.push({ code: 'ttl_set', ...about, message })
  }
  const rdata = sortedRdata(records.map((one) => one.rdata))
  const places = new Map(records.map((one) => [octetsKey(one.rdata), { loc, line: one.line }]))
  return { set: { host, type, ttl, rdata, loc, line, places }, warnings }
}
