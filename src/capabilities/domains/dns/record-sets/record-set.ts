// The record sets of a holding in memory, as they are checked and compared.

import { createHash } from 'node:crypto'
import { typeName } from '../../../../dns/types.ts'
import type { DomainName } from '../../../../kit/random.ts'
import { pathOf } from '../zones.ts'

/** All values of one host and type (RFC 2181 part 5). */
export type RecordSet = {
  /** The host relative to the domain: "@", "www", "*". */
  host: string
  type: number
  ttl: number
  /** Canonical RDATA octets, sorted, each once. A set without any is to be deleted. */
  rdata: readonly Buffer[]
}

/** A set with its place in the request, for a problem at that place. */
export type PlacedSet = RecordSet &
  Place & {
    /**
     * The places of its values, by octetsKey; a value that is left out has the place of the set.
     */
    places?: ReadonlyMap<string, Place>
  }
export type Place = {
  loc: readonly (string | number)[]
  /** The line of the zone file that it came from. */
  line?: number
}

/** Record sets by setKey. */
export type RecordSets = ReadonlyMap<string, RecordSet>

export const most_sets = 4_000
export const most_values = 100
export const most_set_octets = 16_384
/** A zone may be no larger than this, so that a whole zone fits into one request. */
export const most_zone_octets = 524_288
export const default_ttl = 3_600
export const least_ttl = 60
export const longest_ttl = 86_400

export function setKey({ host, type }: Pick<RecordSet, 'host' | 'type'>): string {
  return `${host} ${type}`
}

export function octetsKey(octets: Buffer): string {
  return octets.toString('hex')
}

/** The whole name of a host: "www" of example.com is www.example.com. */
export function wholeName(host: string, domain: DomainName): string {
  return host === '@' ? domain : `${host}.${domain}`
}

export function recordPath(host: string, domain: DomainName): string {
  return pathOf(wholeName(host, domain))
}

/** The values sorted as octets, each once, because their order has no meaning (RFC 2181 5). */
export function sortedRdata(values: readonly Buffer[]): Buffer[] {
  const sorted = [...values].sort(Buffer.compare)
  return sorted.filter((one, at) => at === 0 || !one.equals(sorted[at - 1] ?? Buffer.alloc(0)))
}

export function octetsOf({ rdata }: Pick<RecordSet, 'rdata'>): number {
  return rdata.reduce((sum, one) => sum + one.length, 0)
}

export function isSameSet(one: RecordSet | undefined, other: RecordSet | undefined): boolean {
  if (!one || !other) return one === other
  return one.ttl === other.ttl && isSameRdata(one.rdata, other.rdata)
}

function isSameRdata(one: readonly Buffer[], other: readonly Buffer[]): boolean {
  return one.length === other.length && one.every((value, at) => other[at]?.equals(value))
}

/** The entity tag of a set (RFC 9110 8.8.3), which changes with its values and its TTL. */
export function etagOf({ host, type, ttl, rdata }: RecordSet): string {
  const hash = createHash('sha256').update(JSON.stringify([host, type, ttl]))
  for (const one of rdata) hash.update(`${one.length} `).update(one)
  return `"${hash.digest('base64url').slice(0, 22)}"`
}

/** The title of a set for people and logs: "www A". */
export function titleOf({ host, type }: Pick<RecordSet, 'host' | 'type'>): string {
  return `${host} ${typeName(type)}`
}
