// Writes a zone file that every name server reads: one record on each line, with absolute names, in
// canonical order (RFC 4034 section 6).
import { absolute, nameToWire, withSignsEscaped } from '../name.ts'
import { writeFileRdata } from '../rdata/rdata.ts'
import { fileTypeName, rrType } from '../types.ts'

/** The record set of a name and a type. `name` is as in `parseName`, and `ttl` is in seconds. */
export type RecordSet = { name: string; type: number; ttl: number; rdata: readonly Buffer[] }

type ZoneContents = {
  /** The zone's name. */
  origin: string
  sets: readonly RecordSet[]
  /** The sets at the apex that are not among `sets`. */
  soa?: { ttl: number; rdata: Buffer }
  ns?: { ttl: number; rdata: readonly Buffer[] }
}

/** Converts canonical RDATA into text. Types without their own text are written by RFC 3597. */
export function writeZoneFile({ origin, sets, soa, ns }: ZoneContents): string {
  const all = [...sets]
  if (soa) all.push({ name: origin, type: rrType.soa, ttl: soa.ttl, rdata: [soa.rdata] })
  if (ns) all.push({ name: origin, type: rrType.ns, ttl: ns.ttl, rdata: ns.rdata })
  const sorted = all
    .map((set) => ({ set, key: sortKey(set.name) }))
    .sort((one, other) => compare(one.key, other.key) || rank(one.set) - rank(other.set))
  const lines = sorted.flatMap(({ set }) => linesOf(set))
  return [`$ORIGIN ${absolute(origin)}`, ...lines, ''].join('\n')
}

function linesOf({ name, type, ttl, rdata }: RecordSet): string[] {
  const head = `${absolute(withSignsEscaped(name))} ${ttl} IN ${fileTypeName(type)}`
  return [...rdata].sort(Buffer.compare).map((value) => `${head} ${writeFileRdata(type, value)}`)
}

/** The SOA comes first at its name, since readers expect it there. */
function rank({ type }: RecordSet): number {
  return type === rrType.soa ? 0 : type
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}

/**
 * RFC 4034 section 6.1: labels are compared from the right, octet by octet, and the shorter one
 * comes first. Each octet is a character above the one that ends a label.
 */
function sortKey(name: string): string {
  const wire = nameToWire(name)
  const labels: string[] = []
  for (let at = 0; (wire[at] ?? 0) > 0; at += 1 + (wire[at] ?? 0)) {
    const octets = wire.subarray(at + 1, at + 1 + (wire[at] ?? 0))
    labels.unshift(String.fromCharCode(...Array.from(octets, (octet) => octet + 1)))
  }
  return labels.join('\0')
}
