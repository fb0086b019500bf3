// The answer of a zone of ours to a question (RFC 1034 4.3.2, wildcards RFC 4592, negative answers
// RFC 2308). Pure: the records of the names were looked up before.
import type { Answer } from 'dns-packet'
import { type Question, rcodes, types } from './dns-query.ts'
import type { Address, Found, Glue, NameFound, Zone } from './port.ts'
import { gluedWithin, isWithin, soaNames, times } from './zone-defaults.ts'

export type Reply = {
  rcode: number
  authoritative: boolean
  answers: Answer[]
  authorities: Answer[]
  /** Left out first where an answer does not fit. */
  additionals: Answer[]
}

export function emptyReply(rcode: number): Reply {
  return { rcode, authoritative: false, answers: [], authorities: [], additionals: [] }
}

/** The answer; REFUSED where the name is in no zone of ours. */
export function answerOf(question: Question, found: Found | undefined, glue: Glue): Reply {
  if (!found) return emptyReply(rcodes.refused)
  const { zone } = found
  const positive = (answers: Answer[], additionals: Answer[] = []): Reply => {
    return { rcode: rcodes.noerror, authoritative: true, answers, authorities: [], additionals }
  }
  const negative = (rcode: number): Reply => {
    const soa = soaOf(zone, times.minimum)
    return { rcode, authoritative: true, answers: [], authorities: [soa], additionals: [] }
  }
  const asked = question.asked ?? ''
  const there = thereAt(question, found, glue)
  if (!there) return negative(rcodes.nxdomain)
  const { type } = question
  // Of ANY, one set is enough (RFC 8482 4.1).
  if (there.address && (type === types.a || type === types.any))
    return positive([addressOf(asked, there.address)])
  const apex = asked.toLowerCase() === zone.name
  if (apex && (type === types.ns || type === types.any))
    return positive(nameserversOf(asked, zone), glueOf(zone, glue))
  if (apex && type === types.soa) return positive([soaOf({ ...zone, name: asked }, times.soa_ttl)])
  return negative(rcodes.noerror)
}

/** The match of the question: its own name, a wildcard in its place, or nothing. */
function thereAt(
  question: Question,
  { zone, names }: Found,
  glue: Glue,
): { address: Address | null } | undefined {
  const own = question.asked?.toLowerCase()
  const exists = (one: NameFound) =>
    one.name === zone.name ||
    one.address !== null ||
    one.has_below ||
    gluedWithin(zone, glue).some(([name]) => isWithin(name, one.name))
  // The closest encloser (RFC 4592 3.3.1): only the wildcard right below it may stand in.
  const closest = names.find(exists)
  if (!closest || own === undefined) return undefined
  if (closest.name === own) return { address: closest.address ?? glueAt(own, glue) }
  return closest.wildcard ? { address: closest.wildcard } : undefined
}

function glueAt(name: string, glue: Glue): Address | null {
  const value = glue.get(name)
  return value === undefined ? null : { value, ttl: times.glue_ttl }
}

function addressOf(name: string, { value, ttl }: Address): Answer {
  return { type: 'A', name, ttl, data: value }
}

function nameserversOf(name: string, { nameservers }: Zone): Answer[] {
  return nameservers.map((data) => ({ type: 'NS', name, ttl: times.ns_ttl, data }))
}

function glueOf({ nameservers }: Zone, glue: Glue): Answer[] {
  return nameservers.flatMap((name) => {
    const known = glueAt(name, glue)
    return known ? [addressOf(name, known)] : []
  })
}

function soaOf(zone: Zone, ttl: number): Answer {
  const { serial } = zone
  const { refresh, retry, expire, minimum } = times
  const data = { ...soaNames(zone), serial, refresh, retry, expire, minimum }
  return { type: 'SOA', name: zone.name, ttl, data }
}
