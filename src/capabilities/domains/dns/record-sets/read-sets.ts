// Reads record sets and values of a request: host, type, TTL and values in presentation form.

import { readRdata } from '../../../../dns/rdata/rdata.ts'
import { dnssecTypes, isMetaType, rrType, typeName, typeNumber } from '../../../../dns/types.ts'
import type { FieldReader } from '../../../../kit/field-reader.ts'
import type { DomainName } from '../../../../kit/random.ts'
import { readRecordHost } from './record-host.ts'
import { octetsKey, type Place, type PlacedSet, sortedRdata } from './record-set.ts'

type Loc = readonly (string | number)[]
type SetInput = {
  host: string
  type: string
  ttl?: number | undefined
  values: readonly string[]
}
type ValueInput = { host: string; type: string; value: string; ttl?: number | undefined }

/**
 * Null if the reader refused it. A `ttl` of null leaves the TTL as it is, or takes the usual one.
 */
type ReadSet = (Omit<PlacedSet, 'ttl'> & { ttl: number | null }) | null

/** Reads the sets and values of one request for one domain. */
export class RecordReader {
  readonly #reader: FieldReader
  readonly #domain: DomainName
  constructor(reader: FieldReader, domain: DomainName) {
    this.#reader = reader
    this.#domain = domain
  }

  /** Reads a whole set; one without values is to be deleted. */
  set(input: SetInput, loc: Loc): ReadSet {
    const place = this.place(input, loc)
    const values = input.values.map((value, at) =>
      this.#value(value, { type: place?.type, loc: [...loc, 'values', at] }),
    )
    if (!place || values.includes(null)) return null
    const rdata = sortedRdata(values.flatMap((one) => one ?? []))
    const places = new Map(
      values.flatMap((one, at) => (one ? [placed(one, [...loc, 'values', at])] : [])),
    )
    return { ...place, ttl: input.ttl ?? null, rdata, loc, places }
  }

  /** Reads one value of a set. */
  value(input: ValueInput, loc: Loc): ReadSet {
    const place = this.place(input, loc)
    const rdata = this.#value(input.value, { type: place?.type, loc: [...loc, 'value'] })
    if (!place || !rdata) return null
    const places = new Map([placed(rdata, [...loc, 'value'])])
    return { ...place, ttl: input.ttl ?? null, rdata: [rdata], loc, places }
  }

  /** The host and type of a set, or null if they are refused. */
  place(input: { host: string; type: string }, loc: Loc): { host: string; type: number } | null {
    const read = readRecordHost(input.host, this.#domain)
    if ('problem' in read)
      this.#reader.refuse([...loc, 'host'], `Input ${read.problem}`, 'dns_host')
    const type = typeNumber(input.type)
    if (type === undefined) {
      const msg = 'Input should be a record type, such as "MX", or "TYPE" and its number'
      this.#reader.refuse([...loc, 'type'], msg, 'dns_type')
    }
    if ('problem' in read || type === undefined) return null
    const problem = typeProblem(read.host, type)
    if (problem) this.#reader.refuse([...loc, 'type'], problem, 'dns_type')
    return problem ? null : { host: read.host, type }
  }

  #value(text: string, { type, loc }: { type: number | undefined; loc: Loc }): Buffer | null {
    if (type === undefined) return null
    const read = readRdata(type, text, { names: 'api', origin: this.#domain })
    if ('rdata' in read) return read.rdata
    this.#reader.refuse([...loc], `Input ${read.problem}`, 'dns_value')
    return null
  }
}

function placed(octets: Buffer, loc: Loc): [string, Place] {
  return [octetsKey(octets), { loc }]
}

/** Why a type cannot be set at a host, or null if it can. */
export function typeProblem(host: string, type: number): string | null {
  if (type === rrType.soa) return 'SOA is managed: it follows the changes of the zone by itself'
  if (type === rrType.ns && host === '@')
    return 'NS of the domain itself are managed: change its name servers with update_nameservers'
  if (dnssecTypes.has(type))
    return `${typeName(type)} is managed: records of DNSSEC are made by the signer of the zone`
  if (type === rrType.dname)
    return 'DNAME is not served: set a CNAME for each name, or a wildcard CNAME'
  if (isMetaType(type)) return `${typeName(type)} is no type of data (RFC 6895 3.1)`
  return null
}
