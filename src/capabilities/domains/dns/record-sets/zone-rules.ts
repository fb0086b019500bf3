// The rules of a zone as a whole (RFC 1034, 2181, 4592, 5321, 7208), checked on its state after a
// change. A problem is reported at the place in the request that caused it.

import { targetsOf } from '../../../../dns/rdata/rdata.ts'
import { rrType, typeName } from '../../../../dns/types.ts'
import type { FieldReader } from '../../../../kit/field-reader.ts'
import type { DomainName } from '../../../../kit/random.ts'
import {
  most_set_octets,
  most_values,
  octetsKey,
  octetsOf,
  type Place,
  type PlacedSet,
  type RecordSet,
  type RecordSets,
  setKey,
  wholeName,
} from './record-set.ts'

type Checked = {
  domain: DomainName
  before: RecordSets
  /** The sets as they will be. */
  sets: RecordSets
  /** The sets that the request changes, by setKey. */
  changed: ReadonlyMap<string, PlacedSet>
}
type Names = {
  domain: DomainName
  /** The sets of each whole name. */
  byName: ReadonlyMap<string, readonly RecordSet[]>
  /** The whole names below the apex that have NS. */
  cuts: ReadonlySet<string>
  /** The names below each of them. */
  below: ReadonlyMap<string, readonly string[]>
  /** The whole names that NS sets of delegations point to, with those sets. */
  glue: ReadonlyMap<string, readonly RecordSet[]>
  /** By whole name, a set that points to it and may not point to an alias. */
  pointers: ReadonlyMap<string, RecordSet>
}

/** Notes every broken rule with the reader. */
export function checkZone(reader: FieldReader, checked: Checked): void {
  const names = namesOf(checked)
  for (const placed of checked.changed.values()) {
    const set = checked.sets.get(setKey(placed))
    const former = checked.before.get(setKey(placed))
    const broken = set ? problemOf(set, names) : problemOfDeletion(placed, names)
    const problem = broken ?? (former ? formerGlue(former, names) : null)
    if (!problem) continue
    const at = broken !== null && set ? valueAt(broken, { placed, set, names }) : undefined
    const { loc, line } = at ?? placed
    const where = line === undefined ? '' : `Line ${line}: `
    reader.refuse([...loc], `${where}${problem}`, 'dns_rule')
  }
}

type Broken = { placed: PlacedSet; set: RecordSet; names: Names }

/** The place of the value without which the set would not have the problem. */
function valueAt(problem: string, { placed, set, names }: Broken): Place | undefined {
  if (size(set)) return undefined
  const placeOf = (octets: Buffer) => placed.places?.get(octetsKey(octets))
  const value = set.rdata.findLast((one) => {
    const rdata = set.rdata.filter((other) => other !== one)
    return placeOf(one) && problemOf({ ...set, rdata }, names) !== problem
  })
  return value && placeOf(value)
}

function namesOf({ domain, sets }: Checked): Names {
  const byName = grouped([...sets.values()].map((set) => [wholeName(set.host, domain), set]))
  const delegations = [...sets.values()].filter(({ type }) => type === rrType.ns)
  const cuts = new Set(delegations.map(({ host }) => wholeName(host, domain)))
  const pointers = [...sets.values()].filter(({ type }) => pointing.includes(type))
  return {
    domain,
    byName,
    cuts,
    below: grouped(
      [...byName.keys()].flatMap((name) =>
        ancestorsOf(name, domain).flatMap((one) => (cuts.has(one) ? [[one, name] as const] : [])),
      ),
    ),
    glue: grouped(delegations.flatMap((set) => targets(set).map((name) => [name, set] as const))),
    pointers: new Map(pointers.flatMap((set) => targets(set).map((name) => [name, set]))),
  }
}

function grouped<T>(pairs: readonly (readonly [string, T])[]): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const [key, one] of pairs) {
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return groups
}

