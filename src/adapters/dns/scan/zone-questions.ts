// Asks an authoritative server for usual names, follows records that lead to other names of the
// zone, and distinguishes its own names from those that a wildcard answers (RFC 4592).
import { randomBytes } from 'node:crypto'
import type { Message } from '../../../dns/message/read-message.ts'
import { isWithin } from '../../../dns/name.ts'
import { targetsOf } from '../../../dns/rdata/rdata.ts'
import { rrType } from '../../../dns/types.ts'
import { rcodes } from '../rcodes.ts'
import { FoundSets, foundKey } from './found-sets.ts'
import { isAuthoritative, type ScanQuestion } from './scan-question.ts'
import type { ScannedAddress } from './scanned-address.ts'

/** A full name of the zone, and the types to ask for. */
export type NameQuestions = { name: string; types: readonly number[] }

const names_at_once = 12
/** The most questions to one server, so that even an endless chain comes to an end. */
const most_followed = 100
/** The most questions in a row that may stay without an answer. */
const most_silent = 16
const addresses: readonly number[] = [rrType.a, rrType.aaaa]
const leading: readonly number[] = [rrType.cname, rrType.mx, rrType.srv, rrType.ns]

type Seen = {
  own: FoundSets
  /** The types that the server answered for. */
  seen: Set<number>
}

/** The types that a random name below a parent has, with their values in hexadecimal. */
type Wildcard = ReadonlyMap<number, ReadonlySet<string>>

export class ZoneQuestions {
  readonly #address: ScannedAddress
  readonly #zone: string
  readonly #queue: NameQuestions[]
  readonly #queued: Set<string>
  readonly #types: Map<string, Set<number>> = new Map()
  readonly #wildcards = new Map<string, Promise<Wildcard>>()
  readonly #delegated = new Set<string>()
  readonly found: FoundSets
  /** Keys of the sets that it answered for, whether they exist or not. */
  readonly asked = new Set<string>()
  #followed = 0
  #silent = 0
  /** The number of questions without an answer. */
  unanswered = 0

  constructor(address: ScannedAddress, zone: string, questions: readonly NameQuestions[]) {
    this.#address = address
    this.#zone = zone
    this.#queue = [...questions]
    this.#queued = new Set(questions.map(({ name }) => name))
    this.found = new FoundSets(zone)
    for (const { name, types } of questions) {
      const parent = parentOf(name, zone)
      if (parent === null) continue
      const all = this.#types.get(parent) ?? new Set()
      for (const type of types) all.add(type)
      this.#types.set(parent, all)
    }
  }

  /** Returns false if the server stopped answering. Rejects once the scan is over. */
  async run(): Promise<boolean> {
    await this.#wildcardAt(this.#zone)
    const work = async () => {
      while (!this.#isSilent) {
        const next = this.#queue.shift()
        if (!next) return
        await this.#askName(next)
      }
    }
    // Repeats until none of them adds a name.
    while (this.#queue.length > 0 && !this.#isSilent)
      await Promise.all(Array.from({ length: names_at_once }, work))
    return !this.#isSilent
  }

  get #isSilent(): boolean {
    return this.#silent >= most_silent
  }

