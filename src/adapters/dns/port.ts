// The port to the name servers of our zones, in this process or elsewhere.

/** A zone as it is served. All names here are lower-case A-labels without a final dot. */
export type Zone = { name: string; serial: number; nameservers: readonly string[] }
export type Address = { value: string; ttl: number }
export type ZoneContent = Zone & { records: readonly (Address & { name: string })[] }

/**
 * `unreachable`: it may have been done or not. `refused`: it was not. Both may be sent again.
 */
export type Pushed =
  | { kind: 'done' }
  | { kind: 'failed'; reason: 'unreachable' | 'refused'; message: string }

/** A name server that zones are pushed to. Both are idempotent: the whole zone as it is to be. */
export type DnsProvider = {
  /** Which provider it is: one of another id has none of the zones. */
  readonly id: string
  put(zone: ZoneContent): Promise<Pushed>
  drop(name: string): Promise<Pushed>
}

export type DnsPlace = { host: string; port: number }
export type Dns = {
  /** Where it answers over UDP and TCP. */
  place: DnsPlace
  /** Null: it serves from the database, so nothing is pushed. */
  provider: DnsProvider | null
  /**
   * The IPv4 address that the name server answers for a name; null when it answers none in time.
   */
  ask(name: string): Promise<string | null>
  close(): Promise<void>
}

/** The records at a name of a zone, and whether there are names below it. */
export type NameFound = {
  name: string
  address: Address | null
  /** The record set of "*" directly below it. */
  wildcard: Address | null
  has_below: boolean
}
/** The zone of a name, and what is there: the name asked for, then each above it. */
export type Found = { zone: Zone; names: readonly NameFound[] }
/**
 * Looks for the longest zone among `names`: the name asked for and each above it, in this order,
 * lower case. Undefined: none of them is a zone of ours.
 */
export type Find = (names: readonly string[]) => Promise<Found | undefined>

/** Our own name servers by name, where the settings have their addresses: glue. */
export type Glue = ReadonlyMap<string, string>

/** The name server cannot start: one line for the operator. */
export class NameServerError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'NameServerError'
  }
}
