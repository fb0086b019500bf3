// The record sets that a server showed, as far as a scan keeps them: they are bounded, canonical,
// and within the zone.
import type { Message } from '../../../dns/message/read-message.ts'
import { isWithin } from '../../../dns/name.ts'
import { rrType } from '../../../dns/types.ts'
import { classIn } from '../rcodes.ts'

/** The names are as `parseName` returns them, and the RDATA is canonical, with each value once. */
export type FoundSet = { name: string; type: number; ttl: number; rdata: Buffer[] }
/** A set that exists, but cannot be imported. */
export type UnreadSet = { name: string; type: number; problem: string }

type FoundRecord = Message['answer'][number]

const most_found_sets = 4_000
const most_values = 500
const most_octets = 2 * 1_048_576

export function foundKey({ name, type }: Pick<FoundSet, 'name' | 'type'>): string {
  return `${name} ${type}`
}

export class FoundSets {
  readonly zone: string
  readonly sets = new Map<string, FoundSet>()
  readonly unread = new Map<string, UnreadSet>()
  #octets = 0
  /** Whether a limit left out something that was found. */
  isFull = false

  constructor(zone: string) {
    this.zone = zone
  }

  /** Records of other classes, or outside the zone, do not belong to it. */
  add({ name, type, class: of, ttl, value }: FoundRecord): void {
    if (of !== classIn || !isWithin(name, this.zone) || type === rrType.opt) return
    const key = foundKey({ name, type })
    if ('problem' in value) {
      if (this.unread.size < most_found_sets)
        this.unread.set(key, { name, type, problem: value.problem })
      return
    }
    const set = this.sets.get(key)
    if (set?.rdata.some((one) => one.equals(value.rdata))) return
    const isTooMuch =
      this.#octets + value.rdata.length > most_octets ||
      (set ? set.rdata.length >= most_values : this.sets.size >= most_found_sets)
    if (isTooMuch) {
      this.isFull = true
      return
    }
    this.#octets += value.rdata.length
    if (set) {
      set.rdata.push(value.rdata)
      // A set has one TTL (RFC 2181 5.2).
      set.ttl = Math.min(set.ttl, ttl)
    } else this.sets.set(key, { name, type, ttl, rdata: [value.rdata] })
  }

  addAll({ sets, unread }: FoundSets): void {
    for (const { rdata, ...set } of sets.values())
      for (const value of rdata) this.add({ ...set, class: classIn, value: { rdata: value } })
    for (const { problem, ...set } of unread.values())
      this.add({ ...set, class: classIn, ttl: 0, value: { problem } })
  }

  at(name: string, type: number): FoundSet | undefined {
    return this.sets.get(foundKey({ name, type }))
  }
}