function targets(set: RecordSet): string[] {
  return set.rdata.flatMap((one) => targetsOf(set.type, one))
}

const rules = [size, alias, spf, delegation, occlusion, signer, pointers] as const

function problemOf(set: RecordSet, names: Names): string | null {
  for (const rule of rules) {
    const problem = rule(set, names)
    if (problem) return problem
  }
  return null
}

/** The rule that a set breaks by itself, whatever else the zone has, or null. */
export function problemOfSet(set: RecordSet): string | null {
  return size(set) ?? spf(set)
}

function size(set: RecordSet): string | null {
  if (set.rdata.length > most_values)
    return `A set has at most ${most_values} values; this one would have ${set.rdata.length}`
  const octets = octetsOf(set)
  return octets > most_set_octets
    ? `A set has at most ${most_set_octets} octets; this one would have ${octets}`
    : null
}

/** RFC 1034 3.6.2, RFC 2181 10.1. */
function alias(set: RecordSet, { domain, byName }: Names): string | null {
  const name = wholeName(set.host, domain)
  if (set.type === rrType.cname) {
    if (set.host === '@')
      return (
        'The domain itself cannot be a CNAME, as it has NS and SOA records (RFC 1034 3.6.2): set ' +
        'A and AAAA, or HTTPS with "0 target.example."'
      )
    if (set.rdata.length > 1) return 'A name has one CNAME only (RFC 2181 10.1)'
  }
  const others = (byName.get(name) ?? []).filter(({ type }) => type !== set.type)
  const against =
    set.type === rrType.cname ? others[0] : others.find(({ type }) => type === rrType.cname)
  if (!against) return null
  return (
    `A CNAME stands alone at its name (RFC 1034 3.6.2): "${set.host}" also has ` +
    `${typeName(against.type)}; delete that set in the same request`
  )
}

/** RFC 7208 3.2. */
function spf(set: RecordSet): string | null {
  if (set.type !== rrType.txt) return null
  const policies = set.rdata.filter((one) => /^v=spf1(?: |$)/i.test(textOf(one)))
  return policies.length > 1
    ? 'A name has one SPF policy only (RFC 7208 3.2): put all senders into one "v=spf1" value'
    : null
}

/** The text at the beginning of the first character-string. */
function textOf(rdata: Buffer): string {
  return rdata.toString('latin1', 1, 1 + Math.min(rdata[0] ?? 0, 16))
}

/** RFC 1034 4.2.1, RFC 4592 4.2. */
function delegation(set: RecordSet, names: Names): string | null {
  if (set.type !== rrType.ns) return null
  const { domain, byName, cuts, glue, below } = names
  if (set.host.startsWith('*')) return 'A wildcard cannot be delegated (RFC 4592 4.2)'
  const cut = wholeName(set.host, domain)
  const hidden = below
    .get(cut)
    ?.find((name) =>
      byName.get(name)?.some((one) => !isGlue(one, glue.has(name)) || cuts.has(name)),
    )
  if (hidden !== undefined)
    return (
      `This delegation would hide the records of "${hidden}": only the addresses of its own ` +
      'name servers may stand below it; delete the others in the same request'
    )
  const without = targets(set).find(
    (target) =>
      (target === cut || isBelow(target, cut)) &&
      !(byName.get(target) ?? []).some(({ type }) => isAddress(type)),
  )
  return without === undefined
    ? null
    : `The name server "${without}" is within the delegation, so it needs an A or AAAA set here ` +
        '(glue): set it in the same request'
}

