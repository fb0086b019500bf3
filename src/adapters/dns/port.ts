// The port to the name servers of our zones, in this process or elsewhere. Names in text are
// lower-case A-labels without a final dot.

import type { Message } from '../../dns/message/read-message.ts'
import type { TsigKey } from '../../dns/message/tsig.ts'

export type Zone = {
  /** The store's own identifier of the zone. */
  id: string
  name: string
  serial: number
  nameservers: readonly string[]
}
/** All records of a name and a type, in wire form without compression (RFC 3597 part 4). */
export type RecordSet = { type: number; ttl: number; rdata: readonly Buffer[] }
/** A zone as it is served; SOA, and NS of its own name, are not among its sets. */
export type ZoneContent = Omit<Zone, 'id'> & { sets: readonly (RecordSet & { name: string })[] }

/**
 * `unreachable`: it may have been done or not. `refused`: it was not. Both may be sent again.
 */
export type Pushed =
  /** `without`: sets that the provider does not take, as "www.example.com MX". */
  | { kind: 'done'; without?: readonly string[] }
  | { kind: 'failed'; reason: 'unreachable' | 'refused'; message: string }

/** A name server that zones are pushed to. Both are idempotent: the whole zone as it is to be. */
export type DnsProvider = {
  /** Which provider it is: one of another id has none of the zones. */
  readonly id: string
  put(zone: ZoneContent): Promise<Pushed>
  drop(name: string): Promise<Pushed>
}

export type DnsPlace = { host: string; port: number }
/** The answer of a name server for a name and a type; without such records `rdata` is empty. */
export type Served = { rcode: number; ttl: number; rdata: Buffer[] }
/** `authoritative`: the AA flag (RFC 1035 4.1.1). */
export type ServerAnswer = Served & { authoritative: boolean }
/** Asks name servers that are not ours: only at public addresses, and slowly. */
export type NameServerClient = {
  /**
   * Where a name server may be asked, IPv4 first; `given`: its addresses, where they are known.
   * Empty: none is known. Throws AddressForbidden where one is not public.
   */
  placesOf(host: string, given: readonly string[], signal: AbortSignal): Promise<DnsPlace[]>
  /**
   * As `placesOf`, with addresses that are not public apart: for callers that send nothing but to
   * these places. `given` count only where resolvers find none; at most four of each.
   */
  sortedPlacesOf(
    host: string,
    given: readonly string[],
    signal: AbortSignal,
  ): Promise<{ places: DnsPlace[]; refused: string[] }>
  /** Null: no answer that can be read, within 2.4 s. */
  ask(place: DnsPlace, name: string, type: number): Promise<ServerAnswer | null>
}
export type Dns = {
  /** Where it answers over UDP and TCP. */
  place: DnsPlace
  /** Where updates and zone transfers are taken; left out: at the same place. */
  updates?: DnsPlace
  /** Null: it serves from the database, so nothing is pushed. */
  provider: DnsProvider | null
  /**
   * The IPv4 address that the name server answers for a name; null when it answers none in time.
   */
  ask(name: string): Promise<string | null>
  /**
   * The set that the name server has for a name and a type, also one below a delegation (NS, glue);
   * null when it does not answer in time.
   */
  askSet(name: string, type: number): Promise<Served | null>
  close(): Promise<void>
}

/** The sets at a name of a zone, at "*" directly below it, and whether there are names below it. */
export type NameFound = {
  name: string
  /** Those that were asked for. */
  sets: readonly RecordSet[]
  /** Whether any set is there, of any type. */
  exists: boolean
  /**
   * The same sets of "*" directly below it: none of them where only others are there, or only names
   * below "*". Null: there is no such name.
   */
  wildcard: readonly RecordSet[] | null
  has_below: boolean
}
/** The zone of a name, and its names: the one asked for, then each above it within the zone. */
export type Found = { zone: Zone; names: readonly NameFound[] }
export type ZoneStore = {
  /**
   * Looks for the longest zone among `names`: the name asked for and each above it, in this order.
   * Of the sets there, those of `type`, CNAME and NS (of ANY, 255: all). Undefined: none of the
   * names is a zone of ours. `zones`: those of the names that it may be; left out: all.
   */
  find(
    names: readonly string[],
    type: number,
    zones?: readonly string[],
  ): Promise<Found | undefined>
  /** The A and AAAA sets at each of these names of the zone: glue and additional data. */
  addresses(
    zone: Zone,
    names: readonly string[],
  ): Promise<readonly { name: string; sets: readonly RecordSet[] }[]>
}

/** A message of one client that a key signed; the signature was verified. */
export type SignedMessage = {
  /** The name of the key that verified it. */
  key: string
  /** The signature. */
  mac: Buffer
  address: string
  /** Over UDP the address may be forged: no answer has proved it. */
  transport: 'udp' | 'tcp'
  /** Lower-case, without a final dot. */
  zone: string
}
/** Its records are as they came: any class, and any type. */
export type SignedUpdate = SignedMessage & {
  prerequisites: Message['answer']
  updates: Message['authority']
}
/** Takes signed messages: updates (RFC 2136) and zone transfers (RFC 5936). */
export type SignedMessages = {
  /** By which signatures are verified. */
  now: () => Date
  /** The key of this name; undefined: there is none, or it has ended. */
  key(name: string): Promise<TsigKey | undefined>
  /** The response code, once all of it is stored or none; null: it is not to be answered. */
  update(update: SignedUpdate): Promise<number | null>
  /** The whole zone, or the code of a refusal. */
  transfer(asked: SignedMessage): Promise<ZoneContent | { rcode: number }>
}

/** Our own name servers by name, where the settings have their addresses: glue. */
export type Glue = ReadonlyMap<string, string>

/** The name server cannot start: one line for the operator. */
export class NameServerError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'NameServerError'
  }
}
