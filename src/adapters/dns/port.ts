// The port to the name servers of our zones, in this process or elsewhere. Names in text are
// lower-case A-labels without a final dot.

import type { Message } from '../../dns/message/read-message.ts'
import type { TsigKey } from '../../dns/message/tsig.ts'

export type Zone = {
  /** The store's own identifier for the zone. */
  id: string
  name: string
  serial: number
  nameservers: readonly string[]
}
/** All records of a name and a type, in wire form without compression (RFC 3597 part 4). */
export type RecordSet = { type: number; ttl: number; rdata: readonly Buffer[] }
/** A zone as it is served. Its sets do not include SOA, and NS of its own name. */
export type ZoneContent = Omit<Zone, 'id'> & { sets: readonly (RecordSet & { name: string })[] }

/**
 * `unreachable`: the call may have taken effect or not. `refused`: it did not. Both may be sent
 * again.
 */
export type Pushed =
  /** `without` lists sets that the provider does not take, such as "www.example.com MX". */
  | { kind: 'done'; without?: readonly string[] }
  | { kind: 'failed'; reason: 'unreachable' | 'refused'; message: string }

/**
 * A name server that zones are pushed to. Both calls are idempotent, because they give the whole
 * zone as it is to be.
 */
export type DnsProvider = {
  /** The id of the provider; a provider with another id has none of the zones. */
  readonly id: string
  put(zone: ZoneContent): Promise<Pushed>
  drop(name: string): Promise<Pushed>
}

export type DnsPlace = { host: string; port: number }
/**
 * The answer of a name server for a name and a type. If there are no such records, `rdata` is
 * empty.
 */
export type Served = { rcode: number; ttl: number; rdata: Buffer[] }
/** `authoritative` is the AA flag (RFC 1035 4.1.1). */
export type ServerAnswer = Served & { authoritative: boolean }
/** Asks name servers that are not ours, only at public addresses and slowly. */
export type NameServerClient = {
  /**
   * The places where a name server may be asked, IPv4 first, or none if no address is known.
   * `given` are its addresses if they are known. Throws AddressForbidden if one is not public.
   */
  placesOf(host: string, given: readonly string[], signal: AbortSignal): Promise<DnsPlace[]>
  /**
   * Like `placesOf`, but addresses that are not public are listed apart, for callers that send
   * nothing else to these places. `given` only counts if resolvers find none, and at most four of
   * each count.
   */
  sortedPlacesOf(
    host: string,
    given: readonly string[],
    signal: AbortSignal,
  ): Promise<{ places: DnsPlace[]; refused: string[] }>
  /** The answer, or null if none that can be read arrives within 2.4 s. */
  ask(place: DnsPlace, name: string, type: number): Promise<ServerAnswer | null>
}
export type Dns = {
  /** The address at which it answers over UDP and TCP. */
  place: DnsPlace
  /** The address that takes updates and zone transfers. If left out, it is the same one. */
  updates?: DnsPlace
  /** It is null if it serves from the database, so that nothing is pushed. */
  provider: DnsProvider | null
  /**
   * The IPv4 address that the name server answers for a name, or null if it answers none in time.
   */
  ask(name: string): Promise<string | null>
  /**
   * The set that the name server has for a name and a type, also one below a delegation (NS, glue),
   * or null if it does not answer in time.
   */
  askSet(name: string, type: number): Promise<Served | null>
  close(): Promise<void>
}

/** The sets at a name of a zone, at "*" directly below it, and whether there are names below it. */
export type NameFound = {
  name: string
  /** The sets that the question was about. */
  sets: readonly RecordSet[]
  /** Whether the name has a set of any type. */
  exists: boolean
  /**
   * The same sets of "*" directly below it. There are none if "*" only has others, or only has
   * names below it. It is null if there is no such name.
   */
  wildcard: readonly RecordSet[] | null
  has_below: boolean
}
/**
 * The zone of a name, and its names: the name of the question, then each name above it within the
 * zone.
 */
export type Found = { zone: Zone; names: readonly NameFound[] }
export type ZoneStore = {
  /**
   * Looks for the longest zone among `names`: the name of the question and each name above it, in
   * this order. The sets of each name are those of `type`, CNAME and NS, or all of them for ANY
   * (255). It is undefined if none of the names is a zone of ours. `zones` are the names that the
   * zone may have; if left out, it may have any.
   */
  find(
    names: readonly string[],
    type: number,
    zones?: readonly string[],
  ): Promise<Found | undefined>
  /** The A and AAAA sets at each of these names of the zone, as glue and additional data. */
  addresses(
    zone: Zone,
    names: readonly string[],
  ): Promise<readonly { name: string; sets: readonly RecordSet[] }[]>
}

/** A message of one client that was signed by a key and whose signature was verified. */
export type SignedMessage = {
  /** The name of the key that verified it. */
  key: string
  /** The signature. */
  mac: Buffer
  address: string
  /** Over UDP the address may be forged, because no answer has proved it. */
  transport: 'udp' | 'tcp'
  /** The name is in lower case and has no final dot. */
  zone: string
}
/** Its records are as they arrived, of any class and any type. */
export type SignedUpdate = SignedMessage & {
  prerequisites: Message['answer']
  updates: Message['authority']
}
/** Takes signed messages: updates (RFC 2136) and zone transfers (RFC 5936). */
export type SignedMessages = {
  /** The clock by which signatures are verified. */
  now: () => Date
  /** The key of this name, or undefined if there is none or it has ended. */
  key(name: string): Promise<TsigKey | undefined>
  /**
   * The response code, once either all of it or nothing is stored, or null if there is to be no
   * answer.
   */
  update(update: SignedUpdate): Promise<number | null>
  /** The whole zone, or the code of a refusal. */
  transfer(asked: SignedMessage): Promise<ZoneContent | { rcode: number }>
}

/** Our own name servers by name, with glue if the settings have their addresses. */
export type Glue = ReadonlyMap<string, string>

/** The name server cannot start. The message is one line for the operator. */
export class NameServerError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'NameServerError'
  }
}