  /** Sets count only once they are known to be the name's own, because the scan may end before. */
  async #askName({ name, types }: NameQuestions): Promise<void> {
    const seen = new Set<number>()
    const own = name === this.#zone ? this.found : new FoundSets(this.#zone)
    for (const type of types) {
      if ([...this.#delegated].some((cut) => isWithin(name, cut))) return
      const answer = await this.#ask(name, type)
      if (this.#isSilent) break
      // If a name does not exist, or is an alias, the other types are known, too.
      if (answer && this.#take(answer, { name, type }, { own, seen })) {
        for (const other of types) seen.add(other)
        break
      }
    }
    for (const type of seen) this.asked.add(foundKey({ name, type }))
    if (own === this.found || (await this.#isFromWildcard(name, { own, seen }))) return
    this.found.addAll(own)
  }

  async #ask(name: string, type: number): Promise<Message | null> {
    const answer = await this.#address.ask({ name, type })
    this.#silent = answer ? 0 : this.#silent + 1
    if (!answer) this.unanswered += 1
    return answer
  }

  /** Whether the name needs no further questions. */
  #take(answer: Message, { name, type }: ScanQuestion, { own, seen }: Seen): boolean {
    if (answer.rcode === rcodes.nxdomain && isAuthoritative(answer)) return true
    if (answer.rcode !== rcodes.noerror) return false
    if (!isAuthoritative(answer)) return this.#takeReferral(answer, name)
    seen.add(type).add(rrType.cname)
    for (const record of answer.answer) {
      const isDname = record.type === rrType.dname && isWithin(name, record.name)
      const isOwn = record.name === name && (record.type === type || record.type === rrType.cname)
      if (!isOwn && !isDname) continue
      own.add(record)
      this.#follow(record)
    }
    return own.at(name, rrType.cname) !== undefined
  }

  /** A delegation below the zone (RFC 1034 4.3.2): its NS, DS and glue. */
  #takeReferral(answer: Message, name: string): boolean {
    const cut = answer.authority.find(
      (one) => one.type === rrType.ns && one.name !== this.#zone && isWithin(name, one.name),
    )?.name
    if (cut === undefined || !isWithin(cut, this.#zone)) return false
    this.#delegated.add(cut)
    for (const record of answer.authority)
      if (record.name === cut && (record.type === rrType.ns || record.type === rrType.ds))
        this.found.add(record)
    const hosts = this.found.at(cut, rrType.ns)?.rdata.flatMap((one) => targetsOf(rrType.ns, one))
    for (const record of answer.additional)
      if (addresses.includes(record.type) && hosts?.includes(record.name)) this.found.add(record)
    return true
  }

  #follow({ type, value }: Message['answer'][number]): void {
    if ('problem' in value || !leading.includes(type)) return
    for (const name of targetsOf(type, value.rdata)) {
      if (!isWithin(name, this.#zone) || this.#queued.has(name)) continue
      if (this.#followed >= most_followed) return
      this.#followed += 1
      this.#queued.add(name)
      this.#queue.push({ name, types: addresses })
    }
  }

  /**
   * If a name gives the answer that any name there would give, it is not one of the zone's own
   * names.
   */
  async #isFromWildcard(name: string, { own, seen }: Seen): Promise<boolean> {
    const parent = parentOf(name, this.#zone)
    if (parent === null || own.sets.size === 0) return false
    const wildcard = await this.#wildcardAt(parent)
    const isSame = (type: number) => {
      const rdata = own.at(name, type)?.rdata ?? []
      const values = wildcard.get(type)
      return values
        ? rdata.length > 0 && rdata.every((one) => values.has(hex(one)))
        : rdata.length === 0
    }
    return wildcard.size > 0 && [...seen].every(isSame)
  }

  async #wildcardAt(parent: string): Promise<Wildcard> {
    const known = this.#wildcards.get(parent) ?? this.#askWildcard(parent)
    this.#wildcards.set(parent, known)
    return await known
  }

  /**
   * Asks for two random names, since answers may alternate. The sets are those of "*" at the
   * parent, unless a wildcard above it has answered.
   */
  async #askWildcard(parent: string): Promise<Wildcard> {
    const star = `*.${parent}`
    const found = new Map<number, Set<string>>()
    const probe = new FoundSets(this.#zone)
    for (let turn = 0; turn < 2; turn += 1) {
      const name = `${randomBytes(8).toString('hex')}.${parent}`
      for (const type of this.#types.get(parent) ?? new Set(addresses)) {
        const answer = await this.#ask(name, type)
        if (!answer || answer.rcode !== rcodes.noerror || !isAuthoritative(answer)) break
        const own = answer.answer.filter((one) => one.name === name)
        for (const record of own) {
          probe.add({ ...record, name: star })
          if ('problem' in record.value) continue
          const values = found.get(record.type) ?? new Set()
          found.set(record.type, values.add(hex(record.value.rdata)))
        }
        if (own.some((one) => one.type === rrType.cname)) break
      }
      if (found.size === 0) return found
    }
    if (await this.#isOfAbove(found, parent)) return found
    for (const type of found.keys()) this.asked.add(foundKey({ name: star, type }))
    this.found.addAll(probe)
    return found
  }

  async #isOfAbove(found: Wildcard, parent: string): Promise<boolean> {
    const next = parentOf(parent, this.#zone)
    if (next === null) return false
    const above = await this.#wildcardAt(next)
    return [...found].every(([type, values]) =>
      [...values].every((value) => above.get(type)?.has(value)),
    )
  }
}

function hex(rdata: Buffer): string {
  return rdata.toString('hex')
}

/** The name above, within the zone, or null if it is the zone itself. */
function parentOf(name: string, zone: string): string | null {
  if (name === zone) return null
  const dot = /(?<!\\)(?:\\\\)*\./.exec(name)
  return dot ? name.slice(dot.index + dot[0].length) : null
}