/** We do not answer for records below a delegation, except glue. */
function occlusion(set: RecordSet, { domain, byName, cuts, glue }: Names): string | null {
  const name = wholeName(set.host, domain)
  const at_cut = cuts.has(name) && set.type !== rrType.ns
  if (at_cut && set.type !== rrType.ds && !isGlue(set, glue.has(name)))
    return (
      `"${set.host}" is delegated (it has NS records), so its other records are its own name ` +
      `servers' to answer: only DS and glue may stand beside them`
    )
  const above = ancestorsOf(name, domain).find((one) => cuts.has(one))
  if (above === undefined || isGlue(set, glue.has(name))) return null
  const there = (byName.get(above) ?? []).find(({ type }) => type === rrType.ns)
  return (
    `"${there?.host ?? above}" is delegated to other name servers, so this record would never be ` +
    'answered: set it there'
  )
}

function isGlue(set: RecordSet, isTarget: boolean): boolean {
  return isTarget && isAddress(set.type)
}

function isAddress(type: number): boolean {
  return type === rrType.a || type === rrType.aaaa
}

/** RFC 4034 part 5, RFC 4035 2.4. */
function signer(set: RecordSet, { domain, cuts }: Names): string | null {
  if (set.type !== rrType.ds || cuts.has(wholeName(set.host, domain))) return null
  return set.host === '@'
    ? 'The DS records of the domain itself belong to its registry, not into its zone'
    : `DS stands only beside NS (RFC 4035 2.4): "${set.host}" is not delegated`
}

const pointing: readonly number[] = [rrType.mx, rrType.ns, rrType.srv]

/** RFC 2181 10.3, RFC 2782. */
function pointers(
  set: RecordSet,
  { byName, domain, pointers: pointing_here }: Names,
): string | null {
  if (pointing.includes(set.type)) {
    const aliased = targets(set).find((target) => isAlias(byName.get(target)))
    if (aliased !== undefined)
      return (
        `${typeName(set.type)} may not point to a CNAME (RFC 2181 10.3), which "${aliased}" has: ` +
        'point to the name behind it'
      )
  }
  if (set.type !== rrType.cname) return null
  const other = pointing_here.get(wholeName(set.host, domain))
  return other
    ? `"${other.host}" ${typeName(other.type)} points here, and may not point to a CNAME ` +
        '(RFC 2181 10.3): set A and AAAA, or point it elsewhere'
    : null
}

function isAlias(sets: readonly RecordSet[] = []): boolean {
  return sets.some(({ type }) => type === rrType.cname)
}

/** Deleted NS may leave DS and glue behind, and a deleted address a delegation without glue. */
function problemOfDeletion(deleted: PlacedSet, names: Names): string | null {
  const { domain, byName, glue } = names
  const name = wholeName(deleted.host, domain)
  if (deleted.type === rrType.ns) {
    const ds = (byName.get(name) ?? []).find(({ type }) => type === rrType.ds)
    return ds
      ? 'DS stands only beside NS (RFC 4035 2.4): delete that set in the same request'
      : null
  }
  if (!isAddress(deleted.type)) return null
  for (const set of glue.get(name) ?? []) {
    const problem = delegation(set, names)
    if (problem) return problem
  }
  return null
}

/** Whether addresses were glue of a delegation elsewhere in the zone, and no longer are. */
function formerGlue(former: RecordSet, { domain, byName, cuts, glue }: Names): string | null {
  if (former.type !== rrType.ns) return null
  const hidden = targets(former).find(
    (target) =>
      !glue.has(target) &&
      byName.get(target)?.some(({ type }) => isAddress(type)) &&
      [target, ...ancestorsOf(target, domain)].some((one) => cuts.has(one)),
  )
  return hidden === undefined
    ? null
    : `No NS record would point to "${hidden}" any more, and a delegation hides its addresses: ` +
        'delete them in the same request'
}

function isBelow(name: string, above: string): boolean {
  return name.endsWith(`.${above}`)
}

/** The names between a name and the apex, without these two, the longest first. */
function ancestorsOf(name: string, domain: DomainName): string[] {
  const labels = name.slice(0, -domain.length - 1).split('.')
  return name === domain
    ? []
    : labels.slice(1).map((_, at) => `${labels.slice(at + 1).join('.')}.${domain}`)
}
