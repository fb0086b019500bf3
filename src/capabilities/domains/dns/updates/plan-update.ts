// The sets of a zone after an update (RFC 2136 2.5 and 3.4), as edits for change-records.ts. Pure.
import { rrClass } from '../../../../dns/message/read-message.ts'
import { dnssecTypes, isMetaType, rrType } from '../../../../dns/types.ts'
import type { DomainName } from '../../../../kit/random.ts'
import type { WantedSet } from '../record-sets/plan-records.ts'
import { readRecordHost } from '../record-sets/record-host.ts'
import {
  default_ttl,
  least_ttl,
  longest_ttl,
  type RecordSet,
  type RecordSets,
  setKey,
  sortedRdata,
} from '../record-sets/record-set.ts'
import {
  type MessageRecord,
  malformed,
  UpdateRefused,
  type ZoneRecord,
  zoneRecordOf,
} from './update-message.ts'

type Zone = {
  domain: DomainName
  sets: RecordSets
  /** The SOA and NS of the domain itself. */
  managed: readonly RecordSet[]
}
/** The values are a map, so that the cost of many values of one set stays linear. */
type Draft = { host: string; type: number; ttl: number; values: Map<string, Buffer> }

/** The whole sets that it changes; one without values is deleted. Throws UpdateRefused. */
export function planUpdate(wanted: readonly MessageRecord[], zone: Zone): WantedSet[] {
  const updates = wanted.map((one) => wellFormed(zoneRecordOf(one, zone.domain)))
  const drafts = new Drafts(zone.sets)
  for (const update of updates) {
    if (update.class === rrClass.in) add(drafts, update, zone)
    else if (update.class === rrClass.none) removeValue(drafts, update, zone)
    else if (update.type === rrType.any) drafts.removeName(update.host)
    else if (!isKept(update)) drafts.remove(update)
  }
  return drafts.changed()
}

/** Checks the form before anything is changed (RFC 2136 3.4.1). */
function wellFormed(update: ZoneRecord): ZoneRecord {
  const { class: of, type, ttl, rdata } = update
  // ANY stands for all types, in the class ANY alone; no record has another of these.
  if (isMetaType(type) && !(of === rrClass.any && type === rrType.any)) throw malformed()
  if (of === rrClass.in) return update
  if (ttl !== 0 || (of !== rrClass.any && of !== rrClass.none)) throw malformed()
  if (of === rrClass.any && rdata.length > 0) throw malformed()
  return update
}

/**
 * Whether it is an SOA or NS of the domain itself, which deletions leave (RFC 2136 3.4.2.3,
 * 3.4.2.4).
 */
function isKept({ host, type }: ZoneRecord): boolean {
  return type === rrType.soa || (host === '@' && type === rrType.ns)
}

function add(drafts: Drafts, update: ZoneRecord, { domain, managed }: Zone): void {
  const { host, type, ttl, rdata } = update
  if (isKept(update)) {
    if (isWithoutEffect(update, managed)) return
    throw new UpdateRefused('refused', 'dns_type_managed')
  }
  if (dnssecTypes.has(type)) throw new UpdateRefused('refused', 'dns_type_managed')
  if ('problem' in readRecordHost(host, domain)) throw new UpdateRefused('refused', 'dns_host')
  // An alias stands alone: what comes second is left out without an error (RFC 2136 3.4.2.2).
  const types = drafts.typesAt(host)
  const isAlias = type === rrType.cname
  if (isAlias && (host === '@' || types.some((one) => one !== rrType.cname))) return
  if (!isAlias && types.includes(rrType.cname)) return
  if (isAlias) drafts.remove(update)
  const bounded = Math.min(Math.max(ttl, least_ttl), longest_ttl)
  drafts.add({ host, type }, { ttl: bounded, rdata })
}

/**
 * Whether it adds nothing: a present name server, an SOA elsewhere than at the domain itself, or
 * one whose serial is not later (RFC 2136 3.4.2.2, RFC 1982).
 */
function isWithoutEffect(update: ZoneRecord, managed: readonly RecordSet[]): boolean {
  const { host, type, rdata } = update
  const there = managed.find((one) => setKey(one) === setKey(update))
  if (type !== rrType.soa) return there?.rdata.some((one) => one.equals(rdata)) ?? false
  if (host !== '@') return true
  const [soa] = there?.rdata ?? []
  if (!soa) return false
  const ahead = (serialOf(rdata) - serialOf(soa)) >>> 0
  return ahead === 0 || ahead >= 2 ** 31
}

/** The serial, which is the first of the five numbers at the end of an SOA's RDATA. */
function serialOf(soa: Buffer): number {
  return soa.readUInt32BE(soa.length - 20)
}

function removeValue(drafts: Drafts, update: ZoneRecord, { managed }: Zone): void {
  if (!isKept(update)) {
    drafts.removeValue(update, update.rdata)
    return
  }
  const there = managed.find((one) => setKey(one) === setKey(update))
  // Deleting the only name server is no error and has no effect; one of several cannot be deleted.
  const isOne = update.type === rrType.ns && there && there.rdata.length > 1
  if (isOne && there.rdata.some((one) => one.equals(update.rdata)))
    throw new UpdateRefused('refused', 'dns_type_managed')
}

type Place = { host: string; type: number }

/** The sets of a zone while an update is applied, record by record. */
class Drafts {
  readonly #before: RecordSets
  readonly #drafts = new Map<string, Draft>()
  readonly #types = new Map<string, Set<number>>()

  constructor(before: RecordSets) {
    this.#before = before
    for (const { host, type } of before.values()) this.#note(host, type)
  }

  typesAt(host: string): number[] {
    return [...(this.#types.get(host) ?? [])]
  }

  add(place: Place, { ttl, rdata }: { ttl: number; rdata: Buffer }): void {
    const draft = this.#draft(place)
    draft.ttl = ttl
    draft.values.set(rdata.toString('latin1'), rdata)
    this.#note(place.host, place.type)
  }

  remove(place: Place): void {
    if (!this.#types.get(place.host)?.delete(place.type)) return
    this.#draft(place).values.clear()
  }

  removeValue(place: Place, rdata: Buffer): void {
    if (!this.#types.get(place.host)?.has(place.type)) return
    const draft = this.#draft(place)
    draft.values.delete(rdata.toString('latin1'))
    if (draft.values.size === 0) this.remove(place)
  }

  removeName(host: string): void {
    for (const type of this.typesAt(host)) this.remove({ host, type })
  }

  changed(): WantedSet[] {
    return [...this.#drafts.values()].map(({ host, type, ttl, values }) => ({
      ...{ host, type, ttl, loc: ['updates'] },
      rdata: sortedRdata([...values.values()]),
    }))
  }

  #note(host: string, type: number): void {
    const types = this.#types.get(host)
    if (types) types.add(type)
    else this.#types.set(host, new Set([type]))
  }

  #draft({ host, type }: Place): Draft {
    const key = setKey({ host, type })
    const known = this.#drafts.get(key)
    if (known) return known
    const before = this.#before.get(key)
    const values = new Map((before?.rdata ?? []).map((one) => [one.toString('latin1'), one]))
    const draft = { host, type, ttl: before?.ttl ?? default_ttl, values }
    this.#drafts.set(key, draft)
    return draft
  }
}
